from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from scipy import stats

from empathic.statistics import effects

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pingouin


RANDOM = np.random.default_rng(5)
SHAPES = [(12, 9), (40, 7), (5, 5), (100, 120)]


def samples(first: int, second: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng([first, second, seed])
    return random.normal(0.4, 1.3, first), random.normal(0, 1, second)


def test_a_mean_has_the_interval_of_t() -> None:
    values = [2.0, 4.0, 4.0, 6.0]
    found = effects.mean(values)
    expected = stats.t.interval(0.95, 3, 4.0, stats.sem(values))
    assert (found.value, found.low, found.high) == pytest.approx((4.0, *expected))
    assert found.details["se"] == pytest.approx(stats.sem(values))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("equal", [True, False])
def test_a_difference_is_the_t_test_of_scipy(shape: tuple[int, int], equal: bool) -> None:
    a, b = samples(*shape)
    found, oracle = effects.difference(a, b, equal_variances=equal), stats.ttest_ind(a, b, equal_var=equal)
    interval = oracle.confidence_interval()
    assert (found.statistic, found.p, found.df[0]) == pytest.approx((oracle.statistic, oracle.pvalue, oracle.df))
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))
    assert found.value == pytest.approx(a.mean() - b.mean())


def test_a_paired_difference_is_the_paired_t_test_of_scipy() -> None:
    a, b = samples(30, 30)
    found, oracle = effects.paired_difference(a, b), stats.ttest_rel(a, b)
    assert (found.statistic, found.p, found.df[0]) == pytest.approx((oracle.statistic, oracle.pvalue, 29))
    assert found.method == "paired_t.v1"


@pytest.mark.parametrize("shape", SHAPES)
def test_d_and_g_are_those_of_pingouin(shape: tuple[int, int]) -> None:
    a, b = samples(*shape)
    assert effects.cohens_d(a, b).value == pytest.approx(pingouin.compute_effsize(a, b, eftype="cohen"))
    g = effects.cohens_d(a, b, corrected=True).value
    assert g == pytest.approx(pingouin.compute_effsize(a, b, eftype="hedges"), rel=2e-3)  # pingouin approximates J


def test_the_interval_of_d_is_that_of_r() -> None:
    """t(198) = 3, n = 100 each: uniroot(function(d) pt(3, 198, ncp = d) - c(.975, .025)[i], c(-5, 15)) in R."""
    a = np.concatenate([np.full(50, 1.0), np.full(50, -1.0)])
    scale = a.std(ddof=1)
    shift = 3 * scale * math.sqrt(2 / 100)
    found = effects.cohens_d(a + shift, a)
    assert found.statistic == pytest.approx(3.0)
    assert (found.low, found.high) == pytest.approx((0.1434311044, 0.7040489191), abs=1e-6)


def test_d_z_is_mean_over_deviation_of_the_differences() -> None:
    a, b = samples(25, 25)
    found = effects.cohens_dz(a, b)
    assert found.value == pytest.approx((a - b).mean() / (a - b).std(ddof=1))
    assert stats.nct.cdf(found.statistic, 24, found.low * 5) == pytest.approx(0.975, abs=1e-7)


def test_eta_squared_is_the_share_of_the_sum_of_squares() -> None:
    groups = [RANDOM.normal(shift, 1, 20) for shift in (0, 0.5, 1)]
    f = stats.f_oneway(*groups)
    everything = np.concatenate(groups)
    total = ((everything - everything.mean()) ** 2).sum()
    within = sum(((group - group.mean()) ** 2).sum() for group in groups)
    found = effects.eta_squared(f.statistic, 2, 57)
    assert found.value == pytest.approx(1 - within / total)
    assert found.p == pytest.approx(f.pvalue)
    limit = found.low * 60 / (1 - found.low)
    assert limit == 0 or stats.ncf.cdf(f.statistic, 2, 57, limit) == pytest.approx(0.975, abs=1e-6)


def test_generalised_eta_squared_counts_the_other_strata() -> None:
    """SS_effect 6, own error 12, subjects 18: 6/(6 + 12 + 18)."""
    found = effects.eta_squared((6 / 2) / (12 / 24), 2, 24, ss_error=12, ss_others=[18])
    assert found.value == pytest.approx(6 / 36)
    assert found.low < found.value < found.high


def test_the_f_of_welivita_is_cohens_f_of_the_reference() -> None:
    assert effects.eta_squared(88.84907817985768, 2, 5997).details["cohens_f"] == pytest.approx(0.17213708194568592)


