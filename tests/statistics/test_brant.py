from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from empathic.statistics.brant import brant

from .rated import null_ratings, small


def by_hand(values: np.ndarray, groups: np.ndarray) -> float:
    """Brant (1990), equations (4) and (5), from statsmodels' binary logits, in loops."""
    design = np.column_stack([np.ones(len(values)), groups == 1, groups == 2]).astype(float)
    fits = [sm.Logit((values > cut).astype(float), design).fit(disp=False) for cut in (1, 2, 3)]
    shares = [fit.predict() for fit in fits]
    covariance = np.zeros((6, 6))
    for m in range(3):
        for k in range(3):
            low, high = min(m, k), max(m, k)
            w = {(a, b): np.diag(shares[max(a, b)] - shares[a] * shares[b]) for a in range(3) for b in range(3)}
            left = np.linalg.inv(design.T @ w[low, low] @ design)
            right = np.linalg.inv(design.T @ w[high, high] @ design)
            block = left @ (design.T @ w[low, high] @ design) @ right
            covariance[2 * m : 2 * m + 2, 2 * k : 2 * k + 2] = (block if m <= k else block.T)[1:, 1:]
    beta = np.concatenate([fit.params[1:] for fit in fits])
    contrast = np.array([[-1, 0, 1, 0, 0, 0], [0, -1, 0, 1, 0, 0], [-1, 0, 0, 0, 1, 0], [0, -1, 0, 0, 0, 1]])
    gap = contrast @ beta
    return float(gap @ np.linalg.solve(contrast @ covariance @ contrast.T, gap))


def test_the_statistic_is_brants_formula_in_loops() -> None:
    values, groups, _, _ = small()
    found = brant(values, groups)
    assert found.statistic == pytest.approx(by_hand(values, groups))
    assert found.df == (4,)
    assert found.p == pytest.approx(stats.chi2.sf(found.statistic, 4))


def test_single_ratings_as_clusters_change_little() -> None:
    random = np.random.default_rng(1)
    values, groups, _, _ = null_ratings(random, 300, 5, items=50)
    assert brant(values, groups, clusters=np.arange(1500)).statistic == pytest.approx(
        brant(values, groups).statistic, rel=0.1
    )


def test_odds_that_differ_by_cut_are_found() -> None:
    random = np.random.default_rng(2)
    groups = np.repeat([0, 1], 600)
    values = np.where(
        groups == 0,
        random.choice([1, 2, 3], 1200, p=[0.3, 0.4, 0.3]),
        random.choice([1, 2, 3], 1200, p=[0.1, 0.8, 0.1]),
    )
    assert brant(values, groups).p < 1e-6


@pytest.mark.parametrize(
    ("values", "groups", "word"),
    [
        ([1, 2, 1, 2], ["a", "a", "b", "b"], "one cut"),
        ([1, 2, 3, 2], ["a", "a", "a", "a"], "one group"),
        ([2, 2, 2], ["a", "b", "a"], "equal"),
        ([1, 2, 1, 2, 2, 3, 2, 3], ["a"] * 4 + ["b"] * 4, "separation"),
        ([1, 2, None], ["a", "b", "a"], "not numbers"),
    ],
)
def test_degenerate_input_is_missing_with_a_reason(values, groups, word) -> None:
    found = brant(values, groups)
    assert found.value is None
    assert word in found.missing


@pytest.mark.slow
def test_proportional_odds_are_rejected_as_often_as_it_says(null_rate) -> None:
    def once(random: np.random.Generator) -> float:
        latent = random.logistic(size=600) + 0.6 * (np.arange(600) % 2)
        return brant(1 + (latent[:, None] > np.array([-1, 0.5])).sum(axis=1), np.arange(600) % 2).p

    null_rate(once, runs=1500)
