"""Oracles: scipy, statsmodels, pingouin, and R 4.2 for the rank tests (the calls stand in the docstrings)."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.oneway import anova_oneway

from empathic.statistics import comparisons

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pandas
    import pingouin

A, B, C = [1, 2, 2, 3, 5, 4, 4, 1, 3, 2], [2, 3, 3, 3, 5, 5, 4, 2, 5, 1], [3, 3, 4, 5]
VALUES, GROUPS = np.array(A + B + C, float), np.repeat(["a", "b", "c"], [10, 10, 4])


@pytest.mark.parametrize("seed", range(5))
def test_one_way_anova_is_that_of_scipy_on_unbalanced_groups(seed: int) -> None:
    random = np.random.default_rng(seed)
    groups = np.concatenate([[0, 0, 1, 1, 2, 2, 3, 3], random.integers(0, 4, 50)])
    values = random.integers(1, 6, 58) + 0.3 * groups
    oracle = stats.f_oneway(*[values[groups == g] for g in range(4)])
    found = comparisons.one_way(values, groups)
    assert (found.statistic, found.p) == pytest.approx((oracle.statistic, oracle.pvalue))
    assert found.df == (3, 54)
    assert found.low <= found.value <= found.high


def test_welchs_test_is_that_of_r() -> None:
    """oneway.test(y ~ g)"""
    found = comparisons.welch(VALUES, GROUPS)
    assert (found.statistic, *found.df, found.p) == pytest.approx((1.298904209984, 2, 10.264102245824, 0.314150994038))
    oracle = anova_oneway(VALUES, GROUPS, use_var="unequal")
    assert found.statistic == pytest.approx(oracle.statistic)


def test_kruskal_wallis_is_that_of_r() -> None:
    """kruskal.test(list(a, b, c))"""
    found = comparisons.kruskal_wallis(VALUES, GROUPS)
    assert (found.statistic, found.p) == pytest.approx((2.125399543379, 0.345521720224))
    assert found.value == pytest.approx(2.125399543379 / 23)
    assert found.low == 0
    assert stats.ncx2.cdf(2.125399543379, 2, found.high * 23) == pytest.approx(0.025, abs=1e-6)


def test_mann_whitney_is_that_of_r() -> None:
    """wilcox.test(a, b, exact = FALSE)"""
    found = comparisons.mann_whitney(A, B)
    assert (found.statistic, found.p) == pytest.approx((37.5, 0.353633112046))
    assert found.value == pytest.approx(-0.25)


def test_wilcoxon_is_that_of_r() -> None:
    """wilcox.test(a, b, paired = TRUE, exact = FALSE)"""
    found = comparisons.wilcoxon(A, B)
    assert (found.statistic, found.p) == pytest.approx((3.5, 0.0707598148031))


def test_the_rank_biserial_of_pairs_is_that_of_pingouin() -> None:
    oracle = pingouin.wilcoxon(np.array(A, float), np.array(B, float))
    column = next(name for name in oracle.columns if name.lower() == "rbc")
    assert comparisons.wilcoxon(A, B).value == pytest.approx(float(oracle[column].iloc[0]))


def test_block_means_are_the_repeated_measures_anova_of_pingouin() -> None:
    random = np.random.default_rng(4)
    blocks, groups = np.repeat(np.arange(12), 6), np.tile(["x", "x", "y", "y", "z", "z"], 12)
    values = random.normal(size=12)[blocks] + random.normal(size=72) + (groups == "z")
    frame = pandas.DataFrame({"v": values, "g": groups, "b": blocks}).groupby(["b", "g"], as_index=False).v.mean()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        oracle = pingouin.rm_anova(frame, dv="v", within="g", subject="b").iloc[0]
    found = comparisons.block_means(values, groups, blocks)
    assert found.statistic == pytest.approx(oracle["F"])
    assert found.df == (2, 22)
    pair = comparisons.block_mean_difference(values, groups, blocks, pair=("z", "x"))
    wide = frame.pivot(index="b", columns="g", values="v")
    assert pair.statistic == pytest.approx(stats.ttest_rel(wide["z"], wide["x"]).statistic)


def test_blocks_without_all_groups_are_left_out_and_counted() -> None:
    values, groups = [1, 2, 3, 5, 2, 9], ["a", "b", "a", "b", "a", "b"]
    found = comparisons.block_means([*values, 4], [*groups, "a"], [1, 1, 2, 2, 3, 3, 4])
    assert found.details["blocks"] == 3
    assert found.details["blocks_left_out"] == 1
    assert found.statistic == pytest.approx(stats.ttest_rel([1, 3, 2], [2, 5, 9]).statistic ** 2)


@pytest.mark.parametrize(
    "found",
    [
        comparisons.one_way([], []),
        comparisons.one_way([1, 2, 3], ["a", "a", "a"]),
        comparisons.one_way([1, 1, 2, 2], ["a", "a", "b", "b"]),
        comparisons.one_way([1, 2], ["a", "b"]),
        comparisons.one_way([1, float("nan"), 2, 2], ["a", "a", "b", "b"]),
        comparisons.one_way([1, 2, 3], ["a", "b"]),
        comparisons.welch([1, 2, 3], ["a", "a", "b"]),
        comparisons.welch([1, 1, 3, 4], ["a", "a", "b", "b"]),
        comparisons.kruskal_wallis([2, 2, 2], ["a", "b", "b"]),
        comparisons.kruskal_wallis([2, 3], ["a", "a"]),
        comparisons.mann_whitney([], [1]),
        comparisons.mann_whitney([1, 1], [1]),
        comparisons.wilcoxon([1, 2], [1, 2]),
        comparisons.wilcoxon([1], [1, 2]),
        comparisons.wilcoxon([1, float("nan")], [1, 2]),
        comparisons.block_means([1, 2, 3], ["a", "b", "a"], [1, 1, 2]),
        comparisons.block_means([1, 2, 2, 3], ["a", "b", "a", "b"], [1, 1, 2, 2]),
        comparisons.block_means([1, 2], ["a", "a"], [1, 2]),
        comparisons.block_mean_difference([1, 2, 3], ["a", "b", "a"], [1, 1, 2], pair=("a", "b")),
        comparisons.block_mean_difference([1, 2, 3, 4], ["a", "b", "a", "b"], [1, 1, 2, 2], pair=("a", "q")),
    ],
)
def test_degenerate_input_is_missing_with_a_reason(found) -> None:
    assert found.value is None
    assert found.missing


@pytest.mark.slow
@pytest.mark.parametrize("name", ["one_way", "welch", "kruskal_wallis"])
def test_a_true_null_of_independent_values_is_rejected_as_often_as_it_says(name: str, null_rate) -> None:
    test = getattr(comparisons, name)
    groups = np.repeat([0, 1, 2], [30, 40, 50])
    null_rate(lambda random: test(random.normal(size=120), groups).p, runs=4000)


@pytest.mark.slow
def test_block_means_hold_their_level_with_rater_and_item_effects(null_rate) -> None:
    part, group = np.repeat(np.arange(20), 30), np.tile(np.repeat([0, 1, 2], 10), 20)
    item = part * 10 + np.tile(np.arange(10), 60)

    def once(random: np.random.Generator) -> float:
        rater = random.normal(0, 0.5, 60)[part * 3 + group]
        values = np.clip(
            np.round(2.3 + rater + 0.3 * random.normal(size=200)[item] + 0.6 * random.normal(size=600)), 1, 3
        )
        return comparisons.block_means(values, group, part).p

    null_rate(once, runs=2000)
