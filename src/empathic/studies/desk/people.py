"""The participants of a study become a list to look through, a page each: pseudonyms, never platform ids."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from empathic.studies import schema
from empathic.studies.design import Mode
from empathic.studies.participants import FORWARD

STATES = tuple(FORWARD)
PER_PAGE = 50
LAST_PAGE = 100_000
person, lease, cell = schema.participant, schema.lease, schema.cell


class Page(NamedTuple):
    """Some of many rows, and where they stand."""

    rows: list[RowMapping]
    total: int
    page: int

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // PER_PAGE))


def people(connection: Connection, mode: Mode, *, state: str | None = None, page: int = 1) -> Page:
    """Those in a state, or all, the newest first."""
    chosen = [person.c.mode == mode, *([person.c.state == state] if state else [])]
    query = (
        sa.select(person, cell.c.condition, cell.c.stratum)
        .outerjoin(lease, lease.c.participant == person.c.id)
        .outerjoin(cell, cell.c.id == lease.c.cell)
        .where(*chosen)
        .order_by(person.c.created.desc(), person.c.id)
    )
    total = connection.scalar(sa.select(sa.func.count()).select_from(person).where(*chosen))
    return cut(connection, query, int(total or 0), page)


def cut(connection: Connection, query: sa.Select[tuple[object, ...]], total: int, page: int) -> Page:
    """One page of a query."""
    rows = connection.execute(query.limit(PER_PAGE).offset((page - 1) * PER_PAGE)).mappings().all()
    return Page(list(rows), total, page)


def known(connection: Connection, name: str, mode: Mode) -> bool:
    """Whether there is such a participant among those the desk shows."""
    if not name.isalnum():  # no name we gave; PostgreSQL could not even be asked for one with a NUL
        return False
    query = sa.select(person.c.id).where(person.c.id == name, person.c.mode == mode)
    return connection.scalar(query) is not None


def find(connection: Connection, given: str, mode: Mode) -> str | None:
    """Somebody by the platform's id, the invitation's name or the pseudonym."""
    kept = schema.identity.c
    named = sa.select(kept.participant).where(kept.pid == given)
    either = sa.or_(person.c.id.in_(named), person.c.id == given.removeprefix("human:"))
    return connection.scalar(sa.select(person.c.id).where(either, person.c.mode == mode))


def page_number(text: str) -> int:
    """The page a link asks for; nonsense is the first."""
    return min(max(int(text), 1), LAST_PAGE) if text.isascii() and text.isdigit() and len(text) < 9 else 1
