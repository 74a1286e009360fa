"""Chats of an iEval study become a list and readable transcripts: who, which bot by which colour, when in the order."""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from empathic.records import Generation, Polarity
from empathic.studies import schema
from empathic.studies.design import Mode
from empathic.studies.desk.people import Page, cut
from empathic.studies.export import blank, platform_id
from empathic.studies.participants import Person, load

chat, turn, person = schema.chat, schema.turn, schema.participant
_GENERATION = msgspec.json.Decoder(Generation)  # made before there are threads, see studies/plan.py


class Talk(NamedTuple):
    """One chat as it is listed."""

    id: int
    participant: str
    bot: str
    colour: str | None
    place: int | None  # which of the participant's chats, from 1
    scenario: str
    emotion: str | None
    polarity: Polarity | None
    situation: str | None
    created: float


class Said(NamedTuple):
    """One turn as it is read."""

    role: str
    text: str
    status: str
    missing: str | None
    attempts: int
    latency: float | None
    model: str | None


def talks(
    connection: Connection, mode: Mode, *, bot: str = "", name: str = "", failed: bool = False, page: int = 1
) -> Page:
    """The chats, the newest first; of one bot, of one person, or only those with an answer that failed."""
    chosen = [person.c.mode == mode]
    chosen += [chat.c.bot == bot] if bot else []
    chosen += [chat.c.participant == name] if name else []
    wrong = sa.func.count().filter(turn.c.status == "failed")
    query = (
        sa.select(chat, sa.func.count(turn.c.id).label("turns"), wrong.label("failed"))
        .join(person, person.c.id == chat.c.participant)
        .outerjoin(turn, turn.c.chat == chat.c.id)
        .where(*chosen)
        .group_by(*chat.c)
    )
    query = query.having(wrong > 0) if failed else query
    total = int(connection.scalar(sa.select(sa.func.count()).select_from(query.subquery())) or 0)
    return cut(connection, query.order_by(chat.c.created.desc(), chat.c.id.desc()), total, page)


def talk(connection: Connection, row: RowMapping) -> Talk:
    """A chat with what the participant's seat says of it."""
    who = load(connection, row["participant"])
    scene = who.plan.things[row["scenario"]]
    return Talk(
        id=row["id"],
        participant=row["participant"],
        bot=row["bot"],
        colour=who.seat.colours.get(row["bot"]) if who.seat else None,
        place=_place(who, row),
        scenario=scene.id,
        emotion=scene.emotion,
        polarity=scene.polarity,
        situation=scene.situation,
        created=row["created"],
    )


def find(connection: Connection, number: int, mode: Mode) -> Talk | None:
    """The chat of this number, if it is one of those the desk shows."""
    query = sa.select(chat).join(person, person.c.id == chat.c.participant)
    row = connection.execute(query.where(chat.c.id == number, person.c.mode == mode)).mappings().first()
    return None if row is None else talk(connection, row)


def turns(connection: Connection, found: Talk) -> list[Said]:
    """What was said, failed answers included; where somebody wrote their own id it is blanked."""
    pid = platform_id(connection, found.participant)
    rows = connection.execute(sa.select(turn).where(turn.c.chat == found.id).order_by(turn.c.n)).mappings()
    return [_said(row, pid) for row in rows]


def _said(row: RowMapping, pid: str | None) -> Said:
    made = _GENERATION.decode(row["generation"]) if row["generation"] else Generation()
    text = str(blank(row["text"], pid) or "")
    return Said(row["role"], text, row["status"], row["missing"], row["attempts"], made.latency, made.model)


def _place(who: Person, row: RowMapping) -> int | None:
    steps = (
        step for step in who.way if step.kind == "chat" and (step.thing, step.bot) == (row["scenario"], row["bot"])
    )
    return next((step.place + 1 for step in steps), None)
