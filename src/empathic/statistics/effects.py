"""Two samples, a table or an F become an effect size with its interval: how large, not only whether.

Every function returns one `Estimate`; what cannot be estimated is missing with its reason.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from empathic.records import Estimate
from empathic.statistics import noncentral
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Floats, constant, numbers, reason_against


def mean(values: ArrayLike, *, level: float = 0.95) -> Estimate:
    """x̄ ± t(n-1) · s/√n; the standard error is in `details`."""
    sample, method = numbers(values), "mean.v1"
    if reason := reason_against(sample, least=1):
        return absent("mean", method, reason, n=len(sample))
    if len(sample) == 1:
        return absent("mean", method, "one value has no interval", n=1)
    error = float(sample.std(ddof=1) / np.sqrt(len(sample)))
    half, value = noncentral.t_quantile(level, len(sample) - 1) * error, float(sample.mean())
    return estimate(
        "mean",
        value,
        method,
        interval=(value - half, value + half),
        level=level,
        n=len(sample),
        df=(len(sample) - 1,),
        details={"se": error},
    )


def difference(first: ArrayLike, second: ArrayLike, *, equal_variances: bool = False, level: float = 0.95) -> Estimate:
    """Mean of `first` minus mean of `second` with Welch's t (or Student's, with equal variances).

    Welch: t = (x̄₁ - x̄₂)/√(s₁²/n₁ + s₂²/n₂), df of Satterthwaite (Welch 1947).
    """
    a, b = numbers(first), numbers(second)
    method = "student.v1" if equal_variances else "welch.v1"
    if reason := reason_against(a, b, least=2) or (constant(a, b) and "no value varies within a group" or None):
        return absent("difference", method, reason, n=len(a) + len(b))
    error, df = _pooled_error(a, b) if equal_variances else _welch_error(a, b)
    return t_estimate(
        "difference", float(a.mean() - b.mean()), error, df, method=method, n=len(a) + len(b), level=level
    )


def paired_difference(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> Estimate:
    """Mean of the differences of pairs with t = d̄/(s_d/√n), df = n - 1: the *paired* t test."""
    a, b, method = numbers(first), numbers(second), "paired_t.v1"
    if len(a) != len(b):
        return absent("difference", method, f"{len(a)} and {len(b)} values do not pair", n=len(a))
    gap = a - b
    if reason := reason_against(gap, least=2) or (constant(gap) and "all differences are equal" or None):
        return absent("difference", method, reason, n=len(gap))
    error = float(gap.std(ddof=1) / np.sqrt(len(gap)))
    return t_estimate("difference", float(gap.mean()), error, len(gap) - 1, method=method, n=len(gap), level=level)


def t_estimate(
    name: str, value: float, error: float, df: float, *, method: str, n: int, level: float = 0.95
) -> Estimate:
    """A value with its standard error as an estimate: t, two-sided p and interval."""
    t, half = value / error, noncentral.t_quantile(level, df) * error
    return estimate(
        name,
        value,
        method,
        interval=(value - half, value + half),
        level=level,
        n=n,
        statistic=t,
        df=(df,),
        p=float(2 * stats.t.sf(abs(t), df)),
        details={"se": error},
    )


def cohens_d(first: ArrayLike, second: ArrayLike, *, corrected: bool = False, level: float = 0.95) -> Estimate:
    """d = (x̄₁ - x̄₂)/s_pooled, interval from the noncentral t (Cohen 1988; Steiger & Fouladi 1997).

    `corrected` multiplies by Hedges' exact J = Γ(ν/2)/(√(ν/2) Γ((ν-1)/2)), ν = n₁ + n₂ - 2 (Hedges 1981).
    """
    a, b, method = numbers(first), numbers(second), "hedges_g.v1" if corrected else "cohens_d.v1"
    if reason := reason_against(a, b, least=2) or (constant(a, b) and "no value varies within a group" or None):
        return absent("d", method, reason, n=len(a) + len(b))
    error, df = _pooled_error(a, b)
    root = float(np.sqrt(1 / len(a) + 1 / len(b)))
    factor = root * (_hedges(df) if corrected else 1.0)
    return _from_t("d", float(a.mean() - b.mean()) / error, df, factor, method=method, n=len(a) + len(b), level=level)


def cohens_dz(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> Estimate:
    """d_z = mean of the paired differences over their standard deviation; interval from the noncentral t."""
    paired, method = paired_difference(first, second, level=level), "cohens_dz.v1"
    if paired.value is None or paired.statistic is None or paired.n is None:
        return absent("d_z", method, paired.missing or "no paired t", n=paired.n)
    return _from_t("d_z", paired.statistic, paired.n - 1, paired.n**-0.5, method=method, n=paired.n, level=level)


def eta_squared(
    f: float, df1: float, df2: float, *, ss_error: float = 1.0, ss_others: Sequence[float] = (), level: float = 0.95
) -> Estimate:
    """Generalised η² = SS_effect / (SS_effect + all measured sums of squares) (Olejnik & Algina 2003).

    SS_effect = F · df1 · SS_error/df2; `ss_others` are the other error strata (subjects, their interactions); without
    them this is the classical η² of a between design. Interval: λ/(λ + N·r), λ the noncentral-F limits,
    N = df1 + df2 + 1 and r = (SS_error + Σ others)/SS_error: exact for r = 1 (Steiger 2004), approximate otherwise;
    an upper limit below the value itself (F far below 1) is the value.
    """
    method = "generalized_eta_squared.v1"
    if not (np.isfinite([f, df1, df2, ss_error, *ss_others]).all() and f >= 0 and df1 > 0 and df2 > 0 and ss_error > 0):
        return absent("eta_squared", method, f"F = {f}, df = ({df1}, {df2}) with error {ss_error} gives no effect size")
    ratio = (ss_error + sum(ss_others)) / ss_error
    low, high = noncentral.f_interval(f, df1, df2, level=level)
    cases = (df1 + df2 + 1) * ratio
    value = f * df1 / (f * df1 + df2 * ratio)
    return estimate(
        "eta_squared",
        value,
        method,
        interval=(low / (low + cases), max(value, high / (high + cases))),
        level=level,
        statistic=f,
        df=(df1, df2),
        p=float(stats.f.sf(f, df1, df2)),
        details={"cohens_f": float(np.sqrt(value / (1 - value)))},
    )


def cramers_v(table: ArrayLike, *, level: float = 0.95) -> Estimate:
    """V = √(χ²/(n·min(r-1, c-1))), interval √(λ/(n·m)) with λ the noncentral-χ² limits (Smithson 2003)."""
    counts, method = np.asarray(table, float), "cramers_v.v1"
    if reason := table_problem(counts):
        return absent("cramers_v", method, reason, n=_total(counts))
    chi2, df = pearson(counts)
    scale = counts.sum() * min(counts.shape[0] - 1, counts.shape[1] - 1)
    low, high = noncentral.chi2_interval(chi2, df, level=level)
    return estimate(
        "cramers_v",
        float(np.sqrt(chi2 / scale)),
        method,
        interval=(float(np.sqrt(low / scale)), min(1.0, float(np.sqrt(max(high, chi2) / scale)))),
        level=level,
        n=_total(counts),
        statistic=chi2,
        df=(df,),
        p=float(stats.chi2.sf(chi2, df)),
        details={"cohens_w": float(np.sqrt(chi2 / counts.sum()))},
    )


def odds_ratio(table: ArrayLike, *, level: float = 0.95) -> Estimate:
    """(a·d)/(b·c) of [[a, b], [c, d]] with Woolf's interval exp(log OR ± z·√(1/a + 1/b + 1/c + 1/d)) (Woolf 1955)."""
    counts, method = np.asarray(table, float), "odds_ratio.v1"
    if counts.shape != (2, 2):
        return absent("odds_ratio", method, f"a table of 2 × 2 is needed, not {counts.shape}")
    if not np.isfinite(counts).all() or (counts <= 0).any():
        return absent("odds_ratio", method, "a cell of the table is empty: the ratio has no finite interval")
    (a, b), (c, d) = counts
    return _log_ratio("odds_ratio", a * d / (b * c), float(np.sqrt((1 / counts).sum())), method, _total(counts), level)


