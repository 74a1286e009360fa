"""Simulated people are the same for the same seed, and rate as their model says."""

from __future__ import annotations

import statistics

import pytest

from empathic.studies.design import Balance
from empathic.studies.simulation.people import Behaviour, cuts, expected, rated, somebody

BALANCE = Balance(gender=("female", "male"), age=("19-25", "65+"))


def test_a_seed_fixes_everybody() -> None:
    behaviour = Behaviour(seed=3)
    assert [somebody(n, behaviour, BALANCE) for n in range(20)] == [somebody(n, behaviour, BALANCE) for n in range(20)]
    assert somebody(1, behaviour, BALANCE) != somebody(1, Behaviour(seed=4), BALANCE)


def test_people_belong_to_the_groups_that_are_wanted() -> None:
    people = [somebody(n, Behaviour(seed=1), BALANCE) for n in range(400)]
    assert {each.gender for each in people} == {"female", "male"}
    assert all(19 <= each.age <= 25 or 65 <= each.age <= 80 for each in people if each.age)
    assert 0.13 < sum(each.leaves is not None for each in people) / 400 < 0.27  # 0.2 ± 3.5 standard errors
    assert somebody(0, Behaviour(seed=1), Balance()).age is None


def test_without_an_effect_all_points_are_equally_likely() -> None:
    assert expected((1, 2, 3), 0, 0.5) == pytest.approx(2)
    assert cuts(2, 0.5) == pytest.approx([0])
    assert cuts(3, 0) == pytest.approx([-0.4307, 0.4307], abs=1e-4)  # normal quantiles of 1/3 and 2/3


def test_the_mean_of_many_ratings_is_the_expected_one() -> None:
    behaviour = Behaviour(seed=5)
    people = [somebody(number, behaviour, BALANCE) for number in range(4000)]
    for shift in (0.0, 0.8):
        given = [rated(who, "rate.0.x", (1, 2, 3), shift, behaviour) for who in people]
        error = statistics.stdev(given) / len(given) ** 0.5
        assert abs(statistics.mean(given) - expected((1, 2, 3), shift, 0.5)) < 4 * error


def test_the_expected_point_by_hand() -> None:
    # sd 1.118, cuts ±0.4816; P(≤ cut) under a shift of 0.8: Φ(-1.1463) = 0.1258 and Φ(-0.2848) = 0.3879
    assert expected((1, 2, 3), 0.8, 0.5) == pytest.approx(1 * 0.1258 + 2 * (0.3879 - 0.1258) + 3 * 0.6121, abs=2e-4)
