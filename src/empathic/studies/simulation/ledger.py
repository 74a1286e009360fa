"""What the server acknowledged to simulated participants, compared with what its database holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from empathic.records import Record
from empathic.studies import events, schema
from empathic.studies.design import Mode
from empathic.studies.steps import Value
from empathic.studies.store import Store


@dataclass
class Ledger:
    """Everything that was acknowledged, in the order it was."""

    answers: dict[str, dict[str, str]] = field(default_factory=dict)  # participant → field → last acknowledged value
    keys: set[tuple[str, str]] = field(default_factory=set)
    said: set[tuple[str, str]] = field(default_factory=set)  # participant, message; messages are unique
    heard: dict[tuple[str, int, int], str] = field(default_factory=dict)  # participant, chat, turn → the bot's answer
    changed: int = 0  # answers of bots that were another text when they were seen again
    codes: dict[str, str] = field(default_factory=dict)
    acknowledged: int = 0
    requests: int = 0
    faults: int = 0
    server_errors: int = 0  # answers with status 5xx: the server lived and yet could not do it
    kills: int = 0
    over_assigned: int = 0  # seen while the server was dead

    def answered(self, owner: str, given: dict[str, str], key: str | None = None) -> None:
        """The server said that these answers are stored."""
        self.answers.setdefault(owner, {}).update(given)
        self.acknowledged += len(given)
        if key is not None:
            self.keys.add((owner, key))

    def message(self, owner: str, text: str, key: str) -> None:
        """The server said that this message is stored."""
        self.said.add((owner, text))
        self.keys.add((owner, key))
        self.acknowledged += 1

    def hears(self, owner: str, chat: int, turns: dict[int, str]) -> None:
        """These answers of a bot were on the page."""
        for number, text in turns.items():
            self.changed += self.heard.get((owner, chat, number), text) != text
            self.heard[owner, chat, number] = text


class Found(Record, frozen=True):
    """What is wrong in the database; all zero if the contract holds."""

    lost: int
    duplicated: int
    over_assigned: int
    broken_chains: int
    broken_chats: int
    wrong_codes: int


def compare(store: Store, ledger: Ledger, *, mode: Mode = "simulated") -> Found:
    """Count what was acknowledged and is not there, what is there twice, and places given to too many."""
    with store.read() as connection:
        return Found(
            lost=sum(1 for _ in lost(connection, ledger)),
            duplicated=duplicated(connection, ledger),
            over_assigned=ledger.over_assigned + over_assigned(connection, mode),
            broken_chains=sum(_broken(connection, owner) for owner in ledger.answers),
            broken_chats=ledger.changed + unheard(connection, ledger) + disordered(connection),
            wrong_codes=sum(not _has_outcome(connection, owner) for owner in ledger.codes),
        )


def lost(connection: Connection, ledger: Ledger) -> Iterator[tuple[str, str]]:
    """Acknowledged answers whose value, and acknowledged keys and messages which, the database does not hold."""
    for owner, given in ledger.answers.items():
        kept = events.answers(connection, owner)
        yield from ((owner, field) for field, value in given.items() if not same(kept.get(field), value))
    yield from ((owner, key) for owner, key in ledger.keys if not events.known(connection, owner, key))
    for owner, text in ledger.said:
        if _stored(connection, owner, text) == 0:
            yield owner, text


def duplicated(connection: Connection, ledger: Ledger) -> int:
    """People stored twice, messages stored twice, events with the same key."""
    pids = Counter(pid for (pid,) in connection.execute(sa.select(schema.identity.c.pid)))
    column = schema.event.c
    keys = Counter(tuple(row) for row in connection.execute(sa.select(column.participant, column.client_key)))
    messages = sum(max(0, _stored(connection, owner, text) - 1) for owner, text in ledger.said)
    return _surplus(pids) + _surplus(keys) + messages


def unheard(connection: Connection, ledger: Ledger) -> int:
    """Answers of bots that participants have seen and the database does not hold."""
    turn, chat = schema.turn.c, schema.chat.c
    query = sa.select(chat.participant, turn.n, turn.text).join_from(schema.turn, schema.chat, turn.chat == chat.id)
    kept = {(owner, n, (text or "").strip()) for owner, n, text in connection.execute(query)}
    return sum((owner, n, text.strip()) not in kept for (owner, _, n), text in ledger.heard.items())


def disordered(connection: Connection) -> int:
    """Chats in which person and bot do not take turns, one answer to each message."""
    turn, chats = schema.turn.c, dict[int, list[tuple[int, str]]]()
    for chat, n, role in connection.execute(sa.select(turn.chat, turn.n, turn.role).order_by(turn.chat, turn.n)):
        chats.setdefault(chat, []).append((n, role))
    return sum(turns != list(enumerate(("speaker", "listener") * (len(turns) // 2))) for turns in chats.values())


def over_assigned(connection: Connection, mode: Mode) -> int:
    """How many more people hold cells and places than there is room for."""
    lease, cell = schema.lease.c, schema.cell.c
    taken = (lease.mode == mode, lease.state.in_(("live", "finished")))
    per_cell = (
        sa.select(cell.target, sa.func.count())
        .join_from(schema.lease, schema.cell, lease.cell == cell.id)
        .where(*taken)
        .group_by(cell.id, cell.target)
    )
    surplus = sum(max(0, int(held) - int(target)) for target, held in connection.execute(per_cell))
    places = Counter(place for (place,) in connection.execute(sa.select(lease.place).where(*taken)))
    return surplus + _surplus(places)


def same(kept: Value | None, sent: str) -> bool:
    """Whether a stored value is the one that was sent as text."""
    return kept == (float(sent) if isinstance(kept, float) else sent)


def _surplus(counts: Counter[Any]) -> int:
    return sum(count - 1 for count in counts.values())


def _stored(connection: Connection, owner: str, text: str) -> int:
    turn, chat = schema.turn, schema.chat
    query = (
        sa.select(sa.func.count())
        .join_from(turn, chat, turn.c.chat == chat.c.id)
        .where(chat.c.participant == owner, turn.c.role == "speaker", turn.c.text == text)
    )
    return int(connection.scalar(query) or 0)


def _broken(connection: Connection, owner: str) -> int:
    """Whether the chain of events does not hold, or the answers are not what the events say."""
    whole = events.replay(connection, owner) == events.answers(connection, owner)
    return int(bool(events.broken_links(connection, owner)) or not whole)


def _has_outcome(connection: Connection, owner: str) -> bool:
    column = schema.participant.c
    return connection.scalar(sa.select(column.outcome).where(column.id == owner)) is not None
