"""Limits are checked by putting them back into scipy's distributions, and against R."""

from __future__ import annotations

import pytest
from scipy import stats

from empathic.statistics import noncentral


@pytest.mark.parametrize(("t", "df"), [(2.0, 10), (-3.1, 58), (0.0, 5), (12.0, 398), (-40.0, 1999)])
def test_the_observed_t_stands_at_the_tails_of_its_limits(t: float, df: int) -> None:
    low, high = noncentral.t_interval(t, df)
    assert stats.nct.cdf(t, df, low) == pytest.approx(0.975, abs=1e-7)
    assert stats.nct.cdf(t, df, high) == pytest.approx(0.025, abs=1e-7)


@pytest.mark.parametrize(("f", "df1", "df2"), [(5.0, 2, 60), (88.849, 2, 5997), (3.4, 4, 20)])
def test_the_observed_f_stands_at_the_tails_of_its_limits(f: float, df1: int, df2: int) -> None:
    low, high = noncentral.f_interval(f, df1, df2)
    assert stats.ncf.cdf(f, df1, df2, low) == pytest.approx(0.975, abs=1e-7) or low == 0
    assert stats.ncf.cdf(f, df1, df2, high) == pytest.approx(0.025, abs=1e-7)


def test_a_small_f_has_a_lower_limit_of_zero() -> None:
    assert noncentral.f_interval(0.3, 2, 30)[0] == 0
    assert noncentral.f_interval(0.001, 2, 30) == (0, 0)


def test_the_chi_square_limits_are_those_of_r() -> None:
    """uniroot(function(l) pchisq(20, 4, ncp = l) - c(.975, .025)[i], c(0, 100)) in R."""
    assert noncentral.chi2_interval(20, 4) == pytest.approx((4.08046030, 37.76392261), abs=1e-6)


def test_a_quantile_of_t_is_two_sided() -> None:
    assert noncentral.t_quantile(0.95, 10) == pytest.approx(2.2281388520)
