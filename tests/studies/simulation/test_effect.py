"""The effect that was simulated is recovered; power is what it should be at both ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import stats

from empathic.errors import SettingError, UnknownName
from empathic.records import Rating
from empathic.statistics.effects import difference, paired_difference
from empathic.studies.design import Plan
from empathic.studies.plan import instrument
from empathic.studies.simulation import effect
from empathic.studies.simulation.people import Behaviour, rated, somebody


def simulated(plan: Plan, behaviour: Behaviour, people: int, *, within: bool) -> list[Rating]:
    """Ratings of ten responses per person, straight from the model of people."""
    asked = instrument(plan, effect.main_instrument(plan.study))
    points, names = [point.value for point in asked.points], effect.systems(plan)
    found = []
    for number in range(people):
        who = somebody(number, behaviour, plan.study.balance)
        for place in range(10):
            system = names[place % len(names)] if within else names[number % len(names)]
            shift = behaviour.effects.get(system, 0.0)
            value = rated(who, f"rate.{place}", points, shift, behaviour)
            found.append(
                Rating(
                    rater=f"r{number}",
                    instrument=asked.id,
                    item=asked.items[0].id,
                    target=f"t{place}",
                    value=value,
                    system=system,
                )
            )
    return found


def test_an_effect_is_a_number_for_the_first_system_or_for_a_named_one() -> None:
    assert effect.effects(["0.5"], ["a", "b"]) == {"a": 0.5}
    assert effect.effects(["b=-1", "a=2"], ["a", "b"]) == {"b": -1.0, "a": 2.0}
    with pytest.raises(UnknownName):
        effect.effects(["c=1"], ["a", "b"])
    with pytest.raises(SettingError, match="NAME=NUMBER"):
        effect.effects(["a=much"], ["a", "b"])


@pytest.mark.parametrize(("design", "within"), [("between", False), ("ieval", True), ("observer", True)])
def test_the_simulated_effect_lies_in_the_interval(make_plan: Callable[..., Plan], design: str, within: bool) -> None:
    plan = make_plan(design)
    first = effect.systems(plan)[0]
    behaviour = Behaviour(seed=2, effects={first: 0.8})
    ratings = simulated(plan, behaviour, 120, within=within)
    found = effect.recover(plan, ratings, behaviour, groups=difference, pairs=paired_difference)
    one = next(each for each in found if each.system == first)
    assert one.covered
    assert one.simulated > 0.3
    assert one.recovered.p is not None and one.recovered.p < 0.01
    assert one.power is not None and one.power > 0.95


def test_without_an_effect_power_is_the_level_of_the_test(make_plan: Callable[..., Plan]) -> None:
    plan, behaviour = make_plan(), Behaviour(seed=2)
    ratings = simulated(plan, behaviour, 60, within=False)
    one = effect.recover(plan, ratings, behaviour, groups=difference, pairs=paired_difference)[0]
    assert one.simulated == 0
    assert one.power is not None and 0.02 < one.power < 0.09  # 0.05 ± 4 standard errors of 500 runs


def test_nobody_gives_no_effect_but_a_reason(make_plan: Callable[..., Plan]) -> None:
    one = effect.recover(make_plan(), [], Behaviour(seed=1), groups=difference, pairs=paired_difference)[0]
    assert (one.power, one.covered, one.recovered.value) == (None, None, None)
    assert one.recovered.missing


def test_the_p_values_are_those_of_scipy() -> None:
    rng: Any = np.random.default_rng(1)
    first, second = rng.normal(size=(6, 7)), rng.normal(0.5, 2, size=(6, 9))
    welch = stats.ttest_ind(first, second, axis=1, equal_var=False).pvalue
    assert effect._p_values(first, second, apart=True) == pytest.approx(welch)
    paired = stats.ttest_rel(first, second[:, :7], axis=1).pvalue
    assert effect._p_values(first, second[:, :7], apart=False) == pytest.approx(paired)
