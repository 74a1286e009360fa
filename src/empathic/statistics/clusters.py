"""Ratings with the raters, items or blocks they come from become tests that do not take them as independent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from empathic.records import Estimate
from empathic.statistics import linear
from empathic.statistics.effects import t_estimate
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Floats, codes, constant, lengths_differ, numbers, reason_against, split

FEW = 50  # below this many clusters a true null is rejected in 6 to 12 % of simulated studies (docs/statistics)


def cluster_test(
    values: ArrayLike, groups: ArrayLike, clusters: ArrayLike, second: ArrayLike | None = None
) -> Estimate:
    """Equality of group means with errors clustered one way, or two ways: F(k-1, min(G)-1).

    The value is the standard deviation of the group means, in units of the rating.
    """
    method = "cluster_robust.v1" if second is None else "cluster_robust_two_way.v1"
    prepared = _prepare(values, groups, clusters, second)
    if isinstance(prepared, str):
        return absent("groups", method, prepared, n=len(numbers(values)))
    fit, covariance, df = prepared
    found = linear.wald(fit.coefficients, covariance, linear.equality(len(fit.coefficients)), df)
    if found is None:
        return absent("groups", method, "the clustered covariance cannot be inverted", n=len(fit.residuals))
    return estimate(
        "groups", float(fit.coefficients.std()), method, n=len(fit.residuals), statistic=found.f,
        df=(found.df1, found.df2), p=found.p, details=_caution(df, found.df1),
    )  # fmt: skip


def cluster_difference(
    values: ArrayLike, groups: ArrayLike, clusters: ArrayLike, second: ArrayLike | None = None, *, pair: Sequence[Any],
    level: float = 0.95,
) -> Estimate:  # fmt: skip
    """Mean of group `pair[0]` minus that of `pair[1]`, cluster-robust, all groups fitted together; t(min(G)-1)."""
    method = "cluster_robust.v1" if second is None else "cluster_robust_two_way.v1"
    prepared = _prepare(values, groups, clusters, second)
    levels = codes(groups)[0].tolist()
    if isinstance(prepared, str):
        return absent("difference", method, prepared)
    if not set(pair) <= set(levels):
        return absent("difference", method, f"the groups are {levels}, not {list(pair)}")
    fit, covariance, df = prepared
    contrast = np.zeros(len(levels))
    contrast[levels.index(pair[0])], contrast[levels.index(pair[1])] = 1, -1
    error = float(np.sqrt(contrast @ covariance @ contrast))
    if not error > 0:
        return absent("difference", method, "the clustered error is zero")
    return t_estimate(
        "difference", float(contrast @ fit.coefficients), error, df, method=method, n=len(fit.residuals), level=level
    )


def design_effect(values: ArrayLike, groups: ArrayLike, clusters: ArrayLike) -> Estimate:
    """How many times the variance of the group means grows by clustering: mean of V_cluster/V_independent."""
    method, prepared = "design_effect.v1", _prepare(values, groups, clusters, None)
    if isinstance(prepared, str):
        return absent("design_effect", method, prepared)
    fit, covariance, _ = prepared
    if any(constant(sample) for sample in split(values, groups)):
        return absent("design_effect", method, "a group does not vary")
    alone = np.diag(linear.clustered(fit, np.arange(len(fit.residuals))))
    return estimate("design_effect", float((np.diag(covariance) / alone).mean()), method, n=len(fit.residuals))


def _prepare(
    values: ArrayLike, groups: ArrayLike, clusters: ArrayLike, second: ArrayLike | None
) -> tuple[linear.Fit, Floats, float] | str:
    numeric = numbers(values)
    ways = [np.asarray(way) for way in (clusters, second) if way is not None]
    if reason := lengths_differ(values=numeric, groups=np.asarray(groups), clusters=ways[0], second=ways[-1]):
        return reason
    counts = [len(np.unique(way)) for way in ways]
    if reason := reason_against(numeric, least=2) or (
        constant(*split(numeric, groups)) and "no value varies within a group" or None
    ):
        return reason
    design = linear.indicators(groups)
    if design.shape[1] < 2:
        return "there is one group only"
    if reason := linear.problem(design, clusters=min(counts)):
        return reason
    fit = linear.least_squares(design, numeric)
    covariance = linear.clustered(fit, ways[0]) if second is None else linear.clustered_two_ways(fit, ways[0], ways[1])
    return fit, covariance, float(min(counts) - 1)


def _caution(df: float, restrictions: int) -> dict[str, Any]:
    """Few clusters, or many restrictions for them: the F is too large then, and says so."""
    if df + 1 < FEW:
        return {"caution": f"{df + 1:.0f} clusters: the error is likely too small; prefer rater means or permutation"}
    if restrictions > (df + 1) / 10:
        return {"caution": f"{restrictions} restrictions on {df + 1:.0f} clusters: F is inflated; prefer a bootstrap"}
    return {}
