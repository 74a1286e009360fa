from __future__ import annotations

import numpy as np
import pingouin
import pytest

from empathic.errors import SettingError
from empathic.records import Estimate
from empathic.statistics.consistency import (
    cronbach_alpha,
    mcdonald_omega,
    one_factor,
    raters_needed,
    spearman_brown,
    two_items,
)


def scale(seed: int = 21, n: int = 200) -> np.ndarray:
    rng = np.random.default_rng(seed)
    factor = rng.normal(size=(n, 1))
    noise = rng.normal(size=(n, 5)) * [0.5, 0.7, 0.8, 0.6, 0.9]
    return np.round(factor @ np.array([[0.8, 0.7, 0.6, 0.9, 0.4]]) + noise, 2)


def reliability(value: float | None, low: float | None = None, high: float | None = None) -> Estimate:
    return Estimate(name="α", value=value, method="m", low=low, high=high, missing=None if value else "no pairs")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:The inplace keyword")
def test_cronbach_agrees_with_pingouin_in_value_and_interval() -> None:
    import pandas as pd

    value, interval = pingouin.cronbach_alpha(pd.DataFrame(scale()))
    found = cronbach_alpha(scale())
    assert found.value == pytest.approx(value)
    assert (found.low, found.high) == pytest.approx(tuple(interval), abs=6e-4)


def test_omega_agrees_with_r() -> None:
    """R 4.2: factanal(x, 1, control = list(opt = list(factr = 10))), loadings and uniquenesses rescaled by sd(x)."""
    found = mcdonald_omega(scale())
    assert found.value == pytest.approx(0.812012613694, abs=1e-7)
    variances = np.array(found.details["loadings"]) ** 2 + np.array(found.details["unique"])
    uniquenesses = np.array(found.details["unique"]) / variances
    assert uniquenesses == pytest.approx([0.3611868, 0.5515731, 0.6551587, 0.3430967, 0.7564541], abs=1e-6)
    assert found.low is not None and found.high is not None and found.low < 0.812 < found.high
    assert found == mcdonald_omega(scale())


def test_omega_equals_alpha_when_all_loadings_are_equal() -> None:
    covariance = np.full((1, 4, 4), 0.5) + 0.5 * np.eye(4)
    loadings, unique, settled = one_factor(covariance)
    assert settled.all()
    assert loadings[0] ** 2 == pytest.approx([0.5] * 4, abs=1e-6)
    assert unique[0] == pytest.approx([0.5] * 4, abs=1e-6)


def test_two_items_are_spearman_brown_of_their_correlation() -> None:
    first, second = scale()[:, 0], scale()[:, 1]
    r = np.corrcoef(first, second)[0, 1]
    found = two_items(first, second, name="half")
    assert found.value == pytest.approx(2 * r / (1 + r))
    assert found.low is not None and found.high is not None and found.low < found.value < found.high
    assert two_items([1, 2, 3, 4], [2, 4, 6, 8], name="same").value == 1.0
    assert two_items([1, 2, 3, 4], [8, 6, 4, 2], name="opposite").value is None


def test_spearman_brown_by_hand() -> None:
    assert spearman_brown(0.5, 2) == pytest.approx(2 / 3)
    assert spearman_brown(0.5, 1) == 0.5


def test_raters_needed_reach_the_target_and_one_fewer_does_not() -> None:
    for value in (0.05, 0.2, 0.41, 0.667, 0.9):
        for target in (0.667, 0.8):
            count = raters_needed(reliability(value), target=target).value
            assert count is not None
            assert spearman_brown(value, count) >= target - 1e-9
            assert count == 1 or spearman_brown(value, count - 1) < target


def test_raters_needed_says_how_many_more_and_carries_the_interval() -> None:
    found = raters_needed(reliability(0.4, low=0.3, high=0.5), target=0.8, raters=3)
    assert (found.value, found.low, found.high) == (6.0, 4.0, 10.0)
    assert found.details["more"] == 3
    assert raters_needed(reliability(0.4, low=-0.1, high=0.5), target=0.8).high is None


def test_no_number_of_raters_helps_where_one_rating_says_nothing() -> None:
    assert "no number of raters helps" in str(raters_needed(reliability(-0.1), target=0.8).missing)
    assert raters_needed(reliability(None), target=0.8).missing == "no pairs"
    with pytest.raises(SettingError, match="between 0 and 1"):
        raters_needed(reliability(0.5), target=1)


@pytest.mark.parametrize(
    ("items", "reason"),
    [
        ([[1, 2, 3]], "at least 2 respondents"),
        ([[1], [2]], "2 items"),
        ([[1, 2, 3], [1, 3, 4]], "same answer to item 1"),
        ([[1, 2, None], [2, 3, 4]], "1 of 2 respondents lack an answer"),
    ],
)
def test_what_has_no_consistency_is_missing_with_a_reason(items, reason: str) -> None:
    for measure in (cronbach_alpha, mcdonald_omega):
        found = measure(items)
        assert found.value is None and reason in str(found.missing)


def test_items_that_cancel_out_have_no_alpha_and_two_items_no_omega() -> None:
    assert "does not vary" in str(cronbach_alpha([[1, 3], [2, 2], [3, 1]]).missing)
    assert "at least 3 items" in str(mcdonald_omega([[1, 3], [2, 2], [3, 1]]).missing)
