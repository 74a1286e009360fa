"""Ratings and the design of their study become an Analysis: the careful result first, then the published-style one.

A design is a function of the answers to one item. It is run on all raters, and once more without those excluded, so
that both results stand side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from empathic.errors import InputError, UnknownName
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

    def without(self, raters: Collection[str]) -> Answers:
        """The answers of everybody else."""
        kept = ~np.isin(self.raters, list(raters))
        return self._replace(
            values=self.values[kept],
            raters=self.raters[kept],
            systems=self.systems[kept],
            targets=self.targets[kept],
            conditions=self.conditions[kept],
        )


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


Design = Callable[[Answers, int], Analysis]


def collect(ratings: Iterable[Rating], *, items: Sequence[str] = ()) -> list[Answers]:
    """The answers per item about systems; ratings of other things (a rater's own traits) are passed over."""
    grouped: dict[tuple[str, str], list[Rating]] = {}
    for rating in ratings:
        if rating.system is not None:
            grouped.setdefault((rating.instrument, rating.item), []).append(rating)
    if not grouped:
        raise InputError("there are no ratings that name a system")
    known = {item for _, item in grouped}
    for item in items:
        if item not in known:
            raise UnknownName("item", item, known)
    return [_answers(*key, found) for key, found in grouped.items() if not items or key[1] in items]


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


def _answers(instrument: str, item: str, ratings: Sequence[Rating]) -> Answers:
    given = [rating for rating in ratings if rating.value is not None]
    return Answers(
        instrument,
        item,
        np.array([rating.value for rating in given], dtype=np.float64),
        np.array([rating.rater for rating in given], dtype=np.str_),
        np.array([rating.system for rating in given], dtype=np.str_),
        np.array([rating.target for rating in given], dtype=np.str_),
        np.array([rating.condition or "" for rating in given], dtype=np.str_),
        tuple(rating.rater for rating in ratings if rating.value is None),
    )
