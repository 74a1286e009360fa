"""Raters who share targets become their severity (who rates lower than others), and whether it differs by system.

Additive model: value = target + rater + error, least squares within connected sets of raters; a rater's effect is the
deviation from the mean of its set (negative: severe). Differential severity compares, per rater, the deviation from the
other raters' mean between one system's targets and the rest (Welch), Holm over all of them (Myford & Wolfe 2009,
Journal of Educational Measurement 46, 371–389).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from empathic.records import Estimate
from empathic.statistics.estimates import Array, absent, estimate
from empathic.statistics.multiplicity import adjust_family
from empathic.statistics.observations import Observation, Table, of_measure, table

METHOD, DIFFERENTIAL = "rater-severity.v1", "differential-severity.v1"


class _Additive(NamedTuple):
    effects: Array
    errors: Array
    df: int
    f: float
    df1: int


def severity(
    observations: Sequence[Observation], measure: str, *, level: float = 0.95
) -> tuple[Estimate, tuple[Estimate, ...]]:
    """The spread of the raters' effects with the F test that there is none, and the effect of every rater."""
    found = table(observations, measure)
    shared = np.isfinite(found.values).sum(axis=1) >= 2
    kept = Table([], found.raters, found.values[shared])
    fit = _additive(kept.values) if shared.any() else "no target was rated by two raters"
    labels = {"measure": measure}
    if isinstance(fit, str):
        return absent("severity", METHOD, fit, labels=labels), ()
    quantile = float(stats.t.ppf((1 + level) / 2, fit.df))
    raters = tuple(
        _effect(rater, fit, place, int(np.isfinite(kept.values[:, place]).sum()), quantile, level, measure)
        for place, rater in enumerate(found.raters)
    )
    spread = estimate(
        "severity",
        float(np.nanstd(fit.effects)),
        METHOD,
        n=int(np.isfinite(kept.values).sum()),
        statistic=fit.f,
        df=(fit.df1, fit.df),
        p=float(stats.f.sf(fit.f, fit.df1, fit.df)),
        labels=labels,
        details={"raters": len(found.raters), "targets": int(shared.sum())},
    )
    return spread, tuple(adjust_family(raters, family=f"raters, {measure}"))


def _effect(rater: str, fit: _Additive, place: int, n: int, quantile: float, level: float, measure: str) -> Estimate:
    value, error = float(fit.effects[place]), float(fit.errors[place])
    labels = {"rater": rater, "measure": measure}
    if not n or not math.isfinite(value) or error <= 0:
        return absent(rater, METHOD, "shares no target with another rater", n=n, labels=labels)
    return estimate(
        rater,
        value,
        METHOD,
        interval=(value - quantile * error, value + quantile * error),
        level=level,
        n=n,
        statistic=value / error,
        df=(fit.df,),
        p=2 * float(stats.t.sf(abs(value / error), fit.df)),
        labels=labels,
    )


def _additive(values: Array) -> _Additive | str:
    """Raters' effects with targets' means taken out; effects sum to zero within each connected set of raters."""
    given = np.isfinite(values)
    rows, columns = np.nonzero(given)
    design = np.zeros((len(rows), values.shape[1]))
    design[np.arange(len(rows)), columns] = 1
    share = given / given.sum(axis=1, keepdims=True)
    design -= share[rows]
    centred = values[given] - np.nanmean(values, axis=1)[rows]
    normal = design.T @ design
    used = given.any(axis=0)
    sets, _ = connected_components(coo_matrix(normal[np.ix_(used, used)]), directed=False)
    inverse = np.linalg.pinv(normal, hermitian=True)
    effects = inverse @ (design.T @ centred)
    residual = centred - design @ effects
    df1 = int(used.sum()) - sets
    df = len(rows) - values.shape[0] - df1
    if df < 1 or df1 < 1:
        return f"{len(rows)} ratings of {values.shape[0]} targets cannot tell {int(used.sum())} raters apart"
    error = float(residual @ residual) / df
    if error <= 1e-12 * max(1.0, float(centred @ centred)):
        return "the raters differ by constants only, there is no error to compare them with"
    f = float(effects @ normal @ effects) / df1 / error
    effects[~used] = np.nan
    return _Additive(effects, np.sqrt(error * np.diag(inverse)), df, f, df1)


def differential(observations: Sequence[Observation], measure: str, *, level: float = 0.95) -> tuple[Estimate, ...]:
    """Per rater and system: how much kinder (+) the rater is to that system than to others, next to other raters."""
    found = of_measure(observations, measure)
    systems = list(dict.fromkeys(each.system for each in found if each.system is not None))
    if len(systems) < 2:
        return ()
    shared = table(found, measure)
    of_target = {each.target: each.system for each in found}
    home = np.array([of_target[target] for target in shared.targets], dtype=object)
    others = _others(shared.values)
    estimates = [
        _difference(shared.values[:, place] - others[:, place], home == system, rater, system, measure, level)
        for place, rater in enumerate(shared.raters)
        for system in systems
    ]
    return tuple(adjust_family(estimates, family=f"raters × systems, {measure}"))


def _others(values: Array) -> Array:
    """For each rating the mean of the other raters at that target, NaN if there are none."""
    given = np.isfinite(values)
    total, count = np.nansum(values, axis=1, keepdims=True), given.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(given & (count > 1), (total - np.where(given, values, 0)) / (count - 1), np.nan))


def _difference(
    gaps: Array, here: npt.NDArray[np.bool_], rater: str, system: str, measure: str, level: float
) -> Estimate:
    labels = {"rater": rater, "system": system, "measure": measure}
    name, finite = f"{rater} on {system}", np.isfinite(gaps)
    one, other = gaps[finite & here], gaps[finite & ~here]
    if min(len(one), len(other)) < 2:
        reason = f"{len(one)} and {len(other)} shared targets, at least 2 of each are needed"
        return absent(name, DIFFERENTIAL, reason, n=int(finite.sum()), labels=labels)
    if np.ptp(one) == 0 and np.ptp(other) == 0:
        return absent(name, DIFFERENTIAL, "the deviations do not vary", n=int(finite.sum()), labels=labels)
    result = stats.ttest_ind(one, other, equal_var=False)
    low, high = result.confidence_interval(level)
    return estimate(
        name,
        float(one.mean() - other.mean()),
        DIFFERENTIAL,
        interval=(float(low), float(high)),
        level=level,
        n=int(finite.sum()),
        statistic=float(result.statistic),
        df=(float(result.df),),
        p=float(result.pvalue),
        labels=labels,
    )
