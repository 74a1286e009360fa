"""Ratings and the design of their study become an Analysis: the careful result first, then the published-style one.

A design is a function of the answers to one item. It is run on all raters, and once more without those excluded, so
that both results stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Estimate, Rating, Record
from empathic.statistics.brant import brant
from empathic.statistics.estimates import Array

Labels = npt.NDArray[np.str_]
FEW_CATEGORIES = 11
FEW_RATERS = 30


class Answers(NamedTuple):
    """The answers to one item, one element per rating that has a value."""

    instrument: str
    item: str
    values: Array
    raters: Labels
    systems: Labels
    targets: Labels
    conditions: Labels  # "" where there is none
    missing: tuple[str, ...] = ()  # raters with an answer that has no value
    dialogues: Labels | None = None  # what several systems answered, the target where there is none
    blocks: Labels | None = None  # what was assigned together
    by: Labels | None = None  # emotion, polarity …: where the effect might differ
    traits: Mapping[str, float] | None = None  # rater → a number known of each

    def without(self, raters: Collection[str]) -> Answers:
        """The answers of everybody else."""
        return self.only(~np.isin(self.raters, list(raters)))

    def only(self, kept: npt.NDArray[np.bool_]) -> Answers:
        """The answers kept."""
        columns = ("values", "raters", "systems", "targets", "conditions", "dialogues", "blocks", "by")
        return self._replace(**{name: _cut(getattr(self, name), kept) for name in columns})


class Assumption(Record, frozen=True, omit_defaults=False):
    """Something the analysis relies on, whether it holds, and what follows if not."""

    name: str
    holds: bool | None
    text: str


class Exclusion(Record, frozen=True):
    """Who was left out, by which rule."""

    rule: str
    ids: tuple[str, ...]


class Analysis(Record, frozen=True, omit_defaults=False):
    """What can be said of one item under one design."""

    design: str
    instrument: str
    item: str
    estimates: tuple[Estimate, ...]
    published: tuple[Estimate, ...]
    assumptions: tuple[Assumption, ...]
    exclusions: tuple[Exclusion, ...] = ()
    before_exclusion: tuple[Estimate, ...] = ()  # the estimates with nobody left out by hand

    def flat(self) -> list[Estimate]:
        """Every estimate, labelled with what it is about and in which style it was made, as `estimates.json` has it."""
        about = {"design": self.design, "instrument": self.instrument, "item": self.item}
        parts = {"careful": self.estimates, "published": self.published, "nobody excluded": self.before_exclusion}
        return [marked(each, **about, style=style) for style, part in parts.items() for each in part]


def marked(found: Estimate, **labels: Any) -> Estimate:
    """The estimate with further labels."""
    return msgspec.structs.replace(found, labels={**found.labels, **labels})


Design = Callable[[Answers, int], Analysis]


class Shape(NamedTuple):
    """What is to be compared, and where the answers stand in the design: fields of ratings or of their metadata."""

    group: str = "system"
    block: str | None = None
    by: Mapping[str, str] | None = None  # dialogue → level
    traits: Mapping[str, float] | None = None


def collect(ratings: Iterable[Rating], *, items: Sequence[str] = (), shape: Shape | None = None) -> list[Answers]:
    """The answers per item about systems; ratings of other things (a rater's own traits) are passed over."""
    shape = shape or Shape()
    grouped: dict[tuple[str, str], list[Rating]] = {}
    for rating in ratings:
        if _field(rating, shape.group) is not None:
            grouped.setdefault((rating.instrument, rating.item), []).append(rating)
    if not grouped:
        raise InputError(f"there are no ratings that name a {shape.group}")
    known = {item for _, item in grouped}
    for item in items:
        if item not in known:
            raise UnknownName("item", item, known)
    return [_answers(*key, found, shape) for key, found in grouped.items() if not items or key[1] in items]


def analyse(design: Design, answers: Answers, *, exclude: Collection[str] = (), seed: int) -> Analysis:
    """The design's analysis; with exclusions, both results."""
    whole = design(answers, seed)
    if not exclude:
        return whole
    unknown = sorted(set(exclude) - set(answers.raters.tolist()))
    if unknown:
        raise UnknownName("rater", unknown[0], set(answers.raters.tolist()))
    rest = design(answers.without(exclude), seed)
    by_hand = Exclusion(rule="excluded by hand", ids=tuple(sorted(set(exclude))))
    return msgspec.structs.replace(rest, exclusions=(by_hand, *rest.exclusions), before_exclusion=whole.estimates)


def few_categories(answers: Answers) -> bool:
    """Whether the response is ordinal with few levels, so that nearly all values tie."""
    return len(np.unique(answers.values)) < FEW_CATEGORIES


def enough_raters(answers: Answers) -> Assumption:
    """Cluster-robust errors need raters."""
    count = len(np.unique(answers.raters))
    return Assumption(
        name="enough raters",
        holds=count >= FEW_RATERS,
        text=f"{count} raters; below {FEW_RATERS} cluster-robust errors are too small",
    )


def odds_assumption(answers: Answers) -> Assumption:
    """Whether one odds ratio per pair of systems tells the whole scale, by Brant's test clustered by rater."""
    test = brant(answers.values, answers.systems, clusters=answers.raters)
    if test.p is None:
        return Assumption(name="proportional odds", holds=None, text=test.missing or "Brant's test has no p value")
    text = f"Brant p = {test.p:.3g}; where it fails, the odds ratio is an average over the cuts of the scale"
    return Assumption(name="proportional odds", holds=test.p >= 0.05, text=text)


def missing_answers(answers: Answers) -> tuple[Exclusion, ...]:
    """Raters some of whose answers have no value."""
    ids = tuple(dict.fromkeys(answers.missing))
    return (Exclusion(rule="an answer without a value is left out", ids=ids),) if ids else ()


def _answers(instrument: str, item: str, ratings: Sequence[Rating], shape: Shape) -> Answers:
    given = [rating for rating in ratings if rating.value is not None]
    return Answers(
        instrument,
        item,
        np.array([rating.value for rating in given], dtype=np.float64),
        np.array([rating.rater for rating in given], dtype=np.str_),
        _labels(given, shape.group),
        np.array([rating.target for rating in given], dtype=np.str_),
        np.array([rating.condition or "" for rating in given], dtype=np.str_),
        tuple(rating.rater for rating in ratings if rating.value is None),
        np.array([rating.dialogue or rating.target for rating in given], dtype=np.str_),
        None if shape.block is None else _labels(given, shape.block),
        None if shape.by is None else np.array([_level(shape.by, rating) for rating in given], dtype=np.str_),
        shape.traits,
    )


def _cut(column: Any, kept: npt.NDArray[np.bool_]) -> Any:
    return None if column is None else column[kept]


def _field(rating: Rating, name: str) -> Any:
    return getattr(rating, name) if name in Rating.__struct_fields__ else rating.metadata.get(name)


def _labels(ratings: Sequence[Rating], field: str) -> Labels:
    found = [_field(rating, field) for rating in ratings]
    absent = sum(value is None for value in found)
    if absent:
        names = ", ".join(sorted({"system", "condition", *(key for rating in ratings for key in rating.metadata)}))
        raise SettingError(f"{absent} of {len(found)} ratings have no '{field}'. There is: {names}.")
    return np.array([str(value) for value in found], dtype=np.str_)


def _level(by: Mapping[str, str], rating: Rating) -> str:
    level = by.get(rating.dialogue or rating.target)
    if level is None:
        raise SettingError(f"The dialogue '{rating.dialogue or rating.target}' has no level for --by.")
    return level
