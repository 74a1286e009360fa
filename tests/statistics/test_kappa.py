from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa

from empathic.errors import UnknownName
from empathic.statistics.kappa import weighted_kappa

ORACLE = {"none": None, "linear": "linear", "quadratic": "quadratic"}


def raters(seed: int, n: int = 80, levels: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    first = rng.integers(0, levels, n)
    return first, np.clip(first + rng.integers(-1, 2, n), 0, levels - 1)


def test_the_hand_calculation() -> None:
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: p_o = .7, p_e = .5, κ = .4."""
    first = [1] * 25 + [0] * 25
    second = [1] * 20 + [0] * 5 + [1] * 10 + [0] * 15
    assert weighted_kappa(first, second, weights="none").value == pytest.approx(0.4)


@pytest.mark.parametrize("weights", ORACLE)
@pytest.mark.parametrize("seed", range(3))
def test_every_weighting_agrees_with_statsmodels_in_value_and_error(weights: str, seed: int) -> None:
    first, second = raters(seed)
    table = np.zeros((4, 4))
    np.add.at(table, (first, second), 1)
    oracle = cohens_kappa(table, wt=ORACLE[weights])
    found = weighted_kappa(first, second, weights=weights)
    assert found.value == pytest.approx(oracle.kappa)
    assert found.details["standard_error"] == pytest.approx(oracle.std_kappa)
    assert found.p == pytest.approx(oracle.pvalue_two_sided, abs=1e-12)


def test_an_unused_level_keeps_the_distances() -> None:
    first, second = [1, 1, 2, 5, 5, 2], [1, 2, 2, 5, 2, 1]
    shifted = weighted_kappa([10 * value for value in first], [10 * value for value in second])
    assert weighted_kappa(first, second).value == pytest.approx(shifted.value)
    squeezed = weighted_kappa([1, 1, 2, 3, 3, 2], [1, 2, 2, 3, 2, 1])
    assert weighted_kappa(first, second).value != pytest.approx(squeezed.value)


def test_things_only_one_rater_saw_are_left_out_and_counted() -> None:
    found = weighted_kappa([1, 2, None, 3], [1, 3, 2, None])
    assert (found.n, found.details["left_out"]) == (2, 2)


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ([1, 2, None, None], [None, None, 1, 2], "0 thing(s) in common"),
        ([1, 1, 1], [1, 1, 1], "one and the same value"),
        ([1, 2], [1, 2, 3], "2 and 3 values"),
        ([1], [1], "1 thing(s)"),
    ],
)
def test_what_has_no_kappa_is_missing_with_a_reason(first, second, reason: str) -> None:
    found = weighted_kappa(first, second)
    assert found.value is None and reason in str(found.missing)


def test_an_unknown_weighting_is_refused() -> None:
    with pytest.raises(UnknownName, match="'quadratic'"):
        weighted_kappa([1, 2], [1, 2], weights="quadrat")
