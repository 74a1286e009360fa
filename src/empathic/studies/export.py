"""Events and answers become pseudonymous Rater, Rating, Dialogue and Response records, and a list of who is left out.

No record carries a platform id: raters are called by the random name they got when they entered, and where somebody
wrote their own id into a text it is blanked.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from empathic.records import Dialogue, Generation, Rater, Rating, Record, Response, Turn
from empathic.studies import schema
from empathic.studies.completion import failed_checks
from empathic.studies.design import Mode
from empathic.studies.participants import Person, load
from empathic.studies.steps import Field, Step, Value
from empathic.studies.store import Store

BLANKED = "[id removed]"
_GENERATION = msgspec.json.Decoder(Generation)  # made before there are threads, see plan.py


class Exclusion(Record, frozen=True):
    """Somebody who is not in the ratings, and the rule that says so."""

    rater: str
    rule: str


class Export(NamedTuple):
    """All records of a study."""

    raters: list[Rater]
    ratings: list[Rating]
    dialogues: list[Dialogue]
    responses: list[Response]
    exclusions: list[Exclusion]


class _Timed(NamedTuple):
    """When a field was last answered, and how long after the event before."""

    time: float
    seconds: float | None


def export(store: Store, *, mode: Mode = "live", everyone: bool = False) -> Export:
    """The records of all who finished with the outcome `complete`; `everyone`: of all who have a place."""
    found = Export([], [], [], [], [])
    with store.read() as connection:
        for one in each(connection, mode=mode, everyone=everyone):
            found.raters.extend(one.raters)
            found.ratings.extend(one.ratings)
            found.dialogues.extend(one.dialogues)
            found.responses.extend(one.responses)
            found.exclusions.extend(one.exclusions)
    return found


def each(connection: Connection, *, mode: Mode = "live", everyone: bool = False) -> Iterator[Export]:
    """The same, person by person, so that no more than one is in memory."""
    for name in _names(connection, mode):
        person, found = load(connection, name), Export([], [], [], [], [])
        rule = exclusion(person)
        if rule is not None:
            found.exclusions.append(Exclusion(rater=rater_id(person), rule=rule))
        if person.seat is not None and (rule is None or everyone):
            _one(connection, person, found)
        yield found


def of(connection: Connection, person: Person) -> Export:
    """The records of one person, however far they came."""
    found = Export([], [], [], [], [])
    _one(connection, person, found)
    return found


def exclusion(person: Person) -> str | None:
    """Why somebody's ratings are not analysed; None if they are."""
    row = person.row
    if row["state"] != "finished":
        return f"{row['state']}: {row['reason'] or 'did not finish'}"
    if row["platform_state"] == "REJECTED":
        return "rejected: the platform rejected the submission, the place was given to somebody else"
    return None if row["outcome"] == "complete" else f"{row['outcome']}: {row['reason']}"


def rater_id(person: Person) -> str:
    """The pseudonym in every record."""
    return f"human:{person.row['id']}"


def _names(connection: Connection, mode: Mode) -> list[str]:
    table = schema.participant.c
    query = sa.select(table.id).where(table.mode == mode).order_by(table.created, table.id)
    return [name for (name,) in connection.execute(query)]


def _one(connection: Connection, person: Person, found: Export) -> None:
    timed = _times(connection, person)
    pid = platform_id(connection, person.row["id"])
    found.raters.append(_rater(person, pid))
    for step in person.way:
        found.ratings.extend(_ratings(person, step, timed))
    for dialogue, rows in _transcripts(connection, person, pid):
        found.dialogues.append(dialogue)
        found.responses.extend(_responses(dialogue, rows))


def platform_id(connection: Connection, name: str) -> str | None:
    """The id that is blanked wherever its owner wrote it."""
    return connection.scalar(sa.select(schema.identity.c.pid).where(schema.identity.c.participant == name))


def _rater(person: Person, pid: str | None) -> Rater:
    row, seat, study = person.row, person.seat, person.plan.study
    about = {
        key.removeprefix("about."): blank(value, pid)
        for key, value in sorted(person.answers.items())
        if key.startswith("about.")
    }
    kept = {
        "condition": seat.condition if seat else None,
        "batch": seat.batch if seat else None,
        "state": row["state"],
        "outcome": row["outcome"],
        "late": bool(row["late"]),
        "platform_state": row["platform_state"],
        "version": row["version"],
        "consent": row["consent_version"],
        "consent_hash": row["consent_hash"],
        "started": _iso(row["created"]),
        "finished": _iso(row["finished"]),
        "minutes": None if row["finished"] is None else (row["finished"] - row["created"]) / 60,
        "checks_failed": failed_checks(person) if study.checks else None,
        "comment": blank(person.answers.get("comment"), pid) or None,
        "bots": list(seat.bots) if seat and seat.bots else None,
        "colours": seat.colours if seat and seat.colours else None,
    }
    return Rater(id=rater_id(person), traits={**about, **{key: v for key, v in kept.items() if v is not None}})


def _ratings(person: Person, step: Step, timed: Mapping[str, _Timed]) -> Iterator[Rating]:
    if step.instrument is None:
        return
    for slot, field in enumerate(step.fields):
        if not field.key.startswith("check."):
            yield _rating(person, step, slot, field, timed.get(field.key))


