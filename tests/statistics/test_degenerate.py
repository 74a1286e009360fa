"""Every analysis of ratings, on data that cannot be analysed: a reason, never a crash or a wild number."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from empathic.records import Estimate
from empathic.statistics import clusters, comparisons, effects, factorial, permutation, slopes, tables
from empathic.statistics.brant import brant
from empathic.statistics.linear_mixed import linear_mixed
from empathic.statistics.ordinal import proportional_odds
from empathic.statistics.ordinal_mixed import ordinal_mixed

Data = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
RANDOM = np.random.default_rng(7)


def data(values, groups, raters, items) -> Data:
    return np.asarray(values, float), np.asarray(groups), np.asarray(raters), np.asarray(items)


TWELVE = np.arange(12)
CASES: dict[str, Data] = {
    "nothing": data([], [], [], []),
    "one value": data([2], ["a"], [1], [1]),
    "two values": data([1, 3], ["a", "b"], [1, 2], [1, 1]),
    "one group": data(RANDOM.integers(1, 4, 12), ["a"] * 12, TWELVE // 3, TWELVE % 3),
    "one rater": data(RANDOM.integers(1, 4, 12), TWELVE % 2, [1] * 12, TWELVE),
    "one item": data(RANDOM.integers(1, 4, 12), TWELVE % 2, TWELVE // 2, [1] * 12),
    "all equal": data([2] * 12, TWELVE % 2, TWELVE // 2, TWELVE % 3),
    "equal within groups": data(TWELVE % 2, TWELVE % 2, TWELVE // 2, TWELVE % 3),
    "equal within raters": data((TWELVE // 2) % 3, (TWELVE // 2) % 2, TWELVE // 2, TWELVE % 2),
    "one rating per rater": data(RANDOM.integers(1, 4, 12), TWELVE % 2, TWELVE, TWELVE % 4),
    "a NaN": data([1, 2, 3, np.nan, *RANDOM.integers(1, 4, 8)], TWELVE % 2, TWELVE // 2, TWELVE % 3),
    "an infinity": data([1, 2, 3, np.inf, *RANDOM.integers(1, 4, 8)], TWELVE % 2, TWELVE // 2, TWELVE % 3),
    "two raters without overlap": data([1, 2, 3, 2], ["a", "a", "b", "b"], [1, 1, 2, 2], [1, 2, 3, 4]),
    "perfect separation": data([1, 1, 2, 1, 2, 1, 3, 3, 3, 3, 3, 3], TWELVE // 6, TWELVE // 2, TWELVE % 3),
    "a group of one": data(RANDOM.integers(1, 4, 12), [0] * 11 + [1], TWELVE // 2, TWELVE % 3),
    "raters in all groups": data(RANDOM.integers(1, 4, 12), TWELVE % 3, TWELVE // 3, TWELVE % 4),
    "huge": data(1e15 + RANDOM.normal(size=12), TWELVE % 2, TWELVE // 2, TWELVE % 3),
    "tiny": data(1e-15 * RANDOM.normal(size=12), TWELVE % 2, TWELVE // 2, TWELVE % 3),
}


def two(d: Data) -> tuple[np.ndarray, np.ndarray]:
    levels = np.unique(d[1])
    first, last = (levels[0], levels[-1]) if len(levels) else (None, None)
    return d[0][d[1] == first], d[0][d[1] == last]


def flat(found: object) -> Iterator[Estimate]:
    if isinstance(found, Estimate):
        yield found
    elif isinstance(found, tuple | list):
        for part in found:
            yield from flat(part)


ANALYSES: dict[str, Callable[[Data], object]] = {
    "mean": lambda d: effects.mean(d[0]),
    "difference": lambda d: effects.difference(*two(d)),
    "paired": lambda d: effects.paired_difference(*two(d)),
    "d": lambda d: effects.cohens_d(*two(d)),
    "d_z": lambda d: effects.cohens_dz(*two(d)),
    "delta": lambda d: effects.cliffs_delta(*two(d)),
    "one way": lambda d: comparisons.one_way(d[0], d[1]),
    "welch": lambda d: comparisons.welch(d[0], d[1]),
    "kruskal": lambda d: comparisons.kruskal_wallis(d[0], d[1]),
    "mann-whitney": lambda d: comparisons.mann_whitney(*two(d)),
    "wilcoxon": lambda d: comparisons.wilcoxon(*two(d)),
    "block means": lambda d: comparisons.block_means(d[0], d[1], d[3]),
    "block difference": lambda d: comparisons.block_mean_difference(d[0], d[1], d[3], pair=(0, 1)),
    "cluster": lambda d: clusters.cluster_test(d[0], d[1], d[2]),
    "cluster two ways": lambda d: clusters.cluster_test(d[0], d[1], d[2], d[3]),
    "design effect": lambda d: clusters.design_effect(d[0], d[1], d[2]),
    "factorial": lambda d: factorial.factorial(d[0], {"group": d[1], "item": d[3]}),
    "permutation": lambda d: permutation.permute_within_blocks(d[0], d[1], d[2], d[3] * 0, draws=49, seed=1),
    "rao-scott": lambda d: tables.rao_scott(d[0], d[1], d[2]),
    "slopes": lambda d: slopes.slopes(d[0], d[3], d[1]),
    "slopes, ols": lambda d: slopes.slopes(d[0], d[3], d[1], errors="ols"),
    "brant": lambda d: brant(d[0], d[1]),
    "brant, clustered": lambda d: brant(d[0], d[1], clusters=d[2]),
    "odds": lambda d: proportional_odds(d[0], d[1]),
    "odds, clustered": lambda d: proportional_odds(d[0], d[1], clusters=d[2]),
    "ordinal mixed": lambda d: ordinal_mixed(d[0], d[1], raters=d[2], items=d[3]),
    "linear mixed": lambda d: linear_mixed(d[0], d[1], raters=d[2], items=d[3]),
    "linear mixed, one factor": lambda d: linear_mixed(d[0], d[1], raters=d[2]),
}


@pytest.mark.parametrize("analysis", ANALYSES)
@pytest.mark.parametrize("case", CASES)
def test_an_estimate_is_whole_or_missing_with_a_reason(analysis: str, case: str) -> None:
    for found in flat(ANALYSES[analysis](CASES[case])):
        assert (found.value is None) == bool(found.missing)
        numbers = [found.value, found.low, found.high, found.statistic, found.p, *found.df]
        assert all(math.isfinite(number) for number in numbers if number is not None)
        assert found.p is None or 0 <= found.p <= 1
        if found.low is not None and found.high is not None:
            assert found.low <= found.value * (1 + 1e-9) + 1e-9
            assert found.value <= found.high * (1 + 1e-9) + 1e-9


@pytest.mark.parametrize("case", ["nothing", "one value", "one group", "all equal", "a NaN", "an infinity"])
@pytest.mark.parametrize(
    "analysis", sorted(set(ANALYSES) - {"mean", "slopes", "slopes, ols", "paired", "d_z", "wilcoxon"})
)
def test_what_cannot_be_compared_has_no_p_value(analysis: str, case: str) -> None:
    found = list(flat(ANALYSES[analysis](CASES[case])))
    whole = [each for each in found if each.value is not None]
    two_samples = analysis in ("difference", "d", "delta", "mann-whitney") and case == "one group"
    assert two_samples or not [each for each in whole if each.p is not None]