def risk_ratio(table: ArrayLike, *, level: float = 0.95) -> Estimate:
    """(a/(a+b))/(c/(c+d)) of [[a, b], [c, d]], interval on the log scale (Katz et al. 1978)."""
    counts, method = np.asarray(table, float), "risk_ratio.v1"
    if counts.shape != (2, 2) or not np.isfinite(counts).all() or (counts[:, 0] <= 0).any() or (counts < 0).any():
        return absent("risk_ratio", method, "a table of 2 × 2 with events in both rows is needed")
    totals = counts.sum(axis=1)
    error = float(np.sqrt((1 / counts[:, 0] - 1 / totals).sum()))
    risk = counts[:, 0] / totals
    if error == 0:
        return absent("risk_ratio", method, "every case is an event: the ratio has no interval")
    return _log_ratio("risk_ratio", float(risk[0] / risk[1]), error, method, _total(counts), level)


def cliffs_delta(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> Estimate:
    """δ = P(first > second) - P(first < second), with the asymmetric interval of Feng & Cliff (2004).

    (δ - δ³ ± z·s·√((1-δ²)² + z²s²)) / (1 - δ² + z²s²), s² the unbiased variance of δ (Cliff 1993, eq. 9).
    """
    a, b, method = numbers(first), numbers(second), "cliffs_delta.v1"
    if reason := reason_against(a, b, least=2) or (constant(np.r_[a, b]) and "all values are equal" or None):
        return absent("cliffs_delta", method, reason, n=len(a) + len(b))
    rows, columns, squares = _dominance(a, b)
    delta, variance = float(rows.mean()), _delta_variance(rows, columns, squares)
    if abs(delta) == 1:
        return absent("cliffs_delta", method, "the samples do not overlap: δ is at its bound", n=len(a) + len(b))
    z = float(special.ndtri((1 + level) / 2))
    middle, spread = delta - delta**3, z * np.sqrt(variance) * np.sqrt((1 - delta**2) ** 2 + z**2 * variance)
    scale = 1 - delta**2 + z**2 * variance
    statistic = delta / float(np.sqrt(variance))
    return estimate(
        "cliffs_delta",
        delta,
        method,
        interval=(float((middle - spread) / scale), float((middle + spread) / scale)),
        level=level,
        n=len(a) + len(b),
        statistic=statistic,
        p=float(2 * special.ndtr(-abs(statistic))),
    )


def proportion(successes: int, n: int, *, level: float = 0.95) -> Estimate:
    """k/n with Wilson's score interval, which stays within 0 and 1 (Wilson 1927)."""
    method = "wilson.v1"
    if n < 1 or not 0 <= successes <= n:
        return absent("proportion", method, f"{successes} of {n} is no proportion", n=n)
    z, share = float(special.ndtri((1 + level) / 2)), successes / n
    middle, scale = share + z**2 / (2 * n), 1 + z**2 / n
    half = z * float(np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)))
    return estimate(
        "proportion",
        share,
        method,
        interval=(max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)),
        level=level,
        n=n,
    )


