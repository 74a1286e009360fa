"""Responses and a plan become a table of scores and a summary per system, chunk by chunk, on any engine.

Responses are dealt into chunks of one system each; a chunk is scored by itself (in any process, on any machine), and
chunks are put together in the order they were dealt: so the bytes written do not depend on the engine.
"""

from __future__ import annotations

import importlib
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from empathic import registry, tables
from empathic.contracts import Column, Missing, Value
from empathic.metrics.batch import Batch
from empathic.metrics.measure import Measure, build, missing_text
from empathic.metrics.pause import collector_paused
from empathic.records import Json, Record, Response

PRESENT = {float, int, str}  # types of values that are there; a column of nothing else needs no second look
CHUNK = 2048  # responses: fixed, because sums and row groups are formed per chunk


class Choice(Record, frozen=True):
    """One metric as asked for, with its settings."""

    asked: str
    settings: Json = {}


class Plan(Record, frozen=True):
    """Everything another process must know to score a chunk."""

    choices: tuple[Choice, ...]
    tokens: str = "ptb"
    imports: tuple[str, ...] = ("empathic.metrics",)  # modules that register things
    load: tuple[str, ...] = ()  # files of the user's that register things


class Sum(NamedTuple):
    """What one chunk adds to the mean of one column."""

    n: int
    missing: int
    total: float
    reasons: dict[str, int]


class Scored(NamedTuple):
    """A chunk's scores: the rows, the sums by column, and what corpus metrics gathered (by place in the plan)."""

    system: str
    rows: Any
    sums: dict[str, Sum]
    gathered: dict[int, Any]
    n: int
    reasons: dict[str, int]
    decodings: tuple[str, ...] = ()  # decodings kept in the metadata that are what was scored


def measures(plan: Plan) -> list[Measure]:
    """The measures of a plan, built once per process."""
    return _measures(msgspec.json.encode(plan))


@lru_cache(maxsize=8)
def _measures(encoded: bytes) -> list[Measure]:
    plan = msgspec.json.decode(encoded, type=Plan)
    for module in plan.imports:
        importlib.import_module(module)
    for path in plan.load:
        registry.load_file(Path(path))
    return [build(choice.asked, choice.settings) for choice in plan.choices]


def schema(plan: Plan) -> Any:
    """The schema of the table the plan's rows make."""
    found = [(measure, column) for measure in measures(plan) if not measure.corpus for column in measure.columns]
    signatures = {measure.name(column): measure.signature(plan.tokens) for measure, column in found}
    return tables.schema(list(signatures), _texts(plan), signatures)


def deal(responses: Iterable[Response], size: int = CHUNK) -> Iterator[list[Response]]:
    """Chunks of one system each; what is held back is at most one chunk per system."""
    open_: dict[str, list[Response]] = {}
    for response in responses:
        chunk = open_.setdefault(response.system, [])
        chunk.append(response)
        if len(chunk) == size:
            yield open_.pop(response.system)
    yield from open_.values()


def score_chunk(plan: Plan, responses: Sequence[Response]) -> Scored:
    """Score one chunk: responses without a text are missing in every column, the others go to the metrics."""
    absent = [missing_text(response) for response in responses]
    present = [index for index, reason in enumerate(absent) if reason is None]
    batch = Batch([responses[index] for index in present] if len(present) < len(responses) else responses, plan.tokens)
    table, gathered = _Table(responses, absent, present), {}
    with collector_paused():
        for place, measure in enumerate(measures(plan)):
            if measure.corpus:
                gathered[place] = measure.metric.gather(batch) if present else None
            else:
                table.add(measure, measure.metric.score(batch) if present else {})
    reasons = Counter(reason.reason for reason in absent if reason is not None)
    rows = tables.rows(responses, table.values, table.reasons, _texts(plan))
    found = decodings(responses)
    return Scored(responses[0].system, rows, table.sums, gathered, len(responses), dict(reasons), found)


def score_encoded(plan: Plan, encoded: bytes) -> Scored:
    """The same for a chunk that travelled between processes."""
    return score_chunk(plan, msgspec.msgpack.decode(encoded, type=list[Response]))


def decodings(responses: Sequence[Response]) -> tuple[str, ...]:
    """Texts in the metadata that equal every response: says how the responses were decoded."""
    names = [name for name, text in responses[0].metadata.items() if isinstance(text, str)]
    return tuple(name for name in names if all(one.metadata.get(name) == one.text for one in responses))


class _Table:
    """The columns of one chunk while they are filled."""

    def __init__(self, responses: Sequence[Response], absent: Sequence[Missing | None], present: list[int]) -> None:
        self.responses, self.absent, self.present = responses, absent, present
        self.values: dict[str, Sequence[float | str | None]] = {}
        self.sums: dict[str, Sum] = {}
        self.reasons: list[dict[str, str]] = [{} for _ in responses]

    def add(self, measure: Measure, scored: Mapping[str, Sequence[Value | str]]) -> None:
        """Put the values of one metric into the table."""
        for column in measure.columns:
            name = measure.name(column)
            found = self._spread(scored.get(column.name, ()))
            complete = set(map(type, found)) <= PRESENT
            if not complete:
                found = self._with_reasons(name, found, measure.asked)
            self.values[name] = found  # type: ignore[assignment]
            if not column.text:
                self.sums[name] = self._sum(name, self.values[name], complete)

    def _spread(self, found: Sequence[Value | str]) -> Sequence[Value | str]:
        if len(self.present) == len(self.responses):
            return found
        spread: list[Value | str] = list(self.absent)
        for index, value in zip(self.present, found, strict=True):
            spread[index] = value
        return spread

    def _with_reasons(self, name: str, found: Sequence[Value | str], asked: str) -> list[Value | str]:
        kept = list(found)
        for index in [index for index, value in enumerate(found) if value is None or value.__class__ is Missing]:
            value = kept[index]
            self.reasons[index][name] = value.reason if isinstance(value, Missing) else f"{asked} gives no value"
            kept[index] = None
        return kept

    def _sum(self, name: str, found: Sequence[float | str | None], complete: bool) -> Sum:
        if complete:
            return Sum(len(found), 0, math.fsum(found), {})  # type: ignore[arg-type]
        numbers = [value for value in found if value is not None]
        reasons = Counter(reasons[name] for reasons in self.reasons if name in reasons)
        return Sum(len(found), len(found) - len(numbers), math.fsum(numbers), dict(reasons))  # type: ignore[arg-type]


def _texts(plan: Plan) -> list[str]:
    found = [(measure, column) for measure in measures(plan) for column in measure.columns]
    return [measure.name(column) for measure, column in found if column.text]


def number_columns(measure: Measure) -> list[Column]:
    """The columns of a measure that are numbers."""
    return [column for column in measure.columns if not column.text]
