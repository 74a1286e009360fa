"""Categories counted by group become a chi-square test, as if independent or corrected for clusters (Rao–Scott)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from empathic.records import Estimate
from empathic.statistics import effects, noncentral
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Floats, codes, lengths_differ
from empathic.statistics.linear import summed_by


class Clustered(NamedTuple):
    """The same independence tested with Rao & Scott's corrections and by a cluster Wald test."""

    first_order: Estimate
    second_order: Estimate
    wald: Estimate


def counts(categories: ArrayLike, groups: ArrayLike) -> Floats:
    """How often each category (column) occurs in each group (row), both sorted."""
    (rows, r), (columns, c) = codes(groups), codes(categories)
    return np.bincount(r * len(columns) + c, minlength=len(rows) * len(columns)).reshape(len(rows), -1).astype(float)


def chi_square(table: ArrayLike, *, level: float = 0.95) -> Estimate:
    """Pearson's χ² without continuity correction, every count taken as independent; value Cramér's V."""
    size = effects.cramers_v(table, level=level)
    observed, method = np.asarray(table, float), "pearson_chi_square.v1"
    if size.value is None or size.low is None or size.high is None:
        return absent("association", method, size.missing or "no table", n=size.n)
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / observed.sum()
    details = {**size.details, "effect": "cramers_v", "expected_below_5": int((expected < 5).sum())}
    return estimate(
        "association", size.value, method, interval=(size.low, size.high), level=level, n=size.n,
        statistic=size.statistic, df=size.df, p=size.p, details=details,
    )  # fmt: skip


def rao_scott(categories: ArrayLike, groups: ArrayLike, clusters: ArrayLike) -> Clustered:
    """χ² corrected for clustering by the generalised design effects δ (Rao & Scott 1984).

    First order: χ²/δ̄ on (r-1)(c-1) df. Second order (Satterthwaite): χ²/(δ̄(1+a²)) on df/(1+a²), a² the squared
    coefficient of variation of the δ. Wald: h'V⁻¹h of h = p_rc - p_r·p_c with the clusters' covariance,
    F = (G-q)/((G-1)q)·W on (q, G-q).
    """
    problem = _problem(categories, groups, clusters)
    if problem:
        return Clustered(*(absent("association", method, problem) for method in _METHODS))
    table = counts(categories, groups)
    chi2, df = effects.pearson(table)
    h, covariance, independent, size = _independence(categories, groups, clusters)
    n = int(table.sum())
    v = float(np.sqrt(chi2 / (n * min(table.shape[0] - 1, table.shape[1] - 1))))
    ratio = np.linalg.solve(independent, covariance)
    mean = float(np.trace(ratio)) / df
    if not mean > 1e-12:
        return Clustered(
            *(absent("association", method, "the clusters do not vary at all", n=n) for method in _METHODS)
        )
    spread = max(0.0, float(np.trace(ratio @ ratio)) / df / mean**2 - 1)
    return Clustered(
        _corrected(_METHODS[0], v, chi2 / mean, df, n, mean),
        _corrected(_METHODS[1], v, chi2 / (mean * (1 + spread)), df / (1 + spread), n, mean),
        _wald(h, covariance, v, size, n),
    )


def stratified_ratio(
    events: ArrayLike,
    totals: ArrayLike,
    first: ArrayLike,
    strata: ArrayLike,
    clusters: ArrayLike,
    *,
    level: float = 0.95,
) -> Estimate:
    """The share of events among totals in the first arm over that in the second, adjusted for strata.

    Mantel & Haenszel's ratio Σ(a·n₀/N)/Σ(c·n₁/N) over strata; its interval is on the log scale with the
    delete-one-cluster jackknife (Efron & Tibshirani 1993, ch. 11), t(G-1). `first` says which rows are in that arm.
    """
    method, sums = "mantel_haenszel_ratio.v1", _arm_sums(events, totals, first, strata, clusters)
    if isinstance(sums, str):
        return absent("ratio", method, sums)
    whole = sums.sum(axis=0)
    ratios = _mantel_haenszel(np.concatenate([whole[None], whole - sums]))
    if not np.isfinite(ratios).all() or (ratios <= 0).any():
        return absent("ratio", method, "an arm has no events, with or without one of the clusters")
    logs, g = np.log(ratios[1:]), len(sums)
    error = float(np.sqrt((g - 1) / g * ((logs - logs.mean()) ** 2).sum()))
    if not error > 0:
        return absent("ratio", method, "the clusters do not differ")
    log, half = float(np.log(ratios[0])), noncentral.t_quantile(level, g - 1) * error
    return estimate(
        "ratio", float(ratios[0]), method, interval=(float(np.exp(log - half)), float(np.exp(log + half))), level=level,
        n=g, statistic=log / error, df=(g - 1,), p=float(2 * stats.t.sf(abs(log / error), g - 1)),
        details={"log": log, "se_log": error},
    )  # fmt: skip


