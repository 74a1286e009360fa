from __future__ import annotations

import numpy as np
import pytest
from scipy import special

from empathic.statistics import cumulative

THRESHOLDS = np.array([-1.0, 0.2, 1.5])
PLACES = np.array([0, 1, 2, 3, 1])
PREDICTOR = np.array([-0.5, 0.3, 2.0, -1.0, 0.0])


def naive(predictor: np.ndarray, thresholds: np.ndarray = THRESHOLDS) -> np.ndarray:
    edges = np.concatenate([[-np.inf], thresholds, [np.inf]])
    upper, lower = special.expit(edges[PLACES + 1] - predictor), special.expit(edges[PLACES] - predictor)
    return np.log(upper - lower)


def test_the_likelihood_is_the_difference_of_two_cumulative_probabilities() -> None:
    assert cumulative.loglik(PLACES, THRESHOLDS, PREDICTOR) == pytest.approx(naive(PREDICTOR))
    assert np.exp([cumulative.loglik(np.array([k]), THRESHOLDS, np.array([0.4]))[0] for k in range(4)]).sum() == (
        pytest.approx(1)
    )


def test_it_stays_finite_where_the_difference_vanishes() -> None:
    assert cumulative.loglik(np.array([3, 0]), THRESHOLDS, np.array([-800.0, 800.0])) == pytest.approx([-801.5, -801.0])
    terms = cumulative.terms(np.array([1, 2]), THRESHOLDS, np.array([500.0, -500.0]))
    assert all(np.isfinite(part).all() for part in terms)


def test_the_derivatives_are_those_of_finite_differences() -> None:
    terms, step = cumulative.terms(PLACES, THRESHOLDS, PREDICTOR), 1e-5
    up, here, down = naive(PREDICTOR + step), naive(PREDICTOR), naive(PREDICTOR - step)
    assert terms.score == pytest.approx((up - down) / (2 * step), abs=1e-8)
    assert terms.weight == pytest.approx(-(up - 2 * here + down) / step**2, abs=1e-4)
    following = cumulative.terms(PLACES, THRESHOLDS, PREDICTOR + step)
    assert -(terms.slope_upper + terms.slope_lower) == pytest.approx((following.weight - terms.weight) / step, abs=1e-4)
    for place in range(3):
        moved = THRESHOLDS + step * np.eye(3)[place]
        slope = (naive(PREDICTOR, moved) - here).sum() / step
        found = cumulative.by_threshold(PLACES, 3, terms.up, -terms.down)[place]
        assert found == pytest.approx(slope, abs=1e-4)


def test_quadrature_nodes_are_columns() -> None:
    two = np.column_stack([PREDICTOR, PREDICTOR + 1])
    assert cumulative.loglik(PLACES, THRESHOLDS, two)[:, 1] == pytest.approx(naive(PREDICTOR + 1))


def test_columns_mark_the_thresholds_around_a_category() -> None:
    above, below = cumulative.threshold_columns(np.array([0, 1, 2]), 2)
    assert above.tolist() == [[1, 0], [0, 1], [0, 0]]
    assert below.tolist() == [[0, 0], [1, 0], [0, 1]]