def pearson(counts: Floats) -> tuple[float, int]:
    """χ² = Σ (observed - expected)²/expected and its degrees of freedom (r-1)(c-1)."""
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    return float(((counts - expected) ** 2 / expected).sum()), (counts.shape[0] - 1) * (counts.shape[1] - 1)


def table_problem(counts: Floats) -> str | None:
    """Why a table of counts cannot be tested."""
    if counts.ndim != 2 or min(counts.shape) < 2:
        return f"a table of at least 2 × 2 is needed, not {counts.shape}"
    if not np.isfinite(counts).all() or (counts < 0).any():
        return "counts must be numbers from 0"
    if not counts.sum(axis=0).all() or not counts.sum(axis=1).all():
        return "a whole row or column of the table is empty; leave that level out"
    return None


def _pooled_error(a: Floats, b: Floats) -> tuple[float, float]:
    df = len(a) + len(b) - 2
    variance = (a.var(ddof=1) * (len(a) - 1) + b.var(ddof=1) * (len(b) - 1)) / df
    return float(np.sqrt(variance * (1 / len(a) + 1 / len(b)))), float(df)


def _welch_error(a: Floats, b: Floats) -> tuple[float, float]:
    parts = np.array([a.var(ddof=1) / len(a), b.var(ddof=1) / len(b)])
    df = parts.sum() ** 2 / (parts**2 / (np.array([len(a), len(b)]) - 1)).sum()
    return float(np.sqrt(parts.sum())), float(df)


def _from_t(name: str, t: float, df: float, factor: float, *, method: str, n: int, level: float) -> Estimate:
    low, high = noncentral.t_interval(t, df, level=level)
    return estimate(
        name,
        t * factor,
        method,
        interval=(low * factor, high * factor),
        level=level,
        n=n,
        statistic=t,
        df=(df,),
        p=float(2 * stats.t.sf(abs(t), df)),
    )


def _hedges(df: float) -> float:
    return float(np.exp(special.gammaln(df / 2) - special.gammaln((df - 1) / 2)) / np.sqrt(df / 2))


def _log_ratio(name: str, value: float, error: float, method: str, n: int, level: float) -> Estimate:
    z = float(np.log(value)) / error
    half = float(special.ndtri((1 + level) / 2)) * error
    return estimate(
        name,
        float(value),
        method,
        interval=(float(value * np.exp(-half)), float(value * np.exp(half))),
        level=level,
        n=n,
        statistic=z,
        p=float(2 * special.ndtr(-abs(z))),
        details={"log": float(np.log(value)), "se_log": error},
    )


def _dominance(a: Floats, b: Floats) -> tuple[Floats, Floats, float]:
    """Mean dominance of each element of `a` over `b`, of `a` over each of `b`, and Σ d_ij², without the n × m table."""
    sorted_a, sorted_b = np.sort(a), np.sort(b)
    below, upto = np.searchsorted(sorted_b, a, "left"), np.searchsorted(sorted_b, a, "right")
    rows = (below + upto - len(b)) / len(b)
    columns = (2 * len(a) - np.searchsorted(sorted_a, b, "left") - np.searchsorted(sorted_a, b, "right")) / len(a) - 1
    ties = float((upto - below).sum())
    return np.asarray(rows, float), np.asarray(columns, float), len(a) * len(b) - ties


def _delta_variance(rows: Floats, columns: Floats, squares: float) -> float:
    n, m, delta = len(rows), len(columns), rows.mean()
    between = m**2 * ((rows - delta) ** 2).sum() + n**2 * ((columns - delta) ** 2).sum()
    unbiased = (between - (squares - n * m * delta**2)) / (n * m * (n - 1) * (m - 1))
    floor = (1 - delta**2) / (n * m - 1)  # the unbiased estimate may fall below what any variance can be (Cliff 1993)
    return float(max(unbiased, floor))


def _total(counts: Floats) -> int:
    return int(np.nansum(counts))