def test_cramers_v_is_that_of_scipy_with_limits_of_the_noncentral_chi_square() -> None:
    table = [[342, 672, 986], [156, 576, 1268], [142, 563, 1295]]
    found = effects.cramers_v(table)
    assert found.value == pytest.approx(stats.contingency.association(np.array(table)))
    assert found.value == pytest.approx(0.12183378948274311)
    assert found.statistic == pytest.approx(178.1216671167045)
    assert stats.ncx2.cdf(found.statistic, 4, found.low**2 * 12000) == pytest.approx(0.975, abs=1e-7)


def test_an_upper_limit_is_never_below_the_value() -> None:
    """χ² and F far below their expectation: the noncentrality is zero, the sample's own effect is not."""
    v, eta = effects.cramers_v([[100, 101], [101, 100]]), effects.eta_squared(0.001, 2, 30)
    assert v.low == eta.low == 0
    assert v.high >= v.value > 0
    assert eta.high >= eta.value > 0


def test_an_odds_ratio_has_woolfs_interval() -> None:
    oracle = stats.contingency.odds_ratio([[12, 5], [7, 20]], kind="sample")
    found = effects.odds_ratio([[12, 5], [7, 20]])
    interval = oracle.confidence_interval()
    assert found.value == pytest.approx(oracle.statistic)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


def test_a_risk_ratio_is_that_of_scipy() -> None:
    oracle = stats.contingency.relative_risk(62, 486, 429, 4402)
    found = effects.risk_ratio([[62, 424], [429, 3973]])
    interval = oracle.confidence_interval()
    assert found.value == pytest.approx(oracle.relative_risk)
    assert (found.low, found.high) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("shape", SHAPES)
def test_cliffs_delta_is_the_mean_of_the_table_of_signs(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(shape)
    a, b = random.integers(1, 5, shape[0]), random.integers(1, 4, shape[1])
    signs = np.sign(a[:, None] - b[None, :])
    found = effects.cliffs_delta(a, b)
    assert found.value == pytest.approx(signs.mean())
    assert (found.value + 1) / 2 == pytest.approx(stats.mannwhitneyu(a, b).statistic / a.size / b.size)
    assert found.value / found.statistic == pytest.approx(math.sqrt(cliff_variance(signs)))


def cliff_variance(signs: np.ndarray) -> float:
    """Cliff (1993) equation 9, from the whole table."""
    n, m = signs.shape
    rows, columns, delta = signs.mean(axis=1), signs.mean(axis=0), signs.mean()
    top = m**2 * ((rows - delta) ** 2).sum() + n**2 * ((columns - delta) ** 2).sum() - ((signs - delta) ** 2).sum()
    return max(top / (n * m * (n - 1) * (m - 1)), (1 - delta**2) / (n * m - 1))


def test_the_interval_of_cliffs_delta_covers_as_often_as_it_says() -> None:
    random, hits, runs = np.random.default_rng(11), 0, 400
    for _ in range(runs):
        found = effects.cliffs_delta(random.normal(0.5, 1, 20), random.normal(0, 1, 25))
        hits += found.low <= 2 * stats.norm.cdf(0.5 / math.sqrt(2)) - 1 <= found.high
    assert stats.binomtest(hits, runs, 0.95).pvalue > 1e-3


def test_a_proportion_has_wilsons_interval() -> None:
    found, oracle = effects.proportion(2, 30), stats.binomtest(2, 30).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((oracle.low, oracle.high))
    assert effects.proportion(0, 10).low == 0


@pytest.mark.parametrize(
    "found",
    [
        effects.mean([]),
        effects.mean([3.0]),
        effects.mean([1.0, float("nan")]),
        effects.difference([1.0], [1.0, 2.0]),
        effects.difference([2.0, 2.0], [3.0, 3.0]),
        effects.difference([2.0, None], [3.0, 4.0]),
        effects.paired_difference([1.0, 2.0], [1.0]),
        effects.paired_difference([1.0, 2.0], [2.0, 3.0]),
        effects.cohens_d([1.0, 1.0], [1.0, 1.0]),
        effects.cohens_dz([1.0, 2.0], [2.0, 3.0]),
        effects.eta_squared(float("nan"), 2, 10),
        effects.eta_squared(1.0, 2, 0),
        effects.cramers_v([[1, 2]]),
        effects.cramers_v([[0, 0], [1, 2]]),
        effects.odds_ratio([[0, 1], [2, 3]]),
        effects.odds_ratio([[1, 2, 3], [1, 2, 3]]),
        effects.risk_ratio([[0, 1], [2, 3]]),
        effects.risk_ratio([[1, 0], [2, 0]]),
        effects.cliffs_delta([1.0, 1.0], [1.0, 1.0]),
        effects.cliffs_delta([5.0, 6.0], [1.0, 2.0]),
        effects.proportion(3, 0),
    ],
    ids=lambda found: found.method,
)
def test_degenerate_input_is_missing_with_a_reason(found) -> None:
    assert found.value is None
    assert found.missing
    assert found.signature
