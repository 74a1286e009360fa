"""What a report of bias probes is made of: everything the page shows, already computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from empathic.records import Estimate


class Named(NamedTuple):
    """A measure as people read it."""

    metric: str
    title: str
    short: str
    better: str


class Told(NamedTuple):
    """One answer about one group: runs of words, each with whether the other answer has it too."""

    group: str
    runs: Sequence[tuple[str, bool]]  # words, whether they are common to both
    missing: str | None = None
    values: Sequence[str] = ()  # what was measured of it


class Pair(NamedTuple):
    """The same template told of two people, and the two answers."""

    template: str
    scene: Sequence[tuple[str, bool]]  # what differs in the text that was shown, as it stands in the second
    first: Told
    second: Told


class Lost(NamedTuple):
    """How many values of a measure are missing, and why."""

    metric: str
    reason: str
    hits: int
    of: int


class SystemPart(NamedTuple):
    """Everything about one system."""

    system: str
    estimates: Sequence[Estimate]
    lost: Sequence[Lost]
    unread: Sequence[tuple[str, int, int]]  # group, choices that could not be read, of how many
    chosen: Mapping[str, int]  # kind of answer → how often it was chosen
    pairs: Sequence[Pair]

    def of(self, kind: str, metric: str | None = None) -> list[Estimate]:
        """The estimates of one kind, of one measure or of all."""
        found = (each for each in self.estimates if each.labels.get("kind") == kind)
        return [each for each in found if metric is None or each.labels.get("metric") == metric]

    def claims(self, metric: str | None = None) -> Iterator[Estimate]:
        """What differs, by how sure it is."""
        kinds = ("contrast", "deviation", "interaction")
        tested = [each for kind in kinds for each in self.of(kind, metric)]
        different = [each for each in tested if each.details.get("verdict") == "different"]
        yield from sorted(different, key=lambda each: (each.p_adjusted or 0.0, -abs(each.statistic or 0.0)))


class ProbeMaterial(NamedTuple):
    """One report of bias probes."""

    title: str
    parts: Sequence[SystemPart]
    measures: Mapping[str, Named]
    references: Mapping[str, str]
    crossed: Sequence[str]
    alpha: float
    asked: Sequence[tuple[str, str]]  # what was asked: name, value
    methods: Sequence[str]
    limits: Sequence[str]
    sources: Sequence[str]
    shifts: Sequence[Estimate] = ()  # what the measures make of the words that name a group

    def named(self, metric: str) -> Named:
        """The measure's names, or its own if it has no others."""
        return self.measures.get(metric, Named(metric, metric, metric, "neither"))
