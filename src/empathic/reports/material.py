"""What a report is made of: everything the page shows, already computed; the room only sets it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from empathic.records import Estimate, Turn


class Section(NamedTuple):
    """One dimension of the profile and the numbers in it."""

    id: str
    title: str
    question: str
    metrics: Sequence[str]
    headline: Sequence[str] = ()


class Answer(NamedTuple):
    """What one system said, and the words that earned a score, each with the score's name."""

    system: str
    text: str | None
    missing: str | None = None
    marks: Sequence[tuple[str, str]] = ()


class Example(NamedTuple):
    """One place of one dialogue with every system's answer."""

    dialogue: str
    emotion: str | None
    turns: Sequence[Turn]
    answers: Sequence[Answer]


class Pathology(NamedTuple):
    """Something that goes wrong: how often, for whom, and examples."""

    name: str
    meaning: str
    system: str
    hits: int
    n: int
    flagged: bool
    examples: Sequence[str] = ()


class Branch(NamedTuple):
    """One step of the response trie: words, how many responses go through them, and where they go on."""

    text: str
    hits: int
    branches: Sequence[Branch] = ()


class Phrases(NamedTuple):
    """What one system says again and again: frequent spans, templates, and the trie of its beginnings."""

    system: str
    spans: Sequence[tuple[str, int]]
    templates: Sequence[tuple[str, int]]
    beginnings: Sequence[Branch] = ()


class Source(NamedTuple):
    """A work the methods stand on: key, how it is cited, its BibTeX entry."""

    key: str
    citation: str
    bibtex: str


class Material(NamedTuple):
    """One report."""

    title: str
    systems: Sequence[str]
    reference: str | None
    reference_name: str
    sections: Sequence[Section]
    estimates: Sequence[Estimate]
    better: Mapping[str, str]  # metric → higher, lower, zero, human, neither
    missing: Mapping[str, Mapping[str, int]]  # system → reason → count
    responses: Mapping[str, int]  # system → how many
    flags: Sequence[str]
    groups: Mapping[str, Sequence[Sequence[str]]]  # metric → systems that cannot be told apart
    examples: Sequence[Example]
    pathologies: Sequence[Pathology]
    phrases: Sequence[Phrases]
    methods: Sequence[str]
    limitations: Sequence[str]
    sources: Sequence[Source]
    licences: Sequence[str]
    facts: Mapping[str, str]

    def of(self, kind: str) -> list[Estimate]:
        """The estimates of one kind."""
        return [each for each in self.estimates if each.labels.get("kind") == kind]

    def values(self) -> dict[tuple[str, str], Estimate]:
        """(metric, system) → mean or corpus number."""
        found = [*self.of("mean"), *self.of("corpus")]
        return {(each.labels["metric"], each.labels["system"]): each for each in found}
