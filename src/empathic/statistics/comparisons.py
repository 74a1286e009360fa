"""Values of several groups become one test with its effect size: ANOVA, Welch, block means, Kruskal–Wallis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from empathic.records import Estimate
from empathic.statistics import effects, noncentral
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Floats, codes, constant, lengths_differ, numbers, reason_against, split


def one_way(values: ArrayLike, groups: ArrayLike, *, level: float = 0.95) -> Estimate:
    """One-way ANOVA, every value taken as independent: F = MS_between/MS_within, value η² (Fisher 1925)."""
    method = "one_way_anova.v1"
    samples = _samples(values, groups, least=1)
    if isinstance(samples, str):
        return absent("groups", method, samples, n=len(numbers(values)))
    df1, df2 = len(samples) - 1, sum(map(len, samples)) - len(samples)
    if df2 < 1 or constant(*samples):
        return absent("groups", method, "no value varies within a group", n=df1 + df2 + 1)
    grand = np.concatenate(samples).mean()
    between = sum(len(sample) * (sample.mean() - grand) ** 2 for sample in samples)
    within = sum(((sample - sample.mean()) ** 2).sum() for sample in samples)
    return _from_f(between / df1 / (within / df2), df1, df2, method, level, float(within))


def welch(values: ArrayLike, groups: ArrayLike) -> Estimate:
    """Welch's one-way test without equal variances (Welch 1951); value F·df1/(F·df1 + df2), as η² of an ordinary F."""
    method = "welch_anova.v1"
    samples = _samples(values, groups, least=2)
    if isinstance(samples, str):
        return absent("groups", method, samples, n=len(numbers(values)))
    if any(constant(sample) for sample in samples):
        return absent("groups", method, "a group does not vary: its weight would be infinite")
    sizes, k = np.array([len(sample) for sample in samples]), len(samples)
    weights = sizes / np.array([sample.var(ddof=1) for sample in samples])
    means = np.array([sample.mean() for sample in samples])
    centre = (weights * means).sum() / weights.sum()
    lack = (((1 - weights / weights.sum()) ** 2) / (sizes - 1)).sum()
    f = (weights * (means - centre) ** 2).sum() / (k - 1) / (1 + 2 * (k - 2) / (k**2 - 1) * lack)
    return _from_f(float(f), k - 1, float((k**2 - 1) / (3 * lack)), method, 0.95, 1.0, n=int(sizes.sum()))


def block_means(values: ArrayLike, groups: ArrayLike, blocks: ArrayLike, *, level: float = 0.95) -> Estimate:
    """ANOVA of the means of block × group, blocks out: F = MS(group)/MS(block × group), df (k-1), (k-1)(b-1).

    Where each block holds one rater per group, MS(block × group) is the variance between raters, so this is the exact
    mixed-model F of a balanced design (Scheffé 1959, ch. 8). Blocks without all groups are left out and counted.
    """
    method, table = "block_means_anova.v1", cell_means(values, groups, blocks)
    if isinstance(table, str):
        return absent("groups", method, table, n=len(numbers(values)))
    complete = table[~np.isnan(table).any(axis=1)]
    b, k = complete.shape
    if b < 2:
        return absent("groups", method, f"{b} blocks hold all groups, at least 2 are needed")
    residual = complete - complete.mean(axis=1, keepdims=True) - complete.mean(axis=0) + complete.mean()
    error = float((residual**2).sum())
    if error <= 1e-12 * max(1.0, float((complete**2).sum())):
        return absent("groups", method, "the groups differ equally in every block: there is no error")
    effect = b * float(((complete.mean(axis=0) - complete.mean()) ** 2).sum())
    df1, df2 = k - 1, (k - 1) * (b - 1)
    found = _from_f(effect / df1 / (error / df2), df1, df2, method, level, error, n=b)
    found.details.update(blocks=b, blocks_left_out=len(table) - b)
    return found


def block_mean_difference(
    values: ArrayLike, groups: ArrayLike, blocks: ArrayLike, *, pair: Sequence[Any], level: float = 0.95
) -> Estimate:
    """Paired t test of the means of two groups within blocks: the unit is the block, not the single rating."""
    method, table = "block_mean_t.v1", cell_means(values, groups, blocks)
    if isinstance(table, str):
        return absent("difference", method, table)
    levels = codes(groups)[0].tolist()
    if not set(pair) <= set(levels):
        return absent("difference", method, f"the groups are {levels}, not {list(pair)}")
    two = table[:, [levels.index(pair[0]), levels.index(pair[1])]]
    both = two[~np.isnan(two).any(axis=1)]
    found = effects.paired_difference(both[:, 0], both[:, 1], level=level)
    if found.value is None:
        return absent("difference", method, found.missing or "no pairs", n=len(both))
    return effects.t_estimate(
        "difference", found.value, found.details["se"], len(both) - 1, method=method, n=len(both), level=level
    )


