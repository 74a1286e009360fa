"""Answers of raters who rated every system become a within-subject analysis.

First: each term in its own stratum with Greenhouse–Geisser, every pair of systems by its own error (Holm), the order of
systems within raters (Friedman, Plackett–Luce with ties) and odds ratios clustered by rater. Then, marked as such, what
is usually published: pooled error, and the aligned rank transform with ART-C.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

import msgspec
import numpy as np

from empathic.records import Estimate
from empathic.statistics.analysis import (
    Analysis,
    Answers,
    Assumption,
    Exclusion,
    enough_raters,
    few_categories,
    missing_answers,
    odds_assumption,
)
from empathic.statistics.art import art, art_contrasts
from empathic.statistics.concordance import friedman
from empathic.statistics.estimates import Array
from empathic.statistics.multiplicity import adjust_family
from empathic.statistics.ordinal import proportional_odds
from empathic.statistics.rankings import plackett_luce
from empathic.statistics.repeated import contrast, repeated_measures

DESIGN = "within"


class Cells(NamedTuple):
    """Raters × systems × conditions: the mean answer, NaN where there is none."""

    raters: list[str]
    systems: list[str]
    conditions: list[str]
    values: Array

    def whole(self) -> tuple[Cells, tuple[str, ...]]:
        """The raters that have every cell, and the ids of the others."""
        places = [place for place in range(len(self.raters)) if np.isfinite(self.values[place]).all()]
        kept = [self.raters[place] for place in places]
        lost = tuple(rater for rater in self.raters if rater not in set(kept))
        return self._replace(raters=kept, values=self.values[places]), lost


def within(answers: Answers, seed: int) -> Analysis:
    """The analysis of one item rated by everybody about every system, in one or more conditions."""
    cells, lost = cell_means(answers).whole()
    terms = _terms(cells, "own")
    estimates = (*terms, *_pairs(cells), *_reversals(cells), *_orders(cells, seed), *_odds(answers, cells))
    published = (*_terms(cells, "pooled"), *_art(cells))
    dropped = (Exclusion(rule="lacks a rating of a system or condition", ids=lost),) if lost else ()
    return Analysis(
        design=DESIGN,
        instrument=answers.instrument,
        item=answers.item,
        estimates=estimates,
        published=published,
        assumptions=tuple(_assumptions(answers, cells, terms)),
        exclusions=(*dropped, *missing_answers(answers)),
    )


def cell_means(answers: Answers) -> Cells:
    """Every rater's mean of every system in every condition, in the order of first appearance."""
    raters, systems, conditions = (
        list(dict.fromkeys(column.tolist())) for column in (answers.raters, answers.systems, answers.conditions)
    )
    places = [{name: place for place, name in enumerate(names)} for names in (raters, systems, conditions)]
    shape = (len(raters), len(systems), len(conditions))
    sums, counts = np.zeros(shape), np.zeros(shape)
    for value, *key in zip(answers.values, answers.raters, answers.systems, answers.conditions, strict=True):
        cell = tuple(where[name] for where, name in zip(places, key, strict=True))
        sums[cell] += value
        counts[cell] += 1
    with np.errstate(invalid="ignore"):
        return Cells(raters, systems, conditions, np.where(counts > 0, sums / counts, np.nan))


def _terms(cells: Cells, error: str) -> tuple[Estimate, ...]:
    if len(cells.conditions) < 2:
        return repeated_measures(cells.values.mean(axis=2), factors=["system"], error=error)
    return repeated_measures(cells.values, factors=["system", "condition"], error=error)


def _pairs(cells: Cells) -> list[Estimate]:
    """Every pair of systems over all conditions, each by its own error."""
    found = []
    for one, other in itertools.combinations(range(len(cells.systems)), 2):
        weights = np.zeros(cells.values.shape[1:])
        weights[one], weights[other] = 1 / len(cells.conditions), -1 / len(cells.conditions)
        labels = {"system": cells.systems[one], "baseline": cells.systems[other]}
        difference = contrast(cells.values, weights=weights, name=f"{labels['system']} − {labels['baseline']}")
        found.append(msgspec.structs.replace(difference, labels=labels))
    return adjust_family(found, family="pairs of systems") if found else []


def _reversals(cells: Cells) -> list[Estimate]:
    """How the difference of each pair changes between two conditions: the direct test of an interaction claim."""
    found = []
    conditions = list(itertools.combinations(range(len(cells.conditions)), 2))
    for (one, other), (here, there) in itertools.product(
        itertools.combinations(range(len(cells.systems)), 2), conditions
    ):
        weights = np.zeros(cells.values.shape[1:])
        weights[one, [here, there]], weights[other, [here, there]] = [1, -1], [-1, 1]
        pair = f"{cells.systems[one]} − {cells.systems[other]}"
        name = f"({pair}): {cells.conditions[here]} − {cells.conditions[there]}"
        found.append(contrast(cells.values, weights=weights, name=name))
    return adjust_family(found, family="pairs of systems × conditions") if found else []


def _orders(cells: Cells, seed: int) -> list[Estimate]:
    """Friedman and Plackett–Luce in each condition: what the raters' own order says."""
    found: list[Estimate] = []
    for place, condition in enumerate(cells.conditions):
        block, suffix = cells.values[:, :, place], f" ({condition})" if condition else ""
        found.append(friedman(block, name=f"Kendall's W{suffix}", seed=seed))
        ranked = plackett_luce(block, names=cells.systems, clusters=cells.raters)
        renamed = [msgspec.structs.replace(one, name=f"{one.name}{suffix}") for one in ranked.contrasts]
        found += renamed
    return found


def _odds(answers: Answers, cells: Cells) -> tuple[Estimate, ...]:
    if not few_categories(answers):
        return ()
    kept = np.isin(answers.raters, cells.raters)
    found = proportional_odds(answers.values[kept], answers.systems[kept], clusters=answers.raters[kept])
    return (found.groups, *adjust_family(found.pairs, family="odds ratios of pairs"))


def _art(cells: Cells) -> tuple[Estimate, ...]:
    raters, systems, conditions = cells.values.shape
    factors = {"system": np.tile(np.repeat(cells.systems, conditions), raters)}
    if conditions > 1:
        factors["condition"] = np.tile(cells.conditions, raters * systems)
    block = np.repeat(cells.raters, systems * conditions)
    values = cells.values.ravel()
    return (
        *art(values, factors=factors, block=block),
        *art_contrasts(values, factors=factors, block=block, among=["system"]),
    )


def _assumptions(answers: Answers, cells: Cells, terms: tuple[Estimate, ...]) -> list[Assumption]:
    found = [enough_raters(answers)]
    for term in terms:
        p = term.details.get("mauchly_p")
        if p is not None:
            text = f"Mauchly p = {p:.3g}, ε = {term.details['epsilon_gg']:.3f}; corrected by Greenhouse–Geisser anyway"
            found.append(Assumption(name=f"sphericity of {term.labels['term']}", holds=p >= 0.05, text=text))
    distinct = len(np.unique(answers.values))
    ties = few_categories(answers)
    told = "the aligned rank transform rejects true nulls too often here" if ties else "few ties"
    found.append(Assumption(name="few ties", holds=not ties, text=f"{distinct} distinct values: {told}"))
    if ties:
        found.append(odds_assumption(answers))
    return found
