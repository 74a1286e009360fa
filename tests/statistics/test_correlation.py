from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.statistics.correlation import pearson, pearson_difference


def test_r_p_and_interval_agree_with_scipy() -> None:
    x, y = np.random.default_rng(1).normal(size=(2, 30))
    oracle = stats.pearsonr(x, x + y)
    found = pearson(x, x + y)
    assert (found.value, found.p) == (pytest.approx(oracle.statistic), pytest.approx(oracle.pvalue))
    assert (found.low, found.high) == pytest.approx(tuple(oracle.confidence_interval()))


def test_the_difference_of_two_correlations_by_hand() -> None:
    one = pearson([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5])
    other = pearson([1, 2, 3, 4, 5, 6], [6, 1, 5, 2, 4, 3])
    z = (np.arctanh(one.value) - np.arctanh(other.value)) / np.sqrt(2 / 3)
    assert pearson_difference(one, other).statistic == pytest.approx(z)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([1, 2, 3], [1, 2, 3], "at least 4"),
        ([1, 1, 1, 1], [1, 2, 3, 4], "vary"),
        ([1, 2, 3, None], [1, 2, 3, 4], "missing"),
        ([1, 2], [1, 2, 3], "do not pair"),
    ],
)
def test_what_has_no_correlation_is_missing_with_a_reason(first, second, reason: str) -> None:
    found = pearson(first, second)
    assert found.value is None and reason in str(found.missing)
    assert pearson_difference(found, found).value is None


def test_a_perfect_correlation_has_no_interval() -> None:
    found = pearson([1, 2, 3, 4], [2, 4, 6, 8])
    assert (found.value, found.low, found.p) == (1.0, None, None)
    assert pearson_difference(found, found).value is None