def _arm_sums(
    events: ArrayLike, totals: ArrayLike, first: ArrayLike, strata: ArrayLike, clusters: ArrayLike
) -> Floats | str:
    """Events and totals of each cluster × stratum × arm."""
    arrays = {
        "events": np.asarray(events, float),
        "totals": np.asarray(totals, float),
        "first": np.asarray(first, bool),
    }
    given = {"strata": np.asarray(strata), "clusters": np.asarray(clusters)}
    if reason := lengths_differ(**arrays, **given):
        return reason
    if not np.isfinite(arrays["events"]).all() or not np.isfinite(arrays["totals"]).all():
        return "some counts are not numbers; leave them out and say so"
    (names, g), (levels, s) = codes(given["clusters"]), codes(given["strata"])
    if len(names) < 2:
        return "one cluster gives no interval"
    sums = np.zeros((len(names), len(levels), 2, 2))
    np.add.at(sums, (g, s, arrays["first"].astype(int)), np.column_stack([arrays["events"], arrays["totals"]]))
    return sums


def _mantel_haenszel(sums: Floats) -> Floats:
    """The adjusted ratio of each row of (stratum, arm, events and totals)."""
    events, totals = sums[..., 0], sums[..., 1]
    everything = totals.sum(axis=2)
    with np.errstate(divide="ignore", invalid="ignore"):
        weight = np.where(everything > 0, 1 / everything, 0.0)
        above, below = events[..., 1] * totals[..., 0] * weight, events[..., 0] * totals[..., 1] * weight
        return np.asarray(above.sum(axis=1) / below.sum(axis=1))


_METHODS = ("rao_scott_first_order.v1", "rao_scott_second_order.v1", "cluster_wald_independence.v1")


def _problem(categories: ArrayLike, groups: ArrayLike, clusters: ArrayLike) -> str | None:
    arrays = {"categories": np.asarray(categories), "groups": np.asarray(groups), "clusters": np.asarray(clusters)}
    if reason := lengths_differ(**arrays):
        return reason
    if arrays["categories"].dtype.kind == "f" and not np.isfinite(arrays["categories"]).all():
        return "some categories are not numbers; leave them out and say so"
    if len(np.unique(arrays["clusters"])) < 2:
        return "one cluster cannot show how clusters differ"
    return effects.table_problem(counts(categories, groups))


def _independence(categories: ArrayLike, groups: ArrayLike, clusters: ArrayLike) -> tuple[Floats, Floats, Floats, int]:
    """h = p_rc - p_r p_c without the last row and column, its covariance by clusters and if independent; G."""
    (rows, r), (columns, c), (names, g) = codes(groups), codes(categories), codes(clusters)
    n, row, column = len(r), np.eye(len(rows))[r], np.eye(len(columns))[c]
    p_row, p_column = row.mean(axis=0), column.mean(axis=0)
    # the influence of one rating on h: (1[r] - p_r)(1[c] - p_c) - h
    influence = ((row - p_row)[:, :-1, None] * (column - p_column)[:, None, :-1]).reshape(n, -1)
    h = influence.mean(axis=0)
    totals = summed_by(influence - h, g, len(names))
    covariance = totals.T @ totals / n**2 * len(names) / (len(names) - 1)
    independent = np.kron(_multinomial(p_row), _multinomial(p_column)) / n
    return h, covariance, independent, len(names)


def _multinomial(share: Floats) -> Floats:
    return (np.diag(share) - np.outer(share, share))[:-1, :-1]


def _corrected(method: str, value: float, chi2: float, df: float, n: int, deff: float) -> Estimate:
    p = float(stats.chi2.sf(chi2, df))
    details = {"effect": "cramers_v", "mean_design_effect": deff}
    return estimate("association", value, method, n=n, statistic=chi2, df=(df,), p=p, details=details)


def _wald(h: Floats, covariance: Floats, value: float, clusters: int, n: int) -> Estimate:
    df = len(h)
    if clusters <= df or np.linalg.matrix_rank(covariance, hermitian=True) < df:
        return absent("association", _METHODS[2], f"{clusters} clusters cannot carry {df} restrictions", n=n)
    chi2 = float(h @ np.linalg.solve(covariance, h))
    f = chi2 * (clusters - df) / ((clusters - 1) * df)
    p = float(stats.f.sf(f, df, clusters - df))
    details = {"effect": "cramers_v", "chi2": chi2}
    return estimate("association", value, _METHODS[2], n=n, statistic=f, df=(df, clusters - df), p=p, details=details)
