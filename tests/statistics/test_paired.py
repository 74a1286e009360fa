"""Agreement of pairs against the two-rater κ, the ICC table, scipy and scikit-free hand calculation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.statistics.icc import icc
from empathic.statistics.kappa import weighted_kappa
from empathic.statistics.paired import How, Pairs, figure, gap


@pytest.fixture
def two() -> np.ndarray:
    rng = np.random.default_rng(3)
    true = rng.integers(1, 8, size=60)
    return np.clip(np.column_stack([true, true + rng.integers(-2, 3, size=60)]), 1, 7).astype(float)


def single(values: np.ndarray) -> Pairs:
    return {f"t{place}": [(row[0], row[1])] for place, row in enumerate(values.tolist())}


def test_with_one_pair_per_target_the_figures_are_the_usual_ones(two: np.ndarray) -> None:
    pairs = single(two)
    quadratic = figure("quadratic", pairs, name="κ")
    assert quadratic.value == pytest.approx(weighted_kappa(two[:, 0], two[:, 1], weights="quadratic").value)
    nominal = figure("nominal", pairs, name="κ")
    assert nominal.value == pytest.approx(weighted_kappa(two[:, 0], two[:, 1], weights="none").value)
    assert figure("icc", pairs, name="ICC").value == pytest.approx(icc(two)[1].value)
    assert figure("spearman", pairs, name="ρ").value == pytest.approx(stats.spearmanr(*two.T).statistic)


def test_the_bootstrap_interval_is_close_to_the_asymptotic_one(two: np.ndarray) -> None:
    found = figure("quadratic", single(two), name="κ", how=How(replicates=4000))
    exact = weighted_kappa(two[:, 0], two[:, 1], weights="quadratic")
    assert found.low == pytest.approx(exact.low, abs=0.04) and found.high == pytest.approx(exact.high, abs=0.04)


def test_every_target_counts_as_one_however_many_pairs_it_has() -> None:
    once = {"a": [(1.0, 1.0)], "b": [(3.0, 2.0)], "c": [(5.0, 4.0)]}
    often = {"a": [(1.0, 1.0)] * 5, "b": [(3.0, 2.0)] * 2, "c": [(5.0, 4.0)]}
    for kind in ("quadratic", "nominal", "icc"):
        assert figure(kind, often, name="x").value == pytest.approx(figure(kind, once, name="x").value)


def test_the_gap_is_the_difference_over_the_targets_of_both(two: np.ndarray) -> None:
    one, other = single(two), single(two[:40, ::-1] * [1, 0.5])
    found = gap("quadratic", one, other, name="gap")
    shared = single(two[:40])
    expected = figure("quadratic", shared, name="x").value - figure("quadratic", other, name="x").value
    assert found.value == pytest.approx(expected) and found.n == 40
    assert found.low < found.value < found.high
    same = gap("quadratic", one, one, name="gap")
    assert (same.value, same.low, same.high) == (0, 0, 0)


def test_too_little_to_compare_says_so(two: np.ndarray) -> None:
    assert "0 target(s)" in figure("quadratic", {}, name="κ").missing
    assert "all ratings are equal" in figure("nominal", {"a": [(1, 1)], "b": [(1, 1)]}, name="κ").missing
    assert "1 target(s)" in gap("icc", single(two), {"t0": [(1, 2)]}, name="gap").missing
