"""Per-group differences (per emotion, per scenario) become one interaction test and partially pooled estimates.

First the test that the difference is the same in every group (cluster-robust Wald F, and Cochran's Q with τ² by Paule &
Mandel 1982); then each raw difference y shrunk towards the common μ by B = τ² / (τ² + s²): the posterior of the normal
hierarchical model, averaged over τ with a flat prior (Gelman 2006, Bayesian Analysis 1, 515–534), since an interval
that takes one estimated τ for true is too narrow. No claim about a group stands while the interaction does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from scipy import optimize, special, stats

from empathic.errors import SettingError
from empathic.records import Estimate, Json, Record
from empathic.statistics import linear
from empathic.statistics.estimates import Array, absent, estimate, vector
from empathic.statistics.inputs import codes
from empathic.statistics.multiplicity import adjust_family

METHOD, TEST = "partial-pooling.v1", "interaction-cluster-robust.v1"
GRID = 400
NO_CLAIM = "the differences between groups are not established; this group says nothing of its own"


class Pooled(Record, frozen=True):
    """The spread between groups with its test, the common difference, and each group's."""

    heterogeneity: Estimate  # τ with Cochran's Q
    common: Estimate
    groups: tuple[Estimate, ...]
    interaction: Estimate | None = None


def partial_pooling(
    differences: npt.ArrayLike, errors: npt.ArrayLike, *, names: Sequence[str], level: float = 0.95
) -> Pooled:
    """Independent differences with their standard errors, one per group, pooled and shrunk."""
    y, s = vector(differences), vector(errors)
    if not y.size == s.size == len(names):
        raise SettingError(f"{y.size} differences, {s.size} errors and {len(names)} names do not fit together.")
    reason = _unfit(y, s)
    if reason:
        groups = tuple(absent(f"difference in {name}", METHOD, reason, labels={"group": name}) for name in names)
        nothing = absent("common difference", METHOD, reason, n=y.size)
        return Pooled(heterogeneity=absent("τ", METHOD, reason, n=y.size), common=nothing, groups=groups)
    tau2 = paule_mandel(y, s)
    q, k = float((((y - _fixed(y, s)) / s) ** 2).sum()), y.size
    p = float(stats.chi2.sf(q, k - 1))
    share = max(0.0, 1 - (k - 1) / q) if q > 0 else 0.0
    spread = estimate("τ", tau2**0.5, METHOD, n=k, statistic=q, df=(k - 1,), p=p, details={"i2": share})
    mixture = _posterior(y, s) if k > 2 else None
    return Pooled(
        heterogeneity=spread,
        common=_common(y, 1 / (s**2 + tau2), level),
        groups=tuple(_shrink(y, s, place, mixture, names[place], level) for place in range(k)),
    )


def per_group(
    values: npt.ArrayLike,
    *,
    systems: Sequence[str],
    groups: Sequence[str],
    raters: Sequence[str],
    pair: tuple[str, str],
    adjust: str = "holm",
    level: float = 0.95,
) -> Pooled:
    """The difference of two systems in every group: the interaction test, then shrunken and adjusted estimates."""
    y, system, group, rater = vector(values), np.asarray(systems), np.asarray(groups), np.asarray(raters)
    kept = np.isfinite(y) & np.isin(system, pair)
    levels = [str(one) for one in codes(group[kept])[0]]
    found = _cells(y[kept], system[kept], group[kept], rater[kept], pair, levels)
    if isinstance(found, str):
        nothing = [absent(f"difference in {one}", METHOD, found, labels={"group": one}) for one in levels]
        unknown = absent("difference", METHOD, found, n=int(kept.sum()))
        test = absent("interaction", TEST, found, n=int(kept.sum()))
        return Pooled(heterogeneity=unknown, common=unknown, groups=tuple(nothing), interaction=test)
    differences, covariance, raters_count = found
    test = _interaction(differences, covariance, raters_count, int(kept.sum()))
    pooled = partial_pooling(differences, np.sqrt(np.diag(covariance)), names=levels, level=level)
    family = adjust_family(pooled.groups, family=f"{pair[0]} − {pair[1]} per group", method=adjust)
    claimed = test.p is not None and test.p < 1 - level
    groups_found = tuple(one if claimed else _without_claim(one) for one in family)
    return msgspec.structs.replace(pooled, groups=groups_found, interaction=test)


def paule_mandel(y: Array, s: Array) -> float:
    """The τ² at which Σ (y − μ̂)² / (s² + τ²) equals its expectation k − 1; 0 if it is below that already."""

    def excess(tau2: float) -> float:
        weights = 1 / (s**2 + tau2)
        mu = weights @ y / weights.sum()
        return float(weights @ (y - mu) ** 2) - (len(y) - 1)

    if excess(0.0) <= 0:
        return 0.0
    high = float(np.var(y, ddof=1)) + 1e-12
    while excess(high) > 0:
        high *= 2
    return float(optimize.brentq(excess, 0.0, high, xtol=1e-14))


def _unfit(y: Array, s: Array) -> str:
    if y.size < 2:
        return f"there are {y.size} group(s), at least 2 are needed"
    if not (np.isfinite(y).all() and np.isfinite(s).all()):
        return "a group has no difference or no error"
    if (s <= 0).any():
        return "a group's error is zero"
    return ""


def _fixed(y: Array, s: Array) -> float:
    return float((y / s**2).sum() / (1 / s**2).sum())


