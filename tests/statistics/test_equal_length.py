from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from empathic.statistics.equal_length import compare
from empathic.statistics.systems import Scores


def scores(system: str, values: np.ndarray, lengths: np.ndarray, *, per_dialogue: int = 1) -> Scores:
    places = list(range(len(values)))
    return Scores(system, places, [f"d{each // per_dialogue}" for each in places], {"m": values, "length": lengths})


def test_a_difference_that_is_only_length_vanishes_at_equal_length() -> None:
    random = np.random.default_rng(1)
    short, long = random.normal(10, 3, 300), random.normal(20, 3, 300)
    noise = random.normal(0, 0.5, (2, 300))
    (found,) = compare(
        scores("a", short * 0.1 + noise[0], short),
        scores("b", long * 0.1 + noise[1], long),
        length="length",
        metrics=["m"],
    )
    assert found.low < 0 < found.high
    assert found.details["slope"] == pytest.approx(0.1, abs=0.03)


def test_a_difference_beyond_length_stays() -> None:
    random = np.random.default_rng(2)
    lengths = random.normal(10, 3, (2, 300))
    values = lengths * 0.1 + random.normal(0, 0.3, (2, 300)) + np.array([[0.0], [1.0]])
    (found,) = compare(
        scores("a", values[0], lengths[0]), scores("b", values[1], lengths[1]), length="length", metrics=["m"]
    )
    assert found.value == pytest.approx(1.0, abs=0.1)
    assert found.p < 1e-10


def test_the_interval_is_that_of_a_cluster_robust_regression() -> None:
    random = np.random.default_rng(3)
    lengths, values = random.normal(10, 3, (2, 200)), random.normal(0, 1, (2, 200))
    (found,) = compare(
        scores("a", values[0], lengths[0], per_dialogue=2),
        scores("b", values[1], lengths[1], per_dialogue=2),
        length="length",
        metrics=["m"],
    )
    design = sm.add_constant(lengths[1] - lengths[0])
    oracle = sm.OLS(values[1] - values[0], design).fit(
        cov_type="cluster", cov_kwds={"groups": np.arange(200) // 2}, use_t=True
    )
    assert found.value == pytest.approx(oracle.params[0])
    assert (found.low, found.high) == pytest.approx(tuple(oracle.conf_int()[0]))
    assert found.p == pytest.approx(oracle.pvalues[0])


def test_systems_of_one_length_cannot_be_compared_at_equal_length() -> None:
    values = np.random.default_rng(4).normal(size=30)
    (found,) = compare(
        scores("a", values, np.full(30, 5.0)), scores("b", values + 1, np.full(30, 7.0)), length="length", metrics=["m"]
    )
    assert "lengths do not vary enough" in (found.missing or "")


def test_too_few_dialogues_and_absent_lengths_give_no_number() -> None:
    few = scores("a", np.arange(4.0), np.arange(4.0))
    (found,) = compare(few, few, length="length", metrics=["m"])
    assert "4 dialogues in common" in (found.missing or "")
    assert compare(few, few, length="words", metrics=["m"]) == []
    same = scores("a", np.arange(20.0), np.arange(20.0) ** 2)
    other = scores("b", np.arange(20.0), np.arange(20.0) ** 2 + np.sin(np.arange(20.0)))
    (found,) = compare(same, other, length="length", metrics=["m"])
    assert "no residual" in (found.missing or "")
