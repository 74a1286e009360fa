"""Answers of raters who judge given responses from outside become agreement first, then the comparison of systems.

Several raters see the same response, and a rater sees many: both are random. First: how far raters agree
(Krippendorff's α) and how many are needed; the systems by a mixed model with crossed raters and responses, linear
and, on few categories, ordinal; errors clustered both ways. Then, marked as such, what is usually published: every
rating as independent.
"""

from __future__ import annotations

import itertools

import msgspec
import numpy as np

from empathic.records import Estimate
from empathic.statistics import clusters, comparisons, effects
from empathic.statistics.analysis import (
    Analysis,
    Answers,
    Assumption,
    Labels,
    enough_raters,
    few_categories,
    missing_answers,
    odds_assumption,
)
from empathic.statistics.consistency import raters_needed
from empathic.statistics.estimates import Array
from empathic.statistics.icc import icc
from empathic.statistics.krippendorff import krippendorff_alpha
from empathic.statistics.linear_mixed import linear_mixed
from empathic.statistics.multiplicity import adjust_family
from empathic.statistics.ordinal_mixed import ordinal_mixed
from empathic.statistics.quality import straight_lining

DESIGN = "observer"
TARGETS = (0.667, 0.8)  # Krippendorff's bounds for tentative and for firm conclusions
LEAST = 0.667


def observer(answers: Answers, seed: int) -> Analysis:
    """The analysis of one item rated by several observers about the same responses."""
    table = ratings_table(answers)
    agreement = _agreement(answers, table, seed)
    estimates = (*agreement, *_mixed(answers), _two_ways(answers))
    return Analysis(
        design=DESIGN,
        instrument=answers.instrument,
        item=answers.item,
        estimates=estimates,
        published=tuple(_published(answers)),
        assumptions=tuple(_assumptions(answers, table, agreement[0])),
        exclusions=missing_answers(answers),
    )


def ratings_table(answers: Answers) -> Array:
    """Responses × raters, NaN where a rater did not see the response; several ratings of one are averaged."""
    _, rows = np.unique(answers.targets, return_inverse=True)
    _, columns = np.unique(answers.raters, return_inverse=True)
    shape = (int(rows.max(initial=-1)) + 1, int(columns.max(initial=-1)) + 1)
    sums, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(sums, (rows, columns), answers.values)
    np.add.at(counts, (rows, columns), 1)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(counts > 0, sums / counts, np.nan))


def _agreement(answers: Answers, table: Array, seed: int) -> list[Estimate]:
    scale = "ordinal" if few_categories(answers) else "interval"
    alpha = krippendorff_alpha(table, scale=scale, seed=seed)
    present = np.isfinite(table).sum(axis=1)
    now = float(present.mean()) if present.size else 1.0
    whole = icc(table) if np.isfinite(table).all() else ()  # with gaps all six would be missing, and α tells it
    return [alpha, *(raters_needed(alpha, target=target, raters=now) for target in TARGETS), *whole]


def _mixed(answers: Answers) -> list[Estimate]:
    raters, items = _repeated(answers.raters), _repeated(answers.targets)
    linear = linear_mixed(answers.values, answers.systems, raters=raters, items=items)
    found = [linear.groups, *_family(linear.pairs, "pairs of systems (linear mixed model)"), *linear.deviations]
    if few_categories(answers):
        ordinal = ordinal_mixed(answers.values, answers.systems, raters=raters, items=items)
        pairs = _family(ordinal.pairs, "pairs of systems (ordinal mixed model)")
        found += [ordinal.groups, *pairs, *ordinal.deviations]
    return found


def _repeated(labels: Labels) -> Labels | None:
    """Labels that stand for more than one rating; the spread of others cannot be told from the error."""
    return labels if len(np.unique(labels)) < labels.size else None


def _two_ways(answers: Answers) -> Estimate:
    return clusters.cluster_test(answers.values, answers.systems, answers.raters, answers.targets)


def _published(answers: Answers) -> list[Estimate]:
    groups = {name: answers.values[answers.systems == name] for name in _names(answers.systems)}
    found = []
    for one, other in itertools.combinations(groups, 2):
        test = effects.difference(groups[one], groups[other], equal_variances=True)
        found.append(msgspec.structs.replace(test, labels={"system": one, "baseline": other}))
    return [comparisons.one_way(answers.values, answers.systems), *_family(found, "pairs of systems (independent t)")]


def _family(pairs: tuple[Estimate, ...] | list[Estimate], family: str) -> list[Estimate]:
    return adjust_family(pairs, family=family) if pairs else []


def _assumptions(answers: Answers, table: Array, alpha: Estimate) -> list[Assumption]:
    found = [enough_raters(answers)]
    agreed = alpha.value is not None and alpha.value >= LEAST
    shown = alpha.missing or f"α = {alpha.value:.3f}; below {LEAST} no conclusion should rest on single ratings"
    found.append(Assumption(name="raters agree", holds=None if alpha.value is None else agreed, text=shown))
    found.append(_attention(table, answers))
    if few_categories(answers):
        found.append(odds_assumption(answers))
    return found


def _attention(table: Array, answers: Answers) -> Assumption:
    """Raters who gave one and the same value to every response they saw (five or more)."""
    names = np.unique(answers.raters).tolist()
    busy = [place for place in range(table.shape[1]) if np.isfinite(table[:, place]).sum() >= 5]
    flat: list[str] = []
    for place in busy:
        seen = table[np.isfinite(table[:, place]), place]
        flat += straight_lining(seen[None, :], raters=[names[place]]).flagged
    told = f": {', '.join(flat)}" if flat else ""
    text = f"{len(flat)} of {len(busy)} raters gave every response the same value{told}"
    return Assumption(name="raters distinguish", holds=not flat, text=text)


def _names(labels: Labels) -> list[str]:
    return list(dict.fromkeys(labels.tolist()))
