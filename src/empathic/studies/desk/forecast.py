"""The times at which people finished become when a study will be full, or why that cannot be told yet.

The rate is that of the last hours: k people in h hours, with Byar's approximation of the exact Poisson limits,
k (1 − 1/9k − z/3√k)³ and (k+1) (1 − 1/9(k+1) + z/3√(k+1))³ (Breslow & Day 1987, Statistical methods in cancer
research II, p. 69).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from empathic.records import Record
from empathic.studies import schema
from empathic.studies.design import Mode

HOURS = 6.0  # how far back the rate looks
LEAST_FINISHED, LEAST_HOURS = 5, 0.25
Z = 1.959964
lease = schema.lease.c


class Forecast(Record, frozen=True, omit_defaults=False):
    """When the last place is filled if people go on coming as they do: the time and its 95 % interval, or the reason."""

    at: float | None = None
    early: float | None = None
    late: float | None = None
    missing: str | None = None
    per_hour: float | None = None
    finished: int = 0  # how many finished in the hours the rate is taken from
    hours: float = 0.0


def forecast(times: Sequence[float], *, left: int, now: float, status: str = "open") -> Forecast:
    """When `left` more have finished, by those who finished at these times."""
    if left <= 0:
        return Forecast(missing="all places are filled")
    if status != "open":
        return Forecast(missing=f"the study is {status}")
    recent = [time for time in times if now - HOURS * 3600 < time <= now]
    hours = min(HOURS, (now - min(times)) / 3600) if times else 0.0
    if len(recent) < LEAST_FINISHED or hours < LEAST_HOURS:
        told = f"{len(recent)} finished in the last {HOURS:g} hours"
        return Forecast(missing=f"can’t tell yet: {told}", finished=len(recent), hours=hours)
    # The first of them only opens the window when the study is younger than it.
    counted = len(recent) if hours == HOURS else len(recent) - 1
    low, high = poisson_limits(counted)
    at, early, late = (now + left / (count / hours) * 3600 for count in (counted, high, low))
    return Forecast(at=at, early=early, late=late, per_hour=counted / hours, finished=len(recent), hours=hours)


def poisson_limits(count: int) -> tuple[float, float]:
    """The 95 % limits of the expectation behind a count of at least 1."""
    above = count + 1
    low = count * (1 - 1 / (9 * count) - Z / (3 * math.sqrt(count))) ** 3
    return low, above * (1 - 1 / (9 * above) + Z / (3 * math.sqrt(above))) ** 3


def finish_times(connection: Connection, mode: Mode) -> dict[tuple[str, str], list[float]]:
    """When the people who hold a finished place finished, by cell, in order."""
    cell, person = schema.cell.c, schema.participant.c
    query = (
        sa.select(cell.condition, cell.stratum, person.finished)
        .join_from(schema.lease, schema.cell, lease.cell == cell.id)
        .join(schema.participant, person.id == lease.participant)
        .where(lease.mode == mode, lease.state == "finished", person.finished.is_not(None))
        .order_by(person.finished)
    )
    found: dict[tuple[str, str], list[float]] = {}
    for condition, stratum, time in connection.execute(query):
        found.setdefault((condition, stratum), []).append(time)
    return found
