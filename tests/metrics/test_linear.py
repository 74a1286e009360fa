"""Logistic regression against statsmodels (without a penalty) and against its own first-order condition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import sparse

from empathic.metrics import linear


def data(seed: int = 3) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    rows = random.normal(size=(400, 3))
    logits = rows @ np.array([[0, 1, -1], [0, 0.5, 1], [0, 0, 2]]) + np.array([0, 0.3, -0.5])
    chance = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return rows, np.array([random.choice(3, p=each) for each in chance])


def test_without_a_penalty_it_is_statsmodels_multinomial_logit() -> None:
    rows, levels = data()
    oracle = sm.MNLogit(levels, sm.add_constant(rows)).fit(disp=0)
    weights, bias = linear.fit(rows, levels, 3, strength=1e9, balance=0.0)
    assert linear.probabilities(rows, weights, bias) == pytest.approx(oracle.predict(), abs=1e-4)
    assert pytest.approx(oracle.params[1:], abs=2e-3) == (weights[1:] - weights[0]).T


def test_with_a_penalty_the_slope_is_zero_at_the_solution() -> None:
    rows, levels = data()
    weights, bias = linear.fit(rows, levels, 3, strength=0.5, balance=0.5)
    cost = (400 / (3 * np.bincount(levels))) ** 0.5
    residual = cost[levels][:, None] * (linear.probabilities(rows, weights, bias) - np.eye(3)[levels])
    assert residual.T @ rows + weights / 0.5 == pytest.approx(np.zeros((3, 3)), abs=1e-2)
    assert residual.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-2)


def test_sparse_rows_give_the_same_as_dense_ones() -> None:
    rows, levels = data()
    rows[np.abs(rows) < 0.5] = 0
    dense = linear.fit(rows, levels, 3, strength=1.0)
    thin = linear.fit(sparse.csr_array(rows), levels, 3, strength=1.0)
    assert thin[0] == pytest.approx(dense[0], abs=1e-4)


def test_a_stronger_penalty_makes_smaller_weights() -> None:
    rows, levels = data()
    small, large = (np.abs(linear.fit(rows, levels, 3, strength=c)[0]).sum() for c in (0.001, 10.0))
    assert small < large / 5


def test_a_fitted_classifier_survives_its_file_and_gives_expected_levels(tmp_path: Path) -> None:
    rows, levels = data()
    fitted = linear.fit_standardised("x", "abc", rows * 7 + 3, levels / 2, strength=1.0, fitted_on="made up")
    assert fitted.levels == (0.0, 0.5, 1.0)
    linear.write(tmp_path / "weights.json", [fitted])
    model = linear.read(tmp_path / "weights.json")["x"]
    assert model.data == fitted
    probability = model.probabilities(rows * 7 + 3)
    assert probability.sum(axis=1) == pytest.approx(np.ones(400))
    assert model.expected(rows * 7 + 3) == pytest.approx(probability @ [0, 0.5, 1])
    assert (probability.argmax(axis=1) == levels).mean() > 0.6


def test_sparse_columns_beside_dense_ones_are_one_matrix() -> None:
    generator = np.random.default_rng(2)
    left, right = sparse.random_array((30, 8), density=0.3, rng=generator).tocsr(), generator.random((30, 5))
    rows, whole = linear.Beside(left, right), np.hstack([left.toarray(), right])
    other, residual = generator.random((13, 3)), generator.random((30, 3))
    assert rows.shape == whole.shape
    assert rows @ other == pytest.approx(whole @ other)
    assert rows.T @ residual == pytest.approx(whole.T @ residual)
    levels = generator.integers(0, 3, 30)
    found, expected = (linear.fit(given, levels, 3, strength=1.0) for given in (rows, whole))
    assert found[0] == pytest.approx(expected[0], abs=1e-3)
