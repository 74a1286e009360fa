"""Answers become append-only events with a client key, chained by hash, and the table of current answers.

Sending an event again with the same key changes nothing. The last value of a field wins; all earlier ones stay.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from empathic.studies import schema
from empathic.studies.steps import Value


def append(
    connection: Connection,
    person: RowMapping,
    kind: str,
    payload: Mapping[str, Any],
    *,
    now: float,
    key: str | None = None,
    client_time: float | None = None,
) -> int | None:
    """Add one event to a locked participant; returns its number, or None if the key was there before."""
    if key is not None and known(connection, person["id"], key):
        return None
    text = msgspec.json.encode(payload, order="sorted").decode()
    counted = sa.select(schema.participant.c.events, schema.participant.c.chain)
    seq, before = connection.execute(counted.where(schema.participant.c.id == person["id"])).one()
    link = chain(before, kind, text, now)
    connection.execute(
        schema.event.insert().values(
            participant=person["id"],
            seq=seq,
            client_key=key or secrets.token_hex(16),
            type=kind,
            payload=text,
            time=now,
            client_time=client_time,
            chain=link,
        )
    )
    update = schema.participant.update().where(schema.participant.c.id == person["id"])
    connection.execute(update.values(events=seq + 1, chain=link))
    return int(seq)


def chain(before: str, kind: str, payload: str, time: float) -> str:
    """SHA-256 over the link before and this event: a changed or removed event breaks every later link."""
    return hashlib.sha256(f"{before}\n{kind}\n{payload}\n{time!r}".encode()).hexdigest()


def known(connection: Connection, person: str, key: str) -> bool:
    """Whether an event with this key was stored for this participant."""
    table = schema.event.c
    query = sa.select(table.seq).where(table.participant == person, table.client_key == key)
    return connection.execute(query).first() is not None


def save(
    connection: Connection,
    person: RowMapping,
    given: Mapping[str, Value],
    *,
    now: float,
    key: str | None = None,
    client_time: float | None = None,
) -> bool:
    """Store answers as one event; what is stored already, by key or by value, is not stored again."""
    if key is not None and known(connection, person["id"], key):
        return False
    present = answers(connection, person["id"])
    # With a client's key the event is stored even if nothing changed, so that the key is known from then on.
    changed = {field: value for field, value in given.items() if field not in present or present[field] != value}
    if not changed and key is None:
        return False
    seq = append(connection, person, "answers", changed, now=now, key=key, client_time=client_time)
    _project(connection, person["id"], changed, set(present), seq or 0, now)
    return bool(changed)


def _project(
    connection: Connection, person: str, changed: Mapping[str, Value], present: set[str], seq: int, now: float
) -> None:
    """Bring the table of current answers up to the event."""
    table, fresh = schema.answer, []
    for field, value in changed.items():
        row = {"value": msgspec.json.encode(value).decode(), "seq": seq, "time": now}
        if field in present:
            here = (table.c.participant == person, table.c.field == field)
            connection.execute(table.update().where(*here).values(**row))
        else:
            fresh.append({"participant": person, "field": field, **row})
    if fresh:
        connection.execute(table.insert(), fresh)


def answers(connection: Connection, person: str) -> dict[str, Value]:
    """The current answers of a participant."""
    table = schema.answer.c
    rows = connection.execute(sa.select(table.field, table.value).where(table.participant == person))
    return {field: msgspec.json.decode(value) for field, value in rows}


def replay(connection: Connection, person: str) -> dict[str, Value]:
    """The answers rebuilt from the events alone."""
    found: dict[str, Value] = {}
    table = schema.event.c
    query = sa.select(table.payload).where(table.participant == person, table.type == "answers").order_by(table.seq)
    for (payload,) in connection.execute(query):
        found |= msgspec.json.decode(payload)
    return found


def broken_links(connection: Connection, person: str) -> list[int]:
    """The numbers of the events whose chain does not hold."""
    table, before, broken = schema.event.c, "", []
    rows = connection.execute(sa.select(schema.event).where(table.participant == person).order_by(table.seq))
    for place, row in enumerate(rows.mappings()):
        if row["seq"] != place or row["chain"] != chain(before, row["type"], row["payload"], row["time"]):
            broken.append(row["seq"])
        before = row["chain"]
    return broken
