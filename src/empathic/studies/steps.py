"""A Plan and a participant's Seat become the steps they take, each with the fields it asks for.

Field names say the place in the participant's own sequence, never a system or a condition: the page a participant
sees cannot unblind them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from typing import Literal

import msgspec

from empathic.records import Instrument, Item, Point, Record
from empathic.studies.design import Between, Check, Ieval, Observer, Plan, Question, Seat
from empathic.studies.plan import instrument

LONGEST_TEXT = 5000
Value = str | float | bool
StepKind = Literal["questions", "tutorial", "instrument", "rate", "chat", "likert", "rank", "comment", "finish"]


class Refused(Exception):
    """An answer that its field cannot hold."""


class Field(Record, frozen=True):
    """One thing to be answered."""

    key: str
    kind: Literal["point", "choice", "number", "text", "read", "chat"]
    label: str = ""
    title: str = ""
    required: bool = True
    points: tuple[Point, ...] = ()
    options: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    help: str = ""


class Step(Record, frozen=True):
    """One page of a participant's way through the study."""

    id: str
    kind: StepKind
    title: str
    fields: tuple[Field, ...] = ()
    thing: str | None = None
    instrument: str | None = None
    place: int = 0  # which of its kind, from 0
    bot: str | None = None


def steps(plan: Plan, seat: Seat | None) -> tuple[Step, ...]:
    """The whole way, in order; before the seat is assigned only what comes before it."""
    return _steps(_Key(plan, seat))


class _Key:
    """Compares by the identity of the plan, which is decoded once, and the value of the seat."""

    def __init__(self, plan: Plan, seat: Seat | None) -> None:
        self.plan, self.seat = plan, seat
        self._key = (id(plan), None if seat is None else msgspec.json.encode(seat))

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and self._key == other._key and self.plan is other.plan


@functools.lru_cache(maxsize=2048)
def _steps(key: _Key) -> tuple[Step, ...]:
    return tuple(_walk(key.plan, key.seat))


def _walk(plan: Plan, seat: Seat | None) -> Iterator[Step]:
    study = plan.study
    if study.questions:
        fields = tuple(_question(each) for each in study.questions)
        yield Step(id="about", kind="questions", title="About you", fields=fields)
    if seat is None:
        return
    if study.tutorial:
        yield Step(id="tutorial", kind="tutorial", title="Before you start", fields=(_read("tutorial"),))
    for name in study.about_rater:
        yield _sheet(instrument(plan, name), name)
    yield from _chats(plan, study, seat) if isinstance(study, Ieval) else _ratings(plan, study, seat)
    if study.comment:
        text = Field(key="comment", kind="text", label=study.comment, required=False)
        yield Step(id="comment", kind="comment", title="Your comment", fields=(text, _read("comment")))
    yield Step(id="finish", kind="finish", title="Finish")


def _sheet(asked: Instrument, name: str) -> Step:
    fields = _items(asked, f"self.{name}")
    return Step(id=name, kind="instrument", title=asked.title, fields=fields, instrument=name)


def _ratings(plan: Plan, study: Between | Observer, seat: Seat) -> Iterator[Step]:
    asked, kind = instrument(plan, study.instrument), "response" if isinstance(study, Between) else "conversation"
    for place, thing in enumerate(seat.things):
        title = f"{kind.capitalize()} {place + 1} of {len(seat.things)}"
        fields = (*_items(asked, f"rate.{place}"), *_checks(study.checks, asked, place))
        key = f"rate-{place + 1}"
        yield Step(id=key, kind="rate", title=title, fields=fields, thing=thing, instrument=asked.id, place=place)


def _chats(plan: Plan, study: Ieval, seat: Seat) -> Iterator[Step]:
    likert, ranking = instrument(plan, study.likert), instrument(plan, study.ranking)
    for part, scenario in enumerate(seat.things):
        for turn, bot in enumerate(bots_of(seat, part)):
            place = part * len(seat.bots) + turn
            yield _chat(seat, scenario, place, bot)
            yield _likert(study, likert, seat, scenario, place, bot)
        yield _rank(ranking, seat, part, scenario)


def _chat(seat: Seat, scenario: str, place: int, bot: str) -> Step:
    name = f"the {seat.colours[bot]} chatbot"
    field = Field(key=f"chat.{place}", kind="chat", label=f"the chat with {name}")
    key = f"chat-{place + 1}"
    return Step(id=key, kind="chat", title=f"Talk to {name}", fields=(field,), thing=scenario, place=place, bot=bot)


