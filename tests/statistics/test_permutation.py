from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from empathic.statistics.permutation import permute_within_blocks


def test_the_p_value_tends_to_that_of_all_rearrangements() -> None:
    """Five blocks of two units: 32 sign flips, counted by hand."""
    first, second = np.array([3.0, 5, 2, 6, 4]), np.array([2.0, 3, 2, 3, 5])
    gaps = first - second
    exact = np.mean([abs((gaps * signs).sum()) >= abs(gaps.sum()) for signs in itertools.product([1, -1], repeat=5)])
    found = permute_within_blocks(
        np.r_[first, second], ["a"] * 5 + ["b"] * 5, range(10), [*range(5), *range(5)], draws=20000, seed=3
    )
    assert found.p == pytest.approx(exact, abs=0.015)


def test_one_block_is_the_permutation_test_of_scipy() -> None:
    random = np.random.default_rng(8)
    a, b = random.normal(0.8, 1, 12), random.normal(0, 1, 9)
    oracle = stats.permutation_test((a, b), lambda x, y, axis: np.abs(x.mean(axis) - y.mean(axis)), vectorized=True,
        alternative="greater", n_resamples=20000, rng=np.random.default_rng(1))  # fmt: skip
    found = permute_within_blocks(np.r_[a, b], [0] * 12 + [1] * 9, range(21), [0] * 21, draws=20000, seed=2)
    assert found.p == pytest.approx(oracle.pvalue, abs=0.01)


def test_a_seed_gives_the_same_p_and_is_in_the_signature() -> None:
    values = np.random.default_rng(0).normal(size=40)
    arguments = (
        values,
        np.tile([0, 1], 20),
        np.repeat(np.arange(20), 2) * 2 + np.tile([0, 1], 20),
        np.repeat(range(10), 4),
    )
    once, again = (permute_within_blocks(*arguments, draws=500, seed=7) for _ in range(2))
    assert once == again
    assert "seed:7" in once.signature


def test_units_with_several_values_move_as_wholes() -> None:
    values, group = np.array([1, 1, 1, 2, 2, 2.0]), ["a"] * 3 + ["b"] * 3
    found = permute_within_blocks(values, group, [0, 0, 0, 1, 1, 1], [0] * 6, draws=99, seed=0)
    assert found.n == 2
    assert found.p == 1


@pytest.mark.parametrize(
    ("values", "groups", "units", "blocks", "word"),
    [
        ([1, 2, 3], ["a"] * 3, [1, 2, 3], [0, 0, 0], "one group"),
        ([1, 2, 3, 4], ["a", "b", "a", "b"], [1, 1, 2, 2], [0, 0, 0, 0], "several groups"),
        ([2, 2, 2, 2], ["a", "b", "a", "b"], [1, 2, 3, 4], [0, 0, 0, 0], "equal"),
        ([1, 2, 3, 4], ["a", "a", "b", "b"], [1, 2, 3, 4], [0, 0, 1, 1], "no block"),
        ([1, float("nan")], ["a", "b"], [1, 2], [0, 0], "not numbers"),
        ([1, 2], ["a", "b"], [1], [0, 0], "lengths"),
    ],
)
def test_degenerate_input_is_missing_with_a_reason(values, groups, units, blocks, word) -> None:
    found = permute_within_blocks(values, groups, units, blocks, draws=99, seed=0)
    assert found.value is None
    assert word in found.missing


@pytest.mark.slow
def test_a_true_null_is_rejected_as_often_as_it_says(null_rate) -> None:
    rater, block = np.repeat(np.arange(30), 4), np.repeat(np.arange(10), 12)
    group = np.tile(np.repeat([0, 1, 2], 4), 10)

    def once(random: np.random.Generator) -> float:
        values = np.clip(np.round(2 + random.normal(size=30)[rater] + random.normal(size=120)), 1, 3)
        return permute_within_blocks(values, group, rater, block, draws=399, seed=int(random.integers(1 << 30))).p

    null_rate(once, runs=2000)
