from __future__ import annotations

import pytest

from empathic.statistics import eta, noncentral


def test_partial_eta_is_the_share_of_its_sums_of_squares() -> None:
    effect, error, df1, df2 = 12.0, 60.0, 2, 30
    assert eta.partial_eta(effect / df1 / (error / df2), df1, df2) == pytest.approx(effect / (effect + error))


def test_the_bounds_are_those_of_the_noncentrality() -> None:
    low, high = eta.partial_eta_interval(9.0, 1, 115)
    for bound, noncentrality in zip((low, high), noncentral.f_interval(9.0, 1, 115), strict=True):
        assert bound == pytest.approx(noncentrality / (noncentrality + 117))
    assert low < eta.partial_eta(9.0, 1, 115) < high


def test_a_small_f_has_a_lower_bound_of_zero() -> None:
    assert eta.partial_eta_interval(0.9, 2, 30)[0] == 0.0
    assert eta.partial_eta_interval(0.0, 2, 30) == (0.0, 0.0)
