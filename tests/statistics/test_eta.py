from __future__ import annotations

import pytest

from empathic.statistics import eta


def test_partial_eta_of_a_published_example() -> None:
    """Smithson (2003), chapter 5: F(1, 115) = 9.00 gives η²p = .0726 and a 95 % interval of [.01, .17]."""
    low, high = eta.partial_eta_interval(9.0, 1, 115)
    assert eta.partial_eta(9.0, 1, 115) == pytest.approx(0.0726, abs=5e-5)
    assert (low, high) == (pytest.approx(0.0085, abs=0.002), pytest.approx(0.172, abs=0.01))


def test_a_small_f_has_a_lower_bound_of_zero() -> None:
    assert eta.partial_eta_interval(0.9, 2, 30)[0] == 0.0
    assert eta.partial_eta_interval(0.0, 2, 30) == (0.0, 0.0)
