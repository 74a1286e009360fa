"""What researchers do becomes entries that stay: when, who, what."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from empathic.studies import schema


def note(connection: Connection, now: float, what: str, detail: str, who: str | None = None) -> None:
    """Add an entry; `who` is the account at the desk, None the command line. Never a platform id."""
    connection.execute(schema.audit.insert().values(time=now, what=what, detail=detail, who=who))


def entries(connection: Connection, *, limit: int = 500) -> Sequence[RowMapping]:
    """The newest entries, the newest first."""
    query = sa.select(schema.audit).order_by(schema.audit.c.id.desc()).limit(limit)
    return connection.execute(query).mappings().all()