def _rating(person: Person, step: Step, slot: int, field: Field, timed: _Timed | None) -> Rating:
    about = _about(person, step, slot)
    value = person.answers.get(field.key)
    return Rating(
        rater=rater_id(person),
        instrument=str(step.instrument),
        item=about.item or field.key.split(".", 2)[-1],
        target=about.target,
        value=float(value) if value is not None else None,
        missing=None if value is not None else f"not answered: {exclusion(person)}",
        system=about.system,
        dialogue=about.dialogue,
        condition=about.condition,
        order=about.order,
        time=None if timed is None else _iso(timed.time),
        seconds=None if timed is None else timed.seconds,
        metadata=about.metadata,
    )


class _About(NamedTuple):
    """What a rating is about."""

    target: str
    system: str | None = None
    dialogue: str | None = None
    condition: str | None = None
    order: int | None = None
    item: str | None = None
    metadata: dict[str, Value] = {}


def _about(person: Person, step: Step, slot: int) -> _About:
    if step.thing is None or person.seat is None:
        return _About(rater_id(person))
    thing, seat = person.plan.things[step.thing], person.seat
    if step.kind == "rate":
        condition = seat.condition if thing.system == seat.condition else thing.polarity
        return _About(thing.id, thing.system, thing.dialogue, condition, step.place)
    bots = seat.bots if step.kind == "likert" or step.place == 0 else seat.bots[::-1]
    bot = step.bot if step.kind == "likert" else bots[slot]
    order = step.place if step.kind == "likert" else step.place * len(bots) + slot
    item = None if step.kind == "likert" else _only_item(person, step)
    name = chat_name(thing.id, str(bot), person)
    metadata: dict[str, Value] = {"scenario": thing.id, "colour": seat.colours[str(bot)]}
    return _About(name, bot, name, thing.polarity, order, item, metadata)


def _only_item(person: Person, step: Step) -> str:
    """A ranking asks the one item of its instrument about every bot."""
    return next(each for each in person.plan.instruments if each.id == step.instrument).items[0].id


def chat_name(scenario: str, bot: str, person: Person) -> str:
    """The id of a chat's transcript."""
    return f"{scenario}#{bot}#{person.row['id']}"


def _times(connection: Connection, person: Person) -> dict[str, _Timed]:
    """Per field the time of its last change, and the seconds since the event before (the time on the page)."""
    table = schema.event.c
    rows = connection.execute(
        sa.select(table.type, table.payload, table.time)
        .where(table.participant == person.row["id"])
        .order_by(table.seq)
    )
    found: dict[str, _Timed] = {}
    before: float | None = None
    for kind, payload, time in rows:
        if kind == "answers":
            seconds = None if before is None else time - before
            found |= {field: _Timed(time, seconds) for field in msgspec.json.decode(payload)}
        before = time
    return found


def _transcripts(
    connection: Connection, person: Person, pid: str | None
) -> Iterator[tuple[Dialogue, list[RowMapping]]]:
    table = schema.chat
    query = sa.select(table).where(table.c.participant == person.row["id"]).order_by(table.c.id)
    for talk in connection.execute(query).mappings().all():
        turns = sa.select(schema.turn).where(schema.turn.c.chat == talk["id"]).order_by(schema.turn.c.n)
        rows = [*connection.execute(turns).mappings()]
        yield _transcript(person, talk, rows, pid), rows


def _transcript(person: Person, talk: RowMapping, rows: list[RowMapping], pid: str | None) -> Dialogue:
    scenario = person.plan.things[talk["scenario"]]
    colours = person.seat.colours if person.seat else {}
    failed = [row["n"] for row in rows if row["status"] == "failed"]
    tries = {str(row["n"]): row["attempts"] for row in rows if row["attempts"] > 1}
    metadata = {"scenario": scenario.id, "system": talk["bot"], "colour": colours.get(talk["bot"])}
    metadata |= {"rater": rater_id(person), **({"failed": failed} if failed else {})}
    return Dialogue(
        id=chat_name(scenario.id, talk["bot"], person),
        turns=tuple(Turn(role=row["role"], text=str(blank(row["text"], pid))) for row in rows if row["text"]),
        emotion=scenario.emotion,
        polarity=scenario.polarity,
        situation=scenario.situation,
        metadata={**metadata, **({"attempts": tries} if tries else {})},
    )


def _responses(dialogue: Dialogue, rows: list[RowMapping]) -> Iterator[Response]:
    context: list[Turn] = []
    shown = iter(dialogue.turns)
    for row in rows:
        said = next(shown) if row["text"] else None
        if row["role"] == "listener":
            yield _response(dialogue, row, said, tuple(context))
        if said is not None:
            context.append(said)


def _response(dialogue: Dialogue, row: RowMapping, said: Turn | None, context: tuple[Turn, ...]) -> Response:
    kept = row["generation"]
    return Response(
        id=f"{dialogue.id}#{row['n'] // 2}",
        system=dialogue.metadata["system"],
        dialogue=dialogue.id,
        turns=context,
        text=said.text if said else None,
        missing=None if said else row["missing"] or "the participant left before the answer came",
        position=row["n"] // 2,
        emotion=dialogue.emotion,
        polarity=dialogue.polarity,
        situation=dialogue.situation,
        generation=_GENERATION.decode(kept) if kept else None,
        metadata={"attempts": row["attempts"], **dialogue.metadata},
    )


def blank(value: Value | None, pid: str | None) -> Value | None:
    """A text without the platform id of its author."""
    return value.replace(pid, BLANKED) if isinstance(value, str) and pid and len(pid) > 3 else value


def _iso(time: float | None) -> str | None:
    if time is None:
        return None
    return datetime.datetime.fromtimestamp(time, datetime.UTC).isoformat(timespec="milliseconds")
