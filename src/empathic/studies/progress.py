"""The database becomes where a study stands: people by state, places by cell, orders, chats that failed."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from empathic.records import Record
from empathic.studies import schema, versions
from empathic.studies.assignment import arrangements, held_arrangements
from empathic.studies.design import Mode
from empathic.studies.plan import targets
from empathic.studies.store import Store

lease = schema.lease


class CellProgress(Record, frozen=True):
    """One cell: how many have finished and how many are at it, of how many wanted."""

    condition: str
    stratum: str
    target: int
    finished: int = 0
    live: int = 0
    free: int = 0  # how many may still start, as things are now


class ConditionProgress(Record, frozen=True):
    """One condition: of its places, how many are finished, held and free."""

    condition: str
    places: int
    finished: int = 0
    live: int = 0
    free: int = 0


class Progress(Record, frozen=True):
    """Where a study stands."""

    title: str
    version: int
    status: str
    states: dict[str, int]
    outcomes: dict[str, int]
    late: int
    conditions: tuple[ConditionProgress, ...]
    cells: tuple[CellProgress, ...]
    orders: dict[str, int]  # how many there are, fewest and most people on one, how many are used
    events: int
    answers: int
    chats_failed: int


def progress(store: Store, *, mode: Mode = "live") -> Progress:
    """The state of the study, read in one transaction."""
    with store.read() as connection:
        number, plan = versions.newest(connection)
        people = schema.participant.c
        held = held_arrangements(connection, mode)
        counts = [held.get(each, 0) for each in range(arrangements(plan))]
        conditions = _conditions(connection, mode, store.clock())
        return Progress(
            title=plan.study.title,
            version=number,
            status=versions.status(connection),
            states=_count(connection, people.state, people.mode == mode),
            outcomes=_count(connection, people.outcome, people.mode == mode, people.outcome.is_not(None)),
            late=_number(connection, schema.participant, people.mode == mode, people.late),
            conditions=tuple(conditions.values()),
            cells=tuple(_cells(connection, targets(plan), mode, conditions, store.clock())),
            orders={"orders": len(counts), "fewest": min(counts), "most": max(counts), "used": sum(map(bool, counts))},
            events=_number(connection, schema.event, _of(mode, schema.event)),
            answers=_number(connection, schema.answer, _of(mode, schema.answer)),
            chats_failed=_number(connection, schema.turn, schema.turn.c.status == "failed"),
        )


def _held(now: float) -> sa.ColumnElement[str]:
    """`finished`, `live`, or something else; a lease that has run out is free though nobody has swept it up yet."""
    over = sa.and_(lease.c.state == "live", lease.c.until < now)
    return sa.case((over, "expired"), else_=lease.c.state)


def _conditions(connection: Connection, mode: Mode, now: float) -> dict[str, ConditionProgress]:
    """Per condition the places of the newest version and who holds them."""
    place, state = schema.place.c, _held(now)
    wanted = sa.select(place.condition, sa.func.count()).where(place.active).group_by(place.condition)
    query = (
        sa.select(place.condition, state, sa.func.count())
        .join_from(schema.lease, schema.place, lease.c.place == place.id)
        .where(lease.c.mode == mode, place.active)
        .group_by(place.condition, state)
    )
    held = {(condition, kind): count for condition, kind, count in connection.execute(query)}
    found = {}
    for condition, places in connection.execute(wanted.order_by(sa.func.min(place.id))):
        finished, live = held.get((condition, "finished"), 0), held.get((condition, "live"), 0)
        row = {"places": places, "finished": finished, "live": live, "free": places - finished - live}
        found[condition] = ConditionProgress(condition=condition, **row)
    return found


def _cells(
    connection: Connection,
    wanted: dict[tuple[str, str], int],
    mode: Mode,
    conditions: dict[str, ConditionProgress],
    now: float,
) -> list[CellProgress]:
    """Per cell its people; free is what both its target and the places of its condition leave."""
    cell, state = schema.cell.c, _held(now)
    query = (
        sa.select(cell.condition, cell.stratum, state, sa.func.count())
        .join_from(schema.lease, schema.cell, lease.c.cell == cell.id)
        .where(lease.c.mode == mode)
        .group_by(cell.condition, cell.stratum, state)
    )
    held = {(condition, stratum, kind): count for condition, stratum, kind, count in connection.execute(query)}
    found = []
    for (condition, stratum), target in wanted.items():
        finished, live = (held.get((condition, stratum, kind), 0) for kind in ("finished", "live"))
        free = max(0, min(target - finished - live, conditions[condition].free))
        counts = {"target": target, "finished": finished, "live": live, "free": free}
        found.append(CellProgress(condition=condition, stratum=stratum, **counts))
    return found


def _of(mode: Mode, table: sa.Table) -> sa.ColumnElement[bool]:
    people = schema.participant.c
    return table.c.participant.in_(sa.select(people.id).where(people.mode == mode))


def _count(connection: Connection, column: sa.ColumnElement[Any], *where: sa.ColumnElement[bool]) -> dict[str, int]:
    query = sa.select(column, sa.func.count()).where(*where).group_by(column).order_by(column)
    return {row[0]: row[1] for row in connection.execute(query)}


def _number(connection: Connection, table: sa.Table, *where: sa.ColumnElement[bool]) -> int:
    return int(connection.scalar(sa.select(sa.func.count()).select_from(table).where(*where)) or 0)
