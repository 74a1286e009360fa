"""Oracles: the published sample sizes of Welivita & Pu (2024), R's power functions, statsmodels, and simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import FTestAnovaPower, GofChisquarePower, TTestPower

from empathic.errors import SettingError
from empathic.statistics import power


def test_the_anova_of_welivita_and_pu_needs_252() -> None:
    plan = power.between(0.25, 3, alpha=0.05, power=0.95)
    assert plan.answer.value == 252
    assert plan.answer.details["per_group"] == 84
    assert plan.answer.details["power"] == pytest.approx(0.9515, abs=5e-5)


def test_their_chi_square_needs_207() -> None:
    plan = power.chi_square(0.3, 4, groups=3, alpha=0.05, power=0.95)
    assert plan.answer.value == 207
    assert plan.answer.details["per_group"] == 69


@pytest.mark.parametrize(("effect", "groups"), [(0.1, 2), (0.25, 4), (0.4, 5)])
def test_the_curve_is_that_of_statsmodels(effect: float, groups: int) -> None:
    for n, reached in power.between(effect, groups).curve:
        assert reached == pytest.approx(FTestAnovaPower().power(effect, n, 0.05, k_groups=groups), abs=1e-6)
    for n, reached in power.chi_square(effect, 3).curve:
        assert reached == pytest.approx(GofChisquarePower().power(effect, n, 0.05, n_bins=4), abs=1e-6)
    for n, reached in power.paired(effect).curve:
        assert reached == pytest.approx(TTestPower().power(effect, n, 0.05), abs=1e-6)


def test_sizes_are_those_of_r_rounded_up() -> None:
    """power.anova.test(groups = 3, between.var = var(c(0, .25, .5)), within.var = 1, power = .9)$n is 102.237;
    power.prop.test(p1 = .5, p2 = .65, power = .8)$n is 169.311;
    power.t.test(delta = .4, sd = 1, type = "paired", power = .9)$n is 67.621."""
    f = np.std([0, 0.25, 0.5])
    assert power.between(float(f), 3, power=0.9).answer.details["per_group"] == 103
    assert power.proportion(0.5, 0.65).answer.details["per_group"] == 170
    assert power.paired(0.4, power=0.9).answer.value == 68


def test_repeated_measures_are_those_of_gpower() -> None:
    """Faul et al. (2007), repeated measures, within factors; f = .25, 4 measurements, r = .5, power .8: N = 24."""
    assert power.within(0.25, 4, correlation=0.5, power=0.8).answer.value == 24


def test_two_levels_within_are_the_paired_test() -> None:
    """f = d/2 and d_z = d/√(2(1-r)): both ask for the same raters."""
    d, r = 0.5, 0.6
    both = power.within(d / 2, 2, correlation=r, power=0.9).answer.value
    assert both == power.paired(d / np.sqrt(2 * (1 - r)), power=0.9).answer.value


def test_more_ratings_of_alike_raters_help_less_than_more_raters() -> None:
    one = power.between(0.25, 3, icc=0.3, ratings=1).answer.value
    ten = power.between(0.25, 3, icc=0.3, ratings=10).answer.value
    independent = power.between(0.25, 3, icc=0.0, ratings=10).answer.value
    assert one / 10 <= independent < ten < one
    assert power.between(0.25, 3, icc=1.0, ratings=10).answer.value == one


def test_power_with_an_icc_is_what_simulation_finds() -> None:
    plan = power.between(0.25, 3, icc=0.2, ratings=5, power=0.8)
    n, random, runs = plan.answer.details["per_group"], np.random.default_rng(1), 2000
    shift = np.array([-1, 0, 1]) * 0.25 / np.std([-1, 0, 1])
    found = 0
    for _ in range(runs):
        raters = random.normal(0, np.sqrt(0.2), (3, n)) + shift[:, None]
        means = raters + random.normal(0, np.sqrt(0.8), (3, n, 5)).mean(axis=2)
        found += stats.f_oneway(*means).pvalue < 0.05
    low, high = stats.binom.interval(0.999, runs, plan.answer.details["power"])
    assert low <= found <= high


def test_clusters_inflate_shares_by_the_design_effect() -> None:
    plain, clustered = power.proportion(0.4, 0.6), power.proportion(0.4, 0.6, icc=0.1, ratings=11)
    assert clustered.answer.details["per_group"] == pytest.approx(plain.answer.details["per_group"] * 2 / 11, abs=1)


@pytest.mark.parametrize(
    "call",
    [
        lambda: power.between(0, 3),
        lambda: power.between(0.2, 1),
        lambda: power.between(0.2, 3, icc=1.5),
        lambda: power.between(0.2, 3, ratings=0),
        lambda: power.between(0.2, 3, alpha=0.9),
        lambda: power.chi_square(0.3, 0),
        lambda: power.within(0.2, 3, correlation=1.0),
        lambda: power.within(0.2, 3, epsilon=0.0),
        lambda: power.proportion(0.5, 0.5),
        lambda: power.paired(float("nan")),
    ],
)
def test_a_setting_that_does_not_fit_is_refused(call) -> None:
    with pytest.raises(SettingError):
        call()


def test_an_effect_too_small_to_find_has_no_answer() -> None:
    found = power.paired(1e-9)
    assert found.answer.value is None
    assert found.curve == ()
