"""Scored chunks become the summary: system → number → value, n, missing, signature."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

from empathic.contracts import Missing, Value
from empathic.metrics.measure import Measure
from empathic.metrics.scoring import Plan, Scored, Sum, measures, number_columns
from empathic.records import Record


class Cell(Record, frozen=True):
    """One number of one system: the mean over its responses, or a number of all of them together."""

    value: float | None
    n: int
    missing: int
    signature: str
    reasons: dict[str, int] = {}


class Summary(Record, frozen=True, omit_defaults=False):
    """Every number of every system, and what to keep in mind when reading them."""

    systems: dict[str, dict[str, Cell]]
    cautions: dict[str, str] = {}
    flags: tuple[str, ...] = ()


class Tally:
    """Takes scored chunks in order, gives the summary."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.chunks: dict[str, list[Scored]] = {}

    def add(self, scored: Scored) -> None:
        """Keep what the summary needs of a chunk (not its rows)."""
        self.chunks.setdefault(scored.system, []).append(scored._replace(rows=None))

    def summary(self) -> Summary:
        """The means, and the corpus metrics finished."""
        found = measures(self.plan)
        systems = {system: self._cells(found, chunks) for system, chunks in self.chunks.items()}
        cautions = {measure.asked: measure.caution for measure in found if measure.caution}
        return Summary(systems=systems, cautions=cautions, flags=tuple(self._flags()))

    def _cells(self, found: list[Measure], chunks: list[Scored]) -> dict[str, Cell]:
        cells: dict[str, Cell] = {}
        for place, measure in enumerate(found):
            if measure.corpus:
                cells.update(self._corpus(measure, place, chunks))
                continue
            for column in number_columns(measure):
                name = measure.name(column)
                cells[name] = _mean([chunk.sums[name] for chunk in chunks], measure.signature(self.plan.tokens))
        return cells

    def _corpus(self, measure: Measure, place: int, chunks: list[Scored]) -> dict[str, Cell]:
        gathered = [chunk.gathered[place] for chunk in chunks if chunk.gathered[place] is not None]
        n, reasons = sum(chunk.n for chunk in chunks), _reasons(chunk.reasons for chunk in chunks)
        if gathered and hasattr(measure.metric, "left_out"):
            reasons = _reasons((reasons, measure.metric.left_out(gathered)))
        found = measure.metric.finish(gathered) if gathered else {}
        signature = measure.signature(self.plan.tokens)
        return {
            measure.name(column): _whole(found.get(column.name), n, reasons, signature)
            for column in number_columns(measure)
        }

    def _flags(self) -> list[str]:
        if not any(measure.corpus for measure in measures(self.plan)):
            return []
        return [*self._sizes(), *self._decodings()]

    def _sizes(self) -> list[str]:
        sizes = {system: sum(chunk.n for chunk in chunks) for system, chunks in self.chunks.items()}
        if len(set(sizes.values())) < 2:
            return []
        shown = ", ".join(f"{system} {n}" for system, n in sizes.items())
        return [
            f"Numbers of responses differ ({shown}): numbers about all responses together (diversity, distinct, "
            "entropy, self_bleu) depend on N and cannot be compared; use rarefaction."
        ]

    def _decodings(self) -> list[str]:
        known = {system: _same(chunks) for system, chunks in self.chunks.items()}
        stated = {system: names for system, names in known.items() if names}
        if len(set(stated.values())) < 2:
            return []
        shown = ", ".join(f"{system} {'/'.join(names)}" for system, names in stated.items())
        return [f"Decodings differ ({shown}): diversity is mostly a statistic of the decoding; use --decoding."]


def _same(chunks: list[Scored]) -> tuple[str, ...]:
    """The decodings that all chunks agree on."""
    return tuple(name for name in chunks[0].decodings if all(name in chunk.decodings for chunk in chunks))


def _mean(sums: list[Sum], signature: str) -> Cell:
    n, missing = sum(one.n for one in sums), sum(one.missing for one in sums)
    value = math.fsum(one.total for one in sums) / (n - missing) if n > missing else None
    return Cell(value=value, n=n, missing=missing, signature=signature, reasons=_reasons(one.reasons for one in sums))


def _whole(value: Value, n: int, reasons: dict[str, int], signature: str) -> Cell:
    if value is None or isinstance(value, Missing):
        reason = value.reason if isinstance(value, Missing) else "no response has a text"
        rest = n - sum(reasons.values())
        return Cell(
            value=None, n=n, missing=n, signature=signature, reasons={**reasons, **({reason: rest} if rest else {})}
        )
    return Cell(value=value, n=n, missing=sum(reasons.values()), signature=signature, reasons=reasons)


def _reasons(counts: Any) -> dict[str, int]:
    total: Counter[str] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))
