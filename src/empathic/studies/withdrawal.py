"""A person who withdraws, or is erased by the researcher, becomes a row without a trace of what they said."""

from __future__ import annotations

from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from empathic.studies import assignment, audit, schema
from empathic.studies.design import Mode
from empathic.studies.participants import Identity, load, pseudonym
from empathic.studies.store import Store
from empathic.studies.versions import secret

RELEASING = ("RETURNED", "TIMED-OUT", "REJECTED")
STATES = ("RESERVED", "ACTIVE", "TIMED-OUT", "AWAITING REVIEW", "SCREENED OUT", "RETURNED", "REJECTED", "APPROVED")


def withdraw(store: Store, name: str) -> None:
    """The participant's own decision: everything they said is erased, their place is free again.

    What remains: that somebody was here and withdrew, and the pseudonym that keeps the link from starting anew.
    """
    with store.write() as connection:
        person = load(connection, name, for_update=True)
        if person.row["state"] == "withdrawn":
            return
        _erase_traces(connection, name)
        _tombstone(connection, name, store.clock(), "withdrawn by the participant")


def erase(store: Store, name: str, *, by: str | None = None) -> None:
    """The researcher deletes one person: as `withdraw`, and the pseudonym goes too."""
    with store.write() as connection:
        load(connection, name, for_update=True)
        _erase_traces(connection, name)
        _tombstone(connection, name, store.clock(), "erased by the researcher")
        row = schema.participant.update().where(schema.participant.c.id == name)
        connection.execute(row.values(pid_hmac=None))
        connection.execute(schema.session.delete().where(schema.session.c.participant == name))
        audit.note(connection, store.clock(), "erase", name, by)


def everything(store: Store, name: str) -> dict[str, Any]:
    """All that is kept about one person, for the person."""
    with store.read() as connection:
        row = load(connection, name).row
        own = {
            table.name: [dict(each) for each in connection.execute(_rows(table, name)).mappings()]
            for table in (schema.identity, schema.lease, schema.event, schema.answer, schema.chat)
        }
        chats = [each["id"] for each in own["chat"]]
        turns = sa.select(schema.turn).where(schema.turn.c.chat.in_(chats)).order_by(schema.turn.c.id)
        own["turn"] = [dict(each) for each in connection.execute(turns).mappings()]
        return {"participant": dict(row), **own}


def find(store: Store, identity: Identity, mode: Mode = "live") -> str | None:
    """The participant who came with this platform id."""
    with store.read() as connection:
        table = schema.participant.c
        mark = pseudonym(secret(connection), identity, mode)
        return connection.scalar(sa.select(table.id).where(table.pid_hmac == mark))


def anyone_called(store: Store, given: str) -> str | None:
    """The participant with this platform id, or with this rater's name from an export."""
    people, kept = schema.participant.c, schema.identity.c
    with store.read() as connection:
        by_pid = connection.scalar(sa.select(kept.participant).where(kept.pid == given))
        return by_pid or connection.scalar(sa.select(people.id).where(people.id == given.removeprefix("human:")))


def platform_state(store: Store, name: str, state: str, *, ordered: bool = True) -> None:
    """Note what the platform says of a submission; a returned, timed-out or rejected one frees the place.

    `ordered=False`: it may be older than what is known, and then says nothing. No submission goes back in `STATES`.
    """
    with store.write() as connection:
        person = load(connection, name, for_update=True)
        known = person.row["platform_state"]
        if not ordered and known is not None and STATES.index(state) < STATES.index(known):
            return
        row = schema.participant.update().where(schema.participant.c.id == name)
        connection.execute(row.values(platform_state=state))
        unfinished = person.row["state"] in ("invited", "consented", "active")
        if state in RELEASING and (unfinished or state == "REJECTED"):
            assignment.free(connection, name)


def _erase_traces(connection: Connection, name: str) -> None:
    chats = sa.select(schema.chat.c.id).where(schema.chat.c.participant == name)
    turns = sa.select(schema.turn.c.id).where(schema.turn.c.chat.in_(chats))
    connection.execute(schema.chunk.delete().where(schema.chunk.c.turn.in_(turns)))
    connection.execute(schema.turn.delete().where(schema.turn.c.chat.in_(chats)))
    for table in (schema.chat, schema.answer, schema.event, schema.identity, schema.lease):
        connection.execute(table.delete().where(table.c.participant == name))


def _tombstone(connection: Connection, name: str, now: float, reason: str) -> None:
    row = schema.participant.update().where(schema.participant.c.id == name)
    blank = {"seat": None, "events": 0, "chain": "", "late": False, "platform_state": None}
    connection.execute(row.values(state="withdrawn", outcome="withdrawn", reason=reason, finished=now, **blank))


def _rows(table: sa.Table, name: str) -> sa.Select[Any]:
    return sa.select(table).where(table.c.participant == name).order_by(*table.primary_key.columns)


def encode(found: dict[str, Any]) -> bytes:
    """The copy of one person's data as JSON."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2)
