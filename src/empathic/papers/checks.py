"""Published and recomputed cells become checks, and checks become one reproduction."""

from __future__ import annotations

from empathic.records import Record


class Check(Record, frozen=True, omit_defaults=False):
    """One cell of a published table beside the value recomputed from the released data."""

    table: str
    row: str
    column: str
    published: float | str | None
    computed: float | str | None
    match: bool


class Finding(Record, frozen=True):
    """Something the paper should have said, with the numbers that show it."""

    id: str
    text: str
    numbers: dict[str, float | str | None] = {}


class Reproduction(Record, frozen=True, omit_defaults=False):
    """Everything `empathic reproduce` found about one paper."""

    paper: str
    checks: tuple[Check, ...]
    findings: tuple[Finding, ...]


def cell_matches(published: float, computed: float, digits: int) -> bool:
    """Whether a computed value rounds to the printed one: within half a unit of the last printed digit."""
    return abs(published - computed) <= 0.5 * 10.0**-digits + 1e-12
