"""The records everything flows through: frozen, strict, without logic. Read this file first.

    Dialogue ─generate─► Response ─┬─score──► Score ─────────────────────┐
                                   ├─judge──► Rating (rater = judge:…) ──┼─analyze─► Estimate ─report─► report.html
    Instrument ────────────────────┴─study──► Rating (rater = human:…) ──┘

A value that could not be had is `None` with its reason in `missing`: never 0, -1, "" or NaN.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

Role = Literal["speaker", "listener"]
Polarity = Literal["positive", "negative"]
Json = dict[str, Any]


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True, gc=False):
    """Base of all records: immutable, keyword-only, an unknown field is an error.

    Records hold no cycles, so the collector need not look at them (gc=False): a million of them cost it nothing.
    """


class Turn(Record, frozen=True):
    """One utterance: of the `speaker` (the person) or the `listener` (the system measured)."""

    role: Role
    text: str


class Dialogue(Record, frozen=True):
    """A conversation to be answered or judged."""

    id: str
    turns: tuple[Turn, ...]
    emotion: str | None = None
    polarity: Polarity | None = None
    situation: str | None = None
    reference: str | None = None  # what a person answered to the last speaker turn, if it is not among the turns
    metadata: Json = {}


class Generation(Record, frozen=True):
    """How one response came about: what it cost and why it ended."""

    latency: float | None = None  # seconds
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    finish_reason: str | None = None
    cost: float | None = None  # US dollars, if the price is known
    attempts: int = 1
    model: str | None = None  # as the server named it


class Response(Record, frozen=True):
    """What one system said at one place of one dialogue, with the context it saw."""

    id: str
    system: str
    dialogue: str
    turns: tuple[Turn, ...]  # the context, ending with the speaker's turn that is answered
    text: str | None
    missing: str | None = None  # why there is no text
    position: int = 0  # which listener turn of the dialogue this is, from 0
    repeat: int = 0
    reference: str | None = None  # what a person answered here
    emotion: str | None = None
    polarity: Polarity | None = None
    situation: str | None = None
    procedure: str | None = None  # name and hash of the procedure that obtained it
    generation: Generation | None = None
    metadata: Json = {}


class Point(Record, frozen=True):
    """One point of a rating scale."""

    value: float
    label: str = ""


class Item(Record, frozen=True):
    """One question of an instrument, answered on its points (or on the instrument's)."""

    id: str
    text: str
    title: str = ""
    reversed: bool = False
    components: tuple[str, ...] = ()
    points: tuple[Point, ...] | None = None
    nominal: bool = False  # the points are names, not amounts: no mean, no component
    twin: str | None = None  # the item that asks the same the other way round
    help: str = ""


class Component(Record, frozen=True):
    """A (sub)scale score: how the items named by their `components` are combined."""

    id: str
    title: str
    rule: Literal["mean", "sum"] = "mean"
    items: tuple[str, ...] = ()  # empty: the items that name this component


class Instrument(Record, frozen=True):
    """A questionnaire as data: its items, its points and how they become scores."""

    id: str
    version: int
    title: str
    citation: str
    licence: str
    language: str
    perspective: Literal["first", "second", "third"]
    target: Literal["response", "transcript", "turn", "rater"]
    instruction: str
    points: tuple[Point, ...]
    items: tuple[Item, ...]
    components: tuple[Component, ...] = ()
    missing_items: float = 0.0  # largest share of a component's items that may be missing before the score is
    evidence: str = ""
    limits: str = ""


class Rater(Record, frozen=True):
    """Who rates: `human:…` or `judge:provider/model#repeat`, with traits such as age, gender, TEQ."""

    id: str
    traits: Json = {}


class Rating(Record, frozen=True):
    """One answer of one rater to one item about one thing, as answered (reversal happens in scoring)."""

    rater: str
    instrument: str
    item: str
    target: str  # id of the response, dialogue or rater that is rated
    value: float | None
    missing: str | None = None
    system: str | None = None
    dialogue: str | None = None
    condition: str | None = None
    order: int | None = None  # place in the sequence this rater saw, from 0
    time: str | None = None  # ISO 8601, UTC
    seconds: float | None = None
    reason: str | None = None
    raw: str | None = None  # the answer as it came, when it could not be read
    metadata: Json = {}


class Score(Record, frozen=True):
    """One computed number about one response, or about all responses of a system (`response` is None)."""

    metric: str
    system: str
    value: float | None
    response: str | None = None
    missing: str | None = None
    signature: str | None = None
    evidence: str | None = None


class Estimate(Record, frozen=True):
    """One analysed quantity with its interval, its method and the string that reproduces it."""

    name: str
    value: float | None
    method: str
    low: float | None = None
    high: float | None = None
    level: float = 0.95
    n: int | None = None
    statistic: float | None = None
    df: tuple[float, ...] = ()
    p: float | None = None
    p_adjusted: float | None = None
    family: str | None = None
    missing: str | None = None
    signature: str | None = None
    labels: Json = {}  # system, baseline, metric, emotion …: what the number is about
    details: Json = {}
