"""A planned study with ordinal ratings, simulated many times, becomes the power of the ordinal mixed model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from empathic.errors import SettingError
from empathic.records import Estimate, Record
from empathic.statistics import crossed
from empathic.statistics.effects import proportion
from empathic.statistics.estimates import estimate
from empathic.statistics.inputs import Floats, codes
from empathic.statistics.laplace import Problem
from empathic.statistics.ordinal import contrasts, likelihood_ratio, problem
from empathic.statistics.ordinal_mixed import fit_mixed


class OrdinalStudy(Record, frozen=True):
    """A between-groups study: who rates how much, on which scale, with which spread between raters and items."""

    odds_ratios: tuple[float, ...]  # of each further group against the first
    raters_per_group: int
    ratings_per_rater: int
    items: int
    thresholds: tuple[float, ...]  # of the first group, in logits
    sd_rater: float
    sd_item: float


Labels = NDArray[np.intp]


def simulated_power(
    study: OrdinalStudy, *, runs: int, seed: int, alpha: float = 0.05, progress: Callable[[int], None] | None = None
) -> Estimate:
    """The share of simulated studies whose likelihood-ratio test rejects, with Wilson's interval.

    A run whose model cannot be fitted counts as not found, and is counted in `details`.
    """
    _check(study, runs, alpha)
    random, found, failed = np.random.default_rng(seed), 0, 0
    for run in range(runs):
        values, groups, raters, items = simulate(study, random)
        p = _p_value(values, groups, (raters, items))
        found, failed = found + (p is not None and p < alpha), failed + (p is None)
        if progress is not None:
            progress(run + 1)
    share = proportion(found, runs)
    return estimate(
        "power", found / runs, "power_ordinal_mixed.v1", interval=(share.low or 0.0, share.high or 1.0), n=runs,
        runs=runs, seed=seed, alpha=alpha, details={"not_fitted": failed, "raters": _raters(study)},
    )  # fmt: skip


def _p_value(values: Labels, groups: Labels, factors: tuple[Labels, Labels]) -> float | None:
    """The likelihood-ratio test alone: intervals are not needed and would double the time."""
    places, shape = codes(values)[1], crossed.factors(*factors)
    if problem(values, groups, *factors):
        return None
    full = fit_mixed(Problem(places, contrasts(groups), shape), errors=False)
    null = fit_mixed(Problem(places, np.zeros((len(places), 0)), shape), errors=False)
    if isinstance(full, str) or isinstance(null, str):
        return None
    return likelihood_ratio("", full.loglik, null.loglik, int(groups.max()), len(places)).p


def simulate(study: OrdinalStudy, random: np.random.Generator) -> tuple[Labels, Labels, Labels, Labels]:
    """One study: values, groups, raters, items. Each rater sees other items, drawn without repetition."""
    groups, total = len(study.odds_ratios) + 1, _raters(study)
    rater = np.repeat(np.arange(total), study.ratings_per_rater)
    group = rater % groups
    item = np.concatenate([random.permutation(study.items)[: study.ratings_per_rater] for _ in range(total)])
    effect: Floats = np.log(np.concatenate([[1.0], study.odds_ratios]))
    latent = effect[group] + study.sd_rater * random.normal(size=total)[rater]
    latent = latent + study.sd_item * random.normal(size=study.items)[item] + random.logistic(size=len(rater))
    values = 1 + (latent[:, None] > np.array(study.thresholds)).sum(axis=1)
    return values, group, rater, item


def thresholds_of(shares: Floats | tuple[float, ...]) -> tuple[float, ...]:
    """Thresholds (logits of the cumulative shares) of a group that uses the categories with these shares."""
    counts = np.asarray(shares, float)
    if len(counts) < 2 or (counts <= 0).any():
        raise SettingError(f"At least two shares, all above 0, are needed; given {list(shares)}.")
    below = np.cumsum(counts / counts.sum())[:-1]
    return tuple(float(value) for value in np.log(below / (1 - below)))


def _raters(study: OrdinalStudy) -> int:
    return study.raters_per_group * (len(study.odds_ratios) + 1)


def _check(study: OrdinalStudy, runs: int, alpha: float) -> None:
    if runs < 1 or not 0 < alpha < 1:
        raise SettingError(f"At least one run and an alpha between 0 and 1 are needed, not {runs} and {alpha}.")
    if study.ratings_per_rater > study.items:
        raise SettingError(f"{study.items} items are too few for {study.ratings_per_rater} ratings per rater.")
    if not study.odds_ratios or min(study.odds_ratios) <= 0 or study.raters_per_group < 1:
        raise SettingError("Odds ratios above 0, one for each further group, and at least one rater are needed.")
    if list(study.thresholds) != sorted(set(study.thresholds)) or not study.thresholds:
        raise SettingError(f"Thresholds must rise; given {list(study.thresholds)}.")
