"""Responses and a plan become a table of scores and a summary per system, chunk by chunk, on any engine.

Responses are dealt into chunks of one system each; a chunk is scored by itself (in any process, on any machine), and
chunks are put together in the order they were dealt: so the bytes written do not depend on the engine.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

from empathic import registry, tables
from empathic.contracts import Column, Missing, Value
from empathic.metrics.batch import Batch
from empathic.metrics.measure import Measure, build, missing_text
from empathic.metrics.pause import collector_paused
from empathic.metrics.ragged import Floats, Ints
from empathic.metrics.values import Values, exact_sums, gather
from empathic.records import Json, Record, Response

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
    table, gathered = _Table(absent, present), {}
    with collector_paused():
        for place, measure in enumerate(measures(plan)):
            if measure.corpus:
                gathered[place] = measure.metric.gather(batch) if present else None
            else:
                table.add(measure, measure.metric.score(batch) if present else {})
    reasons = Counter(reason.reason for reason in absent if reason is not None)
    rows = tables.rows(responses, table.values, table.gaps(), _texts(plan))
    found = decodings(responses)
    return Scored(responses[0].system, rows, table.sums(), gathered, len(responses), dict(reasons), found)


def score_encoded(plan: Plan, encoded: bytes) -> Scored:
    """The same for a chunk that travelled between processes."""
    return score_chunk(plan, msgspec.msgpack.decode(encoded, type=list[Response]))


def decodings(responses: Sequence[Response]) -> tuple[str, ...]:
    """Texts in the metadata that equal every response: says how the responses were decoded."""
    names = [name for name, text in responses[0].metadata.items() if isinstance(text, str)]
    return tuple(name for name in names if all(one.metadata.get(name) == one.text for one in responses))


class _Table:
    """The columns of one chunk while they are filled."""

    def __init__(self, absent: Sequence[Missing | None], present: list[int]) -> None:
        self.size, self.present = len(absent), present
        self.values: dict[str, Floats | Sequence[str | None]] = {}
        self.reasons: dict[str, int] = {}  # in words → 1, 2, …
        self.why: dict[str, Ints] = {}  # per column and response 0, or the reason why there is nothing
        self.absent = np.array([self._reason(one) if one else 0 for one in absent], dtype=np.int64)

    def add(self, measure: Measure, scored: Mapping[str, Sequence[Value | str]]) -> None:
        """Put the values of one metric into the table."""
        nothing = Missing(reason=f"{measure.asked} gives no value")
        for column in measure.columns:
            name, found = measure.name(column), scored.get(column.name, ())
            if column.text:
                self._add_texts(name, found, nothing)
            else:
                values = found if isinstance(found, Values) else gather(found, nothing)  # type: ignore[arg-type]
                self._add_numbers(name, values)

    def gaps(self) -> tables.Gaps:
        """What is missing and why."""
        why = np.array(list(self.why.values()), dtype=np.int64).reshape(len(self.why), self.size)
        return tables.Gaps(list(self.why), why, list(self.reasons))

    def sums(self) -> dict[str, Sum]:
        """What each column of numbers adds to its mean."""
        numbers = {name: found for name, found in self.values.items() if isinstance(found, np.ndarray)}
        why = np.array([self.why[name] for name in numbers], dtype=np.int64).reshape(len(numbers), self.size)
        totals = exact_sums(np.where(why > 0, 0.0, np.array(list(numbers.values())).reshape(why.shape)))
        return {name: self._sum(total, row) for name, total, row in zip(numbers, totals, why, strict=True)}

    def _sum(self, total: float, why: Ints) -> Sum:
        counts = np.bincount(why, minlength=len(self.reasons) + 1).tolist()
        reasons = {reason: count for reason, count in zip(self.reasons, counts[1:], strict=True) if count}
        return Sum(self.size, self.size - counts[0], total, reasons)

    def _reason(self, missing: Missing) -> int:
        return self.reasons.setdefault(missing.reason, len(self.reasons) + 1)

    def _add_texts(self, name: str, found: Sequence[Any], nothing: Missing) -> None:
        if len(found) == self.size and set(map(type, found)) == {str}:
            self.values[name], self.why[name] = found, self.absent
            return
        why, texts = self.absent.copy(), np.full(self.size, None, dtype=object)
        why[self.present] = [0 if isinstance(value, str) else self._reason(value or nothing) for value in found]
        texts[self.present] = [value if isinstance(value, str) else None for value in found]
        self.values[name], self.why[name] = texts.tolist(), why

    def _add_numbers(self, name: str, found: Values) -> None:
        numbers, why = found.numbers, self.absent
        if len(found) < self.size:
            numbers = np.zeros(self.size)
            numbers[self.present] = found.numbers
        if found.why is not None:
            why = why.copy()
            why[self.present] = np.array([0, *map(self._reason, found.reasons)])[found.why]
        self.values[name], self.why[name] = numbers, why


def _texts(plan: Plan) -> list[str]:
    found = [(measure, column) for measure in measures(plan) for column in measure.columns]
    return [measure.name(column) for measure, column in found if column.text]


def number_columns(measure: Measure) -> list[Column]:
    """The columns of a measure that are numbers."""
    return [column for column in measure.columns if not column.text]
