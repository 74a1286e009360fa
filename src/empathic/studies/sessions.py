"""A participant's browser holds a random token; the database holds its hash."""

from __future__ import annotations

import hashlib
import secrets

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from empathic.studies import schema
from empathic.studies.store import Store


def open_session(store: Store, participant: str) -> str:
    """A new token for a participant: every entry gets its own, so that none can be planted beforehand."""
    token = secrets.token_urlsafe(32)
    with store.write() as connection:
        row = {"token_hash": token_hash(token), "participant": participant, "created": store.clock()}
        connection.execute(schema.session.insert().values(**row))
    return token


def participant_of(connection: Connection, token: str | None) -> str | None:
    """Whose token this is."""
    if not token:
        return None
    table = schema.session.c
    return connection.scalar(sa.select(table.participant).where(table.token_hash == token_hash(token)))


def token_hash(token: str) -> str:
    """What is stored of a token: who reads the database cannot take over a session."""
    return hashlib.sha256(token.encode()).hexdigest()
