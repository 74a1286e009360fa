"""Ordered ratings of groups become odds ratios: the proportional-odds model, plain or with cluster-robust errors.

The log-likelihood is concave in thresholds and coefficients (Pratt 1981), so Newton's method with halved steps finds
the maximum; a coefficient that runs away (a group that uses one end of the scale only) is told as separation.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special, stats

from empathic.records import Estimate
from empathic.statistics import cumulative, linear
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Codes, Floats, codes, lengths_differ, numbers, reason_against

RUNAWAY = 12.0  # a log-odds of this size is a separation, not an effect
STEPS = 60


class OrdinalFit(NamedTuple):
    """Thresholds, coefficients (higher = better), their covariance in this order, the maximal log-likelihood."""

    thresholds: Floats
    coefficients: Floats
    covariance: Floats
    loglik: float
    deviations: tuple[float, ...] = ()  # standard deviations of the random effects, after the coefficients
    converged: bool = True

    def coefficient_covariance(self) -> Floats:
        """The part of the covariance that belongs to the coefficients."""
        start = len(self.thresholds)
        return self.covariance[start : start + len(self.coefficients), start : start + len(self.coefficients)]


class Ordinal(NamedTuple):
    """The test of all groups, the odds ratio of each pair, and the spread between raters and items."""

    groups: Estimate
    pairs: tuple[Estimate, ...]
    deviations: tuple[Estimate, ...] = ()


def proportional_odds(
    values: ArrayLike, groups: ArrayLike, *, clusters: ArrayLike | None = None, level: float = 0.95
) -> Ordinal:
    """Independent ratings: likelihood-ratio test; with clusters: sandwich covariance G/(G-1) and a Wald F(k-1, G-1)."""
    method = "proportional_odds.v1" if clusters is None else "proportional_odds_cluster.v1"
    if reason := problem(values, groups, clusters):
        return refused(method, reason, groups)
    places, (levels, _) = codes(numbers(values))[1], codes(groups)
    fit, null = fit_ordinal(places, contrasts(groups)), fit_ordinal(places, np.zeros((len(places), 0)))
    if isinstance(fit, str) or isinstance(null, str):
        return refused(method, str(fit), groups)
    n = len(places)
    if clusters is None:
        test = likelihood_ratio(method, fit.loglik, null.loglik, len(levels) - 1, n)
        return Ordinal(test, pair_estimates(fit, levels, method, n, level))
    count = len(np.unique(np.asarray(clusters)))
    robust = fit._replace(covariance=sandwich(fit, places, contrasts(groups), clusters))
    test = wald_test(method, robust, n, count - 1.0)
    return Ordinal(test, pair_estimates(robust, levels, method, n, level, df=count - 1.0))


def fit_ordinal(places: Codes, design: Floats) -> OrdinalFit | str:
    """Maximum likelihood for categories 0 … K-1 and a design without intercept; the reason if there is none."""
    count = int(places.max())
    parameters = np.concatenate([_start(places, count), np.zeros(design.shape[1])])
    value, gradient, information = _derivatives(parameters, places, design, count)
    for _ in range(STEPS):
        step = np.linalg.lstsq(information, gradient, rcond=None)[0]
        size = 1.0
        while size > 1e-8 and not _improves(parameters + size * step, value, places, design, count):
            size /= 2
        decrement = float(gradient @ step)
        parameters = parameters + size * step
        value, gradient, information = _derivatives(parameters, places, design, count)
        if decrement < 1e-13 * max(1.0, abs(value)):
            break
    if np.abs(parameters[count:]).max(initial=0.0) > RUNAWAY:
        return "perfect separation: a group uses one end of the scale only, its odds ratio is not finite"
    covariance = np.asarray(np.linalg.pinv(information), float)
    return OrdinalFit(parameters[:count], parameters[count:], covariance, value)


def contrasts(groups: ArrayLike) -> Floats:
    """0/1 columns of all groups but the first."""
    return linear.indicators(groups)[:, 1:]


def sandwich(fit: OrdinalFit, places: Codes, design: Floats, clusters: ArrayLike) -> Floats:
    """A⁻¹ (Σ s_g s_g') A⁻¹ · G/(G-1), s_g the summed scores of a cluster (Liang & Zeger 1986)."""
    scores = _scores(np.concatenate([fit.thresholds, fit.coefficients]), places, design, len(fit.thresholds))
    levels, member = codes(clusters)
    sums = linear.summed_by(scores, member, len(levels))
    return np.asarray(len(levels) / (len(levels) - 1) * fit.covariance @ (sums.T @ sums) @ fit.covariance)


def problem(values: ArrayLike, groups: ArrayLike, *labels: ArrayLike | None) -> str | None:
    """Why no ordinal model can be fitted."""
    numeric = numbers(values)
    given = {f"labels {place}": np.asarray(label) for place, label in enumerate(labels, 1) if label is not None}
    if reason := lengths_differ(values=numeric, groups=np.asarray(groups), **given):
        return reason
    if reason := reason_against(numeric, least=3):
        return reason
    if len(np.unique(numeric)) < 2:
        return "all values are equal"
    if len(np.unique(np.asarray(groups))) < 2:
        return "there is one group only"
    single = [name for name, array in given.items() if len(np.unique(array)) < 2]
    return f"{single[0]}: there is one level only" if single else None


def refused(method: str, reason: str, groups: ArrayLike) -> Ordinal:
    """An ordinal analysis that could not be had."""
    pairs = itertools.combinations(codes(groups)[0].tolist(), 2)
    return Ordinal(
        absent("groups", method, reason),
        tuple(absent("odds_ratio", method, reason, labels=_labels(b, a)) for a, b in pairs),
    )


def likelihood_ratio(method: str, full: float, null: float, df: int, n: int) -> Estimate:
    """2(ℓ₁ - ℓ₀) on χ²(df); the value is the gain in log-likelihood per rating."""
    statistic = max(0.0, 2 * (full - null))
    p = float(stats.chi2.sf(statistic, df))
    return estimate(
        "groups", statistic / 2 / n, method, n=n, statistic=statistic, df=(df,), p=p, details={"test": "LR"}
    )


def wald_test(method: str, fit: OrdinalFit, n: int, df2: float) -> Estimate:
    """All group coefficients are zero: F(k-1, df2)."""
    count = len(fit.coefficients)
    found = linear.wald(fit.coefficients, fit.coefficient_covariance(), np.eye(count), df2)
    if found is None:
        return absent("groups", method, "the covariance of the groups cannot be inverted", n=n)
    value = float(np.concatenate([[0.0], fit.coefficients]).std())
    return estimate(
        "groups", value, method, n=n, statistic=found.f, df=(found.df1, df2), p=found.p, details={"test": "Wald"}
    )


def pair_estimates(
    fit: OrdinalFit, levels: NDArray[Any], method: str, n: int, level: float, *, df: float | None = None
) -> tuple[Estimate, ...]:
    """exp of the difference of two groups' coefficients: the odds of a higher rating, second group over first."""
    names, coefficients = levels.tolist(), np.concatenate([[0.0], fit.coefficients])
    covariance = np.zeros((len(names), len(names)))
    covariance[1:, 1:] = fit.coefficient_covariance()
    found = []
    for a, b in itertools.combinations(range(len(names)), 2):
        variance = covariance[a, a] + covariance[b, b] - 2 * covariance[a, b]
        gap = float(coefficients[b] - coefficients[a])
        found.append(_odds(gap, variance, method, n, level, df, _labels(names[b], names[a])))
    return tuple(found)


def _odds(
    log: float, variance: float, method: str, n: int, level: float, df: float | None, labels: dict[str, Any]
) -> Estimate:
    if not variance > 0 or not np.isfinite(variance):
        return absent("odds_ratio", method, "the odds ratio has no finite error", n=n, labels=labels)
    error = float(np.sqrt(variance))
    z = log / error
    quantile = float(special.ndtri((1 + level) / 2) if df is None else stats.t.ppf((1 + level) / 2, df))
    p = float(2 * (special.ndtr(-abs(z)) if df is None else stats.t.sf(abs(z), df)))
    interval = float(np.exp(log - quantile * error)), float(np.exp(log + quantile * error))
    return estimate(
        "odds_ratio", float(np.exp(log)), method, interval=interval, level=level, n=n, statistic=z,
        df=() if df is None else (df,), p=p, labels=labels, details={"log": log, "se_log": error},
    )  # fmt: skip


def _labels(system: Any, baseline: Any) -> dict[str, Any]:
    return {"system": system, "baseline": baseline}


def _start(places: Codes, count: int) -> Floats:
    shares = np.cumsum(np.bincount(places, minlength=count + 1))[:count] / len(places)
    return np.asarray(special.logit(shares))


def _improves(parameters: Floats, value: float, places: Codes, design: Floats, count: int) -> bool:
    thresholds = parameters[:count]
    if (np.diff(thresholds) <= 0).any():
        return False
    total = float(cumulative.loglik(places, thresholds, design @ parameters[count:]).sum())
    return total >= value - 1e-12 * abs(value)


def _derivatives(parameters: Floats, places: Codes, design: Floats, count: int) -> tuple[float, Floats, Floats]:
    """Log-likelihood, gradient and observed information (minus the Hessian) in (τ, β)."""
    t = cumulative.terms(places, parameters[:count], design @ parameters[count:])
    above, below = cumulative.threshold_columns(places, count)
    gradient = np.concatenate([above.T @ t.up - below.T @ t.down, design.T @ t.score])
    p_upper, p_lower = t.up * _ratio(t.slope_upper, t.f_upper), t.down * _ratio(t.slope_lower, t.f_lower)
    information = np.zeros((len(parameters), len(parameters)))
    crossing = above.T @ ((t.up * t.down)[:, None] * below)
    information[:count, :count] = (
        above.T @ ((t.up**2 - p_upper)[:, None] * above) + below.T @ ((t.down**2 + p_lower)[:, None] * below)
    ) - crossing - crossing.T  # fmt: skip
    mixed = (above * t.f_upper[:, None] + below * t.f_lower[:, None]).T @ design
    information[:count, count:], information[count:, :count] = -mixed, -mixed.T
    information[count:, count:] = design.T @ (t.weight[:, None] * design)
    return float(t.loglik.sum()), gradient, information


def _ratio(slope: Floats, density: Floats) -> Floats:
    return np.divide(slope, density, out=np.zeros_like(slope), where=density > 0)


def _scores(parameters: Floats, places: Codes, design: Floats, count: int) -> Floats:
    t = cumulative.terms(places, parameters[:count], design @ parameters[count:])
    above, below = cumulative.threshold_columns(places, count)
    return np.hstack([above * t.up[:, None] - below * t.down[:, None], design * t.score[:, None]])


def ordered_levels(values: ArrayLike) -> Sequence[float]:
    """The categories in use, from the lowest."""
    return [float(value) for value in np.unique(numbers(values))]
