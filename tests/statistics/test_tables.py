from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import StratifiedTable

from empathic.statistics import effects, tables

Y = [1,2,1,1,1,1,3,2,1,1,2,1,2,2,3,2,1,1,2,2,3,3,2,3,3,2,1,3,3,2,3,2,2,1,2,3,2,2,3,2,1,1,1,1,1,3,3,2,3,3,2,2,2,1,1,2,1,1,1,2]  # fmt: skip  # noqa: E501
GROUPS, CLUSTERS = list("abc" * 20), np.repeat(np.arange(12), 5)


def test_counts_are_groups_by_categories() -> None:
    assert tables.counts([1, 2, 2, 1], ["b", "a", "a", "a"]).tolist() == [[1, 2], [1, 0]]


@pytest.mark.parametrize("seed", range(4))
def test_pearsons_chi_square_is_that_of_scipy(seed: int) -> None:
    table = np.random.default_rng(seed).integers(1, 30, (3, 4))
    found, oracle = tables.chi_square(table), stats.chi2_contingency(table, correction=False)
    assert (found.statistic, found.df[0], found.p) == pytest.approx((oracle.statistic, oracle.dof, oracle.pvalue))
    assert found.details["expected_below_5"] == (oracle.expected_freq < 5).sum()


def test_the_cluster_wald_test_is_that_of_the_r_package_survey() -> None:
    """svychisq(~g + y, svydesign(ids = ~cl, weights = ~1, data = d), statistic = "adjWald")"""
    found = tables.rao_scott(Y, GROUPS, CLUSTERS).wald
    assert (found.statistic, *found.df, found.p) == pytest.approx((2.320909170906, 4, 8, 0.144520130666))


def test_single_cases_as_clusters_leave_the_chi_square_nearly_unchanged() -> None:
    random = np.random.default_rng(0)
    y, g = random.integers(1, 4, 6000), random.integers(0, 3, 6000)
    plain, corrected = tables.chi_square(tables.counts(y, g)), tables.rao_scott(y, g, np.arange(6000))
    assert corrected.first_order.statistic == pytest.approx(plain.statistic, rel=0.02)
    assert corrected.second_order.df[0] == pytest.approx(4, rel=0.01)


def test_every_case_doubled_within_its_cluster_halves_the_chi_square() -> None:
    random = np.random.default_rng(1)
    y, g = random.integers(1, 4, 900), random.integers(0, 3, 900)
    once = tables.rao_scott(y, g, np.arange(900))
    twice = tables.rao_scott(np.repeat(y, 2), np.repeat(g, 2), np.repeat(np.arange(900), 2))
    assert twice.first_order.details["mean_design_effect"] == pytest.approx(
        2 * once.first_order.details["mean_design_effect"]
    )
    assert twice.first_order.statistic == pytest.approx(once.first_order.statistic)


@pytest.mark.parametrize(
    ("categories", "groups", "clusters", "word"),
    [
        ([1, 2, 1], ["a", "a", "a"], [1, 2, 3], "2 × 2"),
        ([1, 1, 1], ["a", "b", "a"], [1, 2, 3], "2 × 2"),
        ([1, 2, 1, 2], ["a", "b", "a", "b"], [1, 1, 1, 1], "one cluster"),
        ([1, 2, float("nan"), 2], ["a", "b", "a", "b"], [1, 2, 3, 4], "not numbers"),
        ([1, 2], ["a"], [1, 2], "lengths"),
    ],
)
def test_degenerate_input_is_missing_with_a_reason(categories, groups, clusters, word) -> None:
    for found in tables.rao_scott(categories, groups, clusters):
        assert found.value is None
        assert word in found.missing


def test_more_restrictions_than_clusters_have_no_wald_test() -> None:
    found = tables.rao_scott(Y[:20], GROUPS[:20], np.repeat([0, 1, 2, 3], 5))
    assert "cannot carry 4 restrictions" in found.wald.missing


def test_a_stratified_ratio_is_the_pooled_risk_ratio_of_statsmodels() -> None:
    random = np.random.default_rng(4)
    strata, first = random.integers(0, 3, 400), random.random(400) < 0.4
    events = random.random(400) < 0.2 + 0.1 * strata + 0.1 * first
    cells = [
        [
            [np.sum(events[(strata == s) & (first == arm)]), np.sum(~events[(strata == s) & (first == arm)])]
            for arm in (True, False)
        ]
        for s in range(3)
    ]
    oracle = StratifiedTable(np.array(cells, float).transpose(1, 2, 0))
    found = tables.stratified_ratio(events, np.ones(400), first, strata, np.arange(400))
    assert found.value == pytest.approx(oracle.riskratio_pooled)
    assert found.low < found.value < found.high


def test_its_interval_without_strata_is_near_katzs() -> None:
    random = np.random.default_rng(5)
    first = np.arange(800) % 2 == 0
    events = random.random(800) < 0.3 + 0.1 * first
    table = [[np.sum(events[first]), np.sum(~events[first])], [np.sum(events[~first]), np.sum(~events[~first])]]
    found = tables.stratified_ratio(events, np.ones(800), first, np.zeros(800), np.arange(800))
    katz = effects.risk_ratio(table)
    assert (found.value, found.low, found.high) == pytest.approx((katz.value, katz.low, katz.high), rel=0.01)


@pytest.mark.parametrize(
    ("events", "first", "clusters", "word"),
    [
        ([0, 0, 1, 1], [True, True, False, False], [1, 2, 3, 4], "no events"),
        ([1, 0, 1, 1], [True, True, False, False], [1, 1, 1, 1], "one cluster"),
        ([1, float("nan"), 1, 1], [True, True, False, False], [1, 2, 3, 4], "not numbers"),
        ([1, 1, 1], [True, True, False, False], [1, 2, 3, 4], "lengths"),
    ],
)
def test_a_ratio_that_cannot_be_had_says_why(events, first, clusters, word) -> None:
    found = tables.stratified_ratio(events, np.ones(len(events)), first, np.zeros(len(events)), clusters)
    assert found.value is None
    assert word in found.missing


@pytest.mark.slow
def test_the_corrections_hold_their_level_and_pearsons_test_does_not(null_rate) -> None:
    cluster, group = np.repeat(np.arange(120), 10), np.repeat(np.arange(120) % 3, 10)

    def ratings(random: np.random.Generator) -> np.ndarray:
        return np.clip(np.round(2 + 0.5 * random.normal(size=120)[cluster] + 0.6 * random.normal(size=1200)), 1, 3)

    null_rate(lambda random: tables.rao_scott(ratings(random), group, cluster).second_order.p, runs=1500)
    with pytest.raises(AssertionError, match="rejected"):
        null_rate(lambda random: tables.chi_square(tables.counts(ratings(random), group)).p, runs=500)