def _likert(study: Ieval, likert: Instrument, seat: Seat, scenario: str, place: int, bot: str) -> Step:
    return Step(
        id=f"likert-{place + 1}",
        kind="likert",
        title=f"Your view of the {seat.colours[bot]} chatbot",
        fields=(*_items(likert, f"likert.{place}"), *_checks(study.checks, likert, place)),
        instrument=likert.id,
        thing=scenario,
        place=place,
        bot=bot,
    )


def _rank(ranking: Instrument, seat: Seat, part: int, scenario: str) -> Step:
    fields = tuple(
        Field(key=f"rank.{part}.{slot}", kind="point", label=f"{seat.colours[bot]} chatbot", points=ranking.points)
        for slot, bot in enumerate(bots_of(seat, part))
    )
    title = "Compare the chatbots"
    key = f"rank-{part + 1}"
    return Step(id=key, kind="rank", title=title, fields=fields, thing=scenario, instrument=ranking.id, place=part)


def bots_of(seat: Seat, part: int) -> tuple[str, ...]:
    """The order of the bots in the first (0) or second (1) scenario: the second is the first reversed.

    Each bot then has each place equally often over the fully counterbalanced orders in both scenarios, and within
    one participant nobody is always first.
    """
    return seat.bots if part == 0 else seat.bots[::-1]


def _question(question: Question) -> Field:
    return Field(
        key=f"about.{question.id}",
        kind=question.kind,
        label=question.text,
        required=question.required,
        options=question.options,
        low=question.low,
        high=question.high,
    )


def _items(asked: Instrument, trail: str) -> tuple[Field, ...]:
    return tuple(_item(asked, each, trail) for each in asked.items)


def _item(asked: Instrument, item: Item, trail: str) -> Field:
    points = item.points if item.points is not None else asked.points
    key = f"{trail}.{item.id}"
    return Field(key=key, kind="point", label=item.text, title=item.title, points=points, help=item.help)


def _checks(checks: tuple[Check, ...], asked: Instrument, place: int) -> Iterator[Field]:
    for check in checks:
        if check.page == place:
            yield Field(key=f"check.{check.id}", kind="point", label=check.text, points=asked.points)


def _read(name: str) -> Field:
    return Field(key=f"read.{name}", kind="read", label=f"the page '{name}'")


def missing(step: Step, answers: Mapping[str, Value]) -> list[Field]:
    """The required fields of a step that are not answered."""
    return [field for field in step.fields if field.required and field.key not in answers]


def current(way: tuple[Step, ...], answers: Mapping[str, Value]) -> Step:
    """Where a participant is: the first step with something missing, or the last."""
    return next((step for step in way if missing(step, answers)), way[-1])


def accept(field: Field, raw: object) -> Value:
    """A raw answer as the value its field holds, or Refused."""
    if field.kind == "point":
        value = _number(field, raw)
        if value not in {point.value for point in field.points}:
            raise Refused(f"{field.key}: {value:g} is none of the points")
        return value
    if field.kind == "number":
        return _within(field, _number(field, raw))
    if field.kind == "read":
        return True
    if field.kind == "chat":
        raise Refused(f"{field.key}: a chat is finished in the chat")
    return _text(field, raw)


def _text(field: Field, raw: object) -> str:
    if not isinstance(raw, str):
        raise Refused(f"{field.key}: a text is needed")
    if field.kind == "choice" and raw not in field.options:
        raise Refused(f"{field.key}: that is none of the options")
    if len(raw) > LONGEST_TEXT:
        raise Refused(f"{field.key}: at most {LONGEST_TEXT} characters can be kept, these are {len(raw)}")
    return clean(raw)


def clean(text: str) -> str:
    """Without what a database cannot store: NUL (PostgreSQL) and halves of surrogate pairs (no UTF-8)."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def _number(field: Field, raw: object) -> float:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise Refused(f"{field.key}: a number is needed")
    try:
        value = float(raw)
    except (ValueError, OverflowError):
        raise Refused(f"{field.key}: '{str(raw)[:20]}' is no number") from None
    if value != value or value in (float("inf"), float("-inf")):
        raise Refused(f"{field.key}: a finite number is needed")
    return value


def _within(field: Field, value: float) -> float:
    if (field.low is not None and value < field.low) or (field.high is not None and value > field.high):
        raise Refused(f"{field.key}: {value:g} is not between {field.low} and {field.high}")
    return value
