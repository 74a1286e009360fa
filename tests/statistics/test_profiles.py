"""Means per target and per system, with errors that know raters and targets."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.statistics.observations import Observation
from empathic.statistics.profiles import system_means, target_means


def observed(values: list[list[float]], system: str = "s") -> list[Observation]:
    return [
        Observation(f"human:{r}", f"{system}{t}", "m", value, system)
        for t, row in enumerate(values)
        for r, value in enumerate(row)
    ]


def test_a_target_mean_has_the_pooled_within_target_error() -> None:
    values = [[1.0, 3.0], [4.0, 4.0], [2.0, 6.0]]
    found = target_means(observed(values), "m")
    assert [each.value for each in found] == [2.0, 4.0, 4.0]
    variance = (2 + 0 + 8) / 3  # within-target sums of squares over 3 df
    half = stats.t.ppf(0.975, 3) * (variance / 2) ** 0.5
    assert found[1].low == pytest.approx(4 - half) and found[1].high == pytest.approx(4 + half)
    assert found[0].labels == {"target": "s0", "system": "s", "measure": "m"}


def test_targets_rated_once_have_a_mean_but_no_interval() -> None:
    (found,) = target_means([Observation("human:a", "t", "m", 5.0)], "m")
    assert (found.value, found.low) == (5.0, None) and "unknown" in found.details["caution"]


def test_with_one_rater_the_system_error_is_that_of_the_mean_of_the_targets() -> None:
    values = [2.0, 3.0, 5.0, 6.0]
    (found,) = system_means(observed([[value] for value in values]), "m")
    low, high = stats.t.interval(0.95, 3, np.mean(values), stats.sem(values))
    assert (found.value, found.low, found.high) == (pytest.approx(4.0), pytest.approx(low), pytest.approx(high))
    assert "this rater only" in found.details["caution"]


def test_two_way_error_agrees_with_the_formula_by_hand() -> None:
    values = np.array([[1.0, 2.0, 6.0], [3.0, 3.0, 7.0], [2.0, 5.0, 5.0], [4.0, 4.0, 7.0]])
    (found,) = system_means(observed(values.tolist()), "m")
    e = (values - values.mean()) / values.size
    by_target, by_rater, both = (e.sum(1) ** 2).sum() * 4 / 3, (e.sum(0) ** 2).sum() * 3 / 2, (e**2).sum() * 12 / 11
    assert found.details["se"] ** 2 == pytest.approx(by_target + by_rater - both)
    assert found.df == (2.0,)


def test_every_target_counts_alike_however_many_raters_it_has() -> None:
    given = [Observation(f"human:{r}", "a", "m", 1.0, "s") for r in range(9)] + [
        Observation("human:0", "b", "m", 5.0, "s")
    ]
    assert system_means(given, "m")[0].value == pytest.approx(3.0)


def test_repeats_of_one_judge_do_not_count_as_several_sources() -> None:
    given = [Observation(f"judge:p/m#{r}", f"t{t}", "m", float(t), "s") for t in range(5) for r in range(3)]
    (found,) = system_means(given, "m")
    assert found.details["sources"] == 1 and found.df == (4.0,)


def test_systems_come_in_order_and_one_target_has_no_interval() -> None:
    given = [*observed([[1.0], [2.0]], "b"), *observed([[3.0]], "a")]
    found = system_means(given, "m")
    assert [each.labels["system"] for each in found] == ["b", "a"]
    assert found[1].missing == "one target cannot show how targets differ"


def test_the_two_way_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(300):
        values = 4 + rng.normal(size=(12, 1)) + rng.normal(size=(1, 12)) + rng.normal(size=(12, 12))
        (found,) = system_means(observed(values.tolist()), "m")
        hits += found.low <= 4 <= found.high
    assert 0.89 < hits / 300 < 0.99  # 0.95 expected; ratings taken as independent cover 0.48