def _common(y: Array, weights: Array, level: float) -> Estimate:
    """Hartung & Knapp's interval, which knows that τ² is estimated, and is never narrower than the usual one."""
    k, mu = y.size, float(weights @ y / weights.sum())
    variance = max(1.0, float(weights @ (y - mu) ** 2) / (k - 1)) / float(weights.sum())
    error = float(np.sqrt(variance))
    half, t = float(stats.t.ppf((1 + level) / 2, k - 1)) * error, mu / error
    p, span = 2 * float(stats.t.sf(abs(t), k - 1)), (mu - half, mu + half)
    return estimate("common difference", mu, METHOD, interval=span, level=level, n=k, statistic=t, df=(k - 1,), p=p)


class _Posterior(NamedTuple):
    """A mixture of normals over a grid of τ: weight of each τ, and each group's mean, variance and kept share there."""

    weights: Array
    means: Array  # τ × groups
    variances: Array
    kept: Array


def _posterior(y: Array, s: Array) -> _Posterior:
    """p(τ | y) ∝ √V_μ Π N(y_i | μ̂, s_i² + τ²), μ̂ and V_μ given τ; τ = c u / (1 − u) covers 0 … ∞."""
    places = (np.arange(GRID) + 0.5) / GRID
    scale = float(np.mean(s)) + float(np.std(y))
    tau2 = (scale * places / (1 - places)) ** 2
    precision = 1 / (s**2 + tau2[:, None])
    total = precision.sum(axis=1)
    mu = (precision * y).sum(axis=1) / total
    gap = y - mu[:, None]
    log = 0.5 * np.log(precision).sum(axis=1) - 0.5 * (precision * gap**2).sum(axis=1) - 0.5 * np.log(total)
    log -= 2 * np.log(1 - places)
    weights = np.exp(log - log.max())
    kept = tau2[:, None] * precision
    variances = kept * s**2 + (1 - kept) ** 2 / total[:, None]
    return _Posterior(weights / weights.sum(), mu[:, None] + kept * gap, variances, kept)


def _shrink(y: Array, s: Array, place: int, mixture: _Posterior | None, name: str, level: float) -> Estimate:
    """The group's posterior mean and quantiles; of two groups nothing can be learnt about τ, so none is shrunk."""
    raw, error = float(y[place]), float(s[place])
    value, spread, kept = raw, error, 1.0
    half = float(stats.norm.ppf((1 + level) / 2)) * error
    span = (raw - half, raw + half)
    if mixture is not None:
        means, variances = mixture.means[:, place], mixture.variances[:, place]
        value = float(mixture.weights @ means)
        spread = float(np.sqrt(mixture.weights @ (variances + (means - value) ** 2)))
        kept = float(mixture.weights @ mixture.kept[:, place])
        span = (_quantile(mixture, place, (1 - level) / 2), _quantile(mixture, place, (1 + level) / 2))
    return estimate(
        f"difference in {name}",
        value,
        METHOD,
        interval=span,
        level=level,
        n=y.size,
        statistic=value / spread,
        p=2 * float(stats.norm.sf(abs(value / spread))),
        labels={"group": name},
        details={"raw": raw, "raw_error": error, "kept": kept},
    )


def _quantile(mixture: _Posterior, place: int, probability: float) -> float:
    means, spreads = mixture.means[:, place], np.sqrt(mixture.variances[:, place])

    def gap(value: float) -> float:
        return float(mixture.weights @ special.ndtr((value - means) / spreads)) - probability

    reach = 12 * float(spreads.max()) + 1e-6 * float(np.abs(means).max())
    return float(optimize.brentq(gap, float(means.min()) - reach, float(means.max()) + reach, xtol=1e-10))


def _cells(
    y: Array,
    system: npt.NDArray[np.str_],
    group: npt.NDArray[np.str_],
    rater: npt.NDArray[np.str_],
    pair: tuple[str, str],
    levels: list[str],
) -> tuple[Array, Array, int] | str:
    """Difference per group with the cluster-robust covariance of all of them."""
    if len(levels) < 2:
        return f"there are {len(levels)} group(s), at least 2 are needed"
    cells = [f"{one}\x1f{which}" for one, which in zip(group, system, strict=True)]
    wanted = sorted(f"{one}\x1f{which}" for one in levels for which in pair)
    if set(cells) != set(wanted):
        gap = next(cell for cell in wanted if cell not in cells).split("\x1f")
        return f"system '{gap[1]}' has no rating in group '{gap[0]}'"
    raters_count = len(np.unique(rater))
    design = linear.indicators(cells)
    reason = linear.problem(design, clusters=raters_count)
    if reason:
        return reason
    fit = linear.least_squares(design, y)
    contrast = np.zeros((len(levels), len(wanted)))
    for row, one in enumerate(levels):
        contrast[row, wanted.index(f"{one}\x1f{pair[0]}")] = 1
        contrast[row, wanted.index(f"{one}\x1f{pair[1]}")] = -1
    covariance = contrast @ linear.clustered(fit, rater) @ contrast.T
    return contrast @ fit.coefficients, covariance, raters_count


def _interaction(differences: Array, covariance: Array, raters: int, n: int) -> Estimate:
    k = len(differences)
    if raters <= k:
        return absent("interaction", TEST, f"{raters} raters cannot carry {k - 1} restrictions", n=n)
    found = linear.wald(differences, covariance, linear.equality(k), float(raters - 1))
    if found is None:
        return absent("interaction", TEST, "the clustered covariance cannot be inverted", n=n)
    spread = float(np.std(differences))
    details: Json = {"raters": raters}
    if found.df1 > raters / 10:
        details["caution"] = f"{found.df1} restrictions on {raters} raters: F is inflated"
    return estimate(
        "interaction", spread, TEST, n=n, statistic=found.f, df=(found.df1, found.df2), p=found.p, details=details
    )


def _without_claim(one: Estimate) -> Estimate:
    return msgspec.structs.replace(one, details={**one.details, "caution": NO_CLAIM})