def kruskal_wallis(values: ArrayLike, groups: ArrayLike) -> Estimate:
    """H corrected for ties, χ²(k-1); value ε² = H/(n-1) (Kruskal & Wallis 1952; Tomczak & Tomczak 2014).

    The interval of ε² is that of the noncentral χ², an approximation that is good for small effects.
    """
    method = "kruskal_wallis.v1"
    samples = _samples(values, groups, least=1)
    if isinstance(samples, str):
        return absent("groups", method, samples, n=len(numbers(values)))
    n = sum(map(len, samples))
    if constant(np.concatenate(samples)):
        return absent("groups", method, "all values are equal", n=n)
    h, p = (float(number) for number in stats.kruskal(*samples))
    df, value = len(samples) - 1, h / (n - 1)
    low, high = noncentral.chi2_interval(h, df)
    interval = low / (n - 1), max(value, high / (n - 1))
    return estimate("groups", value, method, interval=interval, n=n, statistic=h, df=(df,), p=p)


def mann_whitney(first: ArrayLike, second: ArrayLike, *, level: float = 0.95) -> Estimate:
    """U with the normal approximation, ties and continuity corrected; value Cliff's δ = 2U/(n₁n₂) - 1."""
    a, b, method = numbers(first), numbers(second), "mann_whitney.v1"
    if reason := reason_against(a, b) or (constant(np.r_[a, b]) and "all values are equal" or None):
        return absent("cliffs_delta", method, reason, n=len(a) + len(b))
    found = stats.mannwhitneyu(a, b, method="asymptotic")
    interval = effects.cliffs_delta(a, b, level=level)
    bounds = None if interval.low is None or interval.high is None else (interval.low, interval.high)
    value = 2 * float(found.statistic) / (len(a) * len(b)) - 1
    return estimate(
        "cliffs_delta", value, method, interval=bounds, level=level, n=len(a) + len(b),
        statistic=float(found.statistic), p=float(found.pvalue),
    )  # fmt: skip


def wilcoxon(first: ArrayLike, second: ArrayLike) -> Estimate:
    """Signed ranks of paired differences (zeros dropped, ties corrected); value the matched rank-biserial (W⁺-W⁻)/S."""
    a, b, method = numbers(first), numbers(second), "wilcoxon.v1"
    if len(a) != len(b):
        return absent("rank_biserial", method, f"{len(a)} and {len(b)} values do not pair")
    gap = a - b
    if reason := reason_against(gap):
        return absent("rank_biserial", method, reason, n=len(gap))
    gap = gap[gap != 0]
    if len(gap) < 1:
        return absent("rank_biserial", method, "no pair differs", n=len(a))
    ranks = stats.rankdata(np.abs(gap))
    positive, total = float(ranks[gap > 0].sum()), float(ranks.sum())
    away = abs(positive - total / 2)
    z = max(0.0, away - 0.5) / float(np.sqrt((ranks**2).sum() / 4))
    return estimate(
        "rank_biserial", 2 * positive / total - 1, method, n=len(a), statistic=positive, p=float(2 * special.ndtr(-z))
    )


def cell_means(values: ArrayLike, groups: ArrayLike, blocks: ArrayLike) -> Floats | str:
    """The means of block × group (NaN for an empty cell), or the reason why there are none."""
    numeric = numbers(values)
    if reason := lengths_differ(values=numeric, groups=np.asarray(groups), blocks=np.asarray(blocks)):
        return reason
    if reason := reason_against(numeric, least=2):
        return reason
    (levels, columns), (names, rows) = codes(groups), codes(blocks)
    if len(levels) < 2:
        return "there is one group only"
    sums, counts = np.zeros((len(names), len(levels))), np.zeros((len(names), len(levels)))
    np.add.at(sums, (rows, columns), numeric)
    np.add.at(counts, (rows, columns), 1)
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def _samples(values: ArrayLike, groups: ArrayLike, *, least: int) -> list[Floats] | str:
    numeric = numbers(values)
    if reason := lengths_differ(values=numeric, groups=np.asarray(groups)):
        return reason
    samples = split(numeric, groups)
    if len(samples) < 2:
        return "there is one group only" if samples else "there are no values"
    return reason_against(*samples, least=least) or samples


def _from_f(
    f: float, df1: float, df2: float, method: str, level: float, error: float, *, n: int | None = None
) -> Estimate:
    effect = effects.eta_squared(f, df1, df2, ss_error=error, level=level)
    if effect.value is None or effect.low is None or effect.high is None:
        return absent("groups", method, effect.missing or "no effect size", n=n)
    return estimate(
        "groups", effect.value, method, interval=(effect.low, effect.high), level=level,
        n=int(df1 + df2 + 1) if n is None else n, statistic=f, df=(df1, df2), p=effect.p,
        details={"effect": "eta_squared", **effect.details},
    )  # fmt: skip
