from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from empathic.statistics import clusters, linear


def design(seed: int = 0, raters: int = 40, each: int = 5) -> tuple[np.ndarray, ...]:
    """Unbalanced: raters in three groups of other sizes, items rated by several of them."""
    random = np.random.default_rng(seed)
    rater = np.repeat(np.arange(raters), each)
    group = np.repeat(random.choice(["a", "b", "c"], raters, p=[0.5, 0.3, 0.2]), each)
    item = random.integers(0, 25, raters * each)
    values = random.normal(size=raters)[rater] + 0.5 * random.normal(size=25)[item] + random.normal(size=raters * each)
    return values, group, rater, item


def test_the_f_is_that_of_statsmodels_on_an_unbalanced_design() -> None:
    values, group, rater, item = design()
    cells = linear.indicators(group)
    for ways in ([rater], [item], [rater, item]):
        groups = ways[0] if len(ways) == 1 else np.column_stack(ways)
        model = sm.OLS(values, cells).fit(cov_type="cluster", cov_kwds={"groups": groups}, use_t=True)
        least = min(len(np.unique(way)) for way in ways)
        oracle = model.f_test(np.array([[-1, 1, 0], [-1, 0, 1]]))
        found = clusters.cluster_test(values, group, *ways)
        assert found.statistic == pytest.approx(float(oracle.fvalue))
        assert found.p == pytest.approx(stats.f.sf(float(oracle.fvalue), 2, least - 1))


def test_a_difference_has_the_clustered_interval() -> None:
    values, group, rater, _ = design()
    model = sm.OLS(values, linear.indicators(group)).fit(cov_type="cluster", cov_kwds={"groups": rater}, use_t=True)
    oracle = model.t_test([1, 0, -1])
    found = clusters.cluster_difference(values, group, rater, pair=("a", "c"))
    assert (found.value, found.statistic) == pytest.approx((float(oracle.effect[0]), float(np.ravel(oracle.tvalue)[0])))
    assert found.p == pytest.approx(float(np.ravel(oracle.pvalue)[0]))
    assert (found.low, found.high) == pytest.approx(tuple(oracle.conf_int()[0]))


def test_raters_that_agree_with_themselves_raise_the_design_effect() -> None:
    random = np.random.default_rng(1)
    rater, group = np.repeat(np.arange(300), 10), np.repeat(np.arange(300) % 3, 10)
    values = random.normal(0, 0.5, 300)[rater] + random.normal(size=3000)
    found = clusters.design_effect(values, group, rater)
    assert found.value == pytest.approx(1 + 9 * 0.25 / 1.25, rel=0.15)


def test_few_clusters_and_many_restrictions_are_said() -> None:
    values, group, rater, _ = design(raters=20)
    assert "20 clusters" in clusters.cluster_test(values, group, rater).details["caution"]
    random = np.random.default_rng(0)
    many = clusters.cluster_test(random.normal(size=400), random.integers(0, 12, 400), np.arange(400) % 80)
    assert "11 restrictions" in many.details["caution"]


@pytest.mark.parametrize(
    "found",
    [
        clusters.cluster_test([1, 2, 3], ["a", "a", "a"], [1, 2, 3]),
        clusters.cluster_test([1, 2, 3, 4], ["a", "a", "b", "b"], [1, 1, 1, 1]),
        clusters.cluster_test([2, 2, 2, 2], ["a", "a", "b", "b"], [1, 2, 3, 4]),
        clusters.cluster_test([2, float("nan"), 2, 3], ["a", "a", "b", "b"], [1, 2, 3, 4]),
        clusters.cluster_test([1, 2], ["a", "b"], [1, 2]),
        clusters.cluster_test([1, 2, 3], ["a", "b"], [1, 2, 3]),
        clusters.cluster_difference([1, 2, 3, 5], ["a", "a", "b", "b"], [1, 2, 3, 4], pair=("a", "z")),
        clusters.cluster_difference([1, 1, 2, 2], ["a", "a", "b", "b"], [1, 2, 3, 4], pair=("a", "b")),
        clusters.design_effect([1, 1, 2, 3], ["a", "a", "b", "b"], [1, 2, 3, 4]),
    ],
)
def test_degenerate_input_is_missing_with_a_reason(found) -> None:
    assert found.value is None
    assert found.missing


@pytest.mark.slow
def test_a_true_null_is_rejected_as_often_as_it_says(null_rate) -> None:
    def once(random: np.random.Generator) -> float:
        rater, group = np.repeat(np.arange(300), 6), np.repeat(np.arange(300) % 3, 6)
        values = np.clip(np.round(2 + 0.5 * random.normal(size=300)[rater] + 0.7 * random.normal(size=1800)), 1, 3)
        return clusters.cluster_test(values, group, rater).p

    null_rate(once, runs=1000)
