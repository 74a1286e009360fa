from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.statistics.concordance import friedman


def test_siegels_applicants_have_the_textbooks_w() -> None:
    """Siegel (1956), Nonparametric statistics, p. 230: three executives rank six applicants, W = .16."""
    found = friedman([[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]])
    assert found.value == pytest.approx(0.16, abs=0.005)


@pytest.mark.parametrize("seed", range(3))
def test_tied_ratings_agree_with_scipy(seed: int) -> None:
    values = np.random.default_rng(seed).integers(1, 4, size=(20, 4))
    found, oracle = friedman(values), stats.friedmanchisquare(*values.T)
    assert found.details["chi2"] == pytest.approx(oracle.statistic)
    assert found.details["chi2_p"] == pytest.approx(oracle.pvalue)


def test_the_interval_is_seeded_and_holds_w() -> None:
    values = np.random.default_rng(1).integers(1, 6, size=(30, 4)) + np.arange(4)
    found = friedman(values, seed=5)
    assert found == friedman(values, seed=5)
    assert found.low is not None and found.high is not None and found.value is not None
    assert found.low < found.value < found.high


def test_perfect_agreement_has_w_one() -> None:
    found = friedman([[1, 2, 3]] * 5)
    assert found.value == 1.0
    assert found.p == pytest.approx(stats.chi2.sf(10, 2))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[1, 2, 3]], "1 subjects"),
        ([[1], [2]], "1 things"),
        ([[2, 2], [3, 3]], "the same value"),
        ([[1, None], [1, 2]], "1 of 2 subjects lack a value"),
        ([1, 2], "at least 2"),
    ],
)
def test_what_cannot_be_tested_is_missing_with_a_reason(values, reason: str) -> None:
    found = friedman(values)
    assert found.value is None and reason in str(found.missing)
