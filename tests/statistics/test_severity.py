"""Severe raters are found, against statsmodels and by construction."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm

from empathic.statistics.observations import Observation
from empathic.statistics.severity import differential, severity


def observed(values: np.ndarray, systems: list[str] | None = None) -> list[Observation]:
    return [
        Observation(f"human:{r}", f"t{t}", "m", float(values[t, r]), systems[t] if systems else None)
        for t in range(values.shape[0])
        for r in range(values.shape[1])
        if np.isfinite(values[t, r])
    ]


@pytest.fixture
def values() -> np.ndarray:
    rng = np.random.default_rng(2)
    array = 4 + rng.normal(size=(30, 1)) + np.array([-1.0, 0.0, 0.2, 0.8]) + 0.5 * rng.normal(size=(30, 4))
    array[rng.random(array.shape) < 0.3] = np.nan
    return array


def test_effects_and_their_test_agree_with_the_additive_model_of_statsmodels(values: np.ndarray) -> None:
    shared = values[np.isfinite(values).sum(axis=1) >= 2]
    t, r = np.nonzero(np.isfinite(shared))
    frame = pd.DataFrame({"y": shared[t, r], "t": t, "r": r})
    fit = smf.ols("y ~ C(t) + C(r)", frame).fit()
    spread, found = severity(observed(values), "m")
    raters = sorted(found, key=lambda each: each.name)
    reference = anova_lm(fit, typ=2).loc["C(r)"]
    assert spread.statistic == pytest.approx(reference["F"])
    assert spread.p == pytest.approx(reference["PR(>F)"])
    effects = np.array([0.0, *(fit.params[f"C(r)[T.{place}]"] for place in (1, 2, 3))])
    assert [each.value for each in raters] == pytest.approx((effects - effects.mean()).tolist())
    assert raters[0].p_adjusted < 0.001 and raters[0].high < 0
    contrast = np.zeros(len(fit.params))
    for place in (1, 2, 3):
        contrast[list(fit.params.index).index(f"C(r)[T.{place}]")] = -0.25
    test = fit.t_test(contrast)  # rater 0's deviation from the mean of the four
    assert raters[0].statistic == pytest.approx(float(np.squeeze(test.tvalue)))


def test_raters_who_share_nothing_cannot_be_compared() -> None:
    found, raters = severity([Observation("a", "t1", "m", 1.0), Observation("b", "t2", "m", 2.0)], "m")
    assert found.missing == "no target was rated by two raters" and raters == ()
    alone = [*observed(np.random.default_rng(0).normal(size=(6, 2))), Observation("human:z", "t9", "m", 3.0)]
    assert severity(alone, "m")[1][-1].missing == "shares no target with another rater"


def test_two_sets_of_raters_without_a_bridge_are_each_centred() -> None:
    rng = np.random.default_rng(4)
    array = np.full((20, 4), np.nan)
    array[:10, :2] = rng.normal(size=(10, 2)) + [0, 1]
    array[10:, 2:] = rng.normal(size=(10, 2)) + [0, 2]
    _, raters = severity(observed(array), "m")
    assert raters[0].value + raters[1].value == pytest.approx(0, abs=1e-9)
    assert raters[2].value + raters[3].value == pytest.approx(0, abs=1e-9)


def test_raters_who_differ_by_constants_or_are_too_few_are_said_to_be_untestable() -> None:
    constant = np.arange(5.0)[:, None] + [0.0, 1.0]
    assert "constants only" in severity(observed(constant), "m")[0].missing
    assert "cannot tell" in severity(observed(np.array([[1.0, 2.0]])), "m")[0].missing


def test_a_rater_who_favours_one_system_is_found() -> None:
    rng = np.random.default_rng(6)
    systems = ["kind"] * 20 + ["cold"] * 20
    array = rng.normal(size=(40, 1)) + 0.4 * rng.normal(size=(40, 3))
    array[:20, 1] += 2
    found = {
        (each.labels["rater"], each.labels["system"]): each for each in differential(observed(array, systems), "m")
    }
    assert found["human:1", "kind"].value == pytest.approx(2, abs=0.6)
    assert found["human:1", "kind"].p_adjusted < 0.001
    assert found["human:1", "cold"].value == pytest.approx(-found["human:1", "kind"].value)
    assert found["human:0", "kind"].value < 0  # beside a favouring rater the others look harsher, by half of it


def test_without_two_systems_there_is_nothing_differential() -> None:
    assert differential(observed(np.ones((4, 2))), "m") == ()
    few = differential(observed(np.arange(6.0).reshape(3, 2), ["a", "b", "b"]), "m")
    assert "at least 2 of each" in few[0].missing
    same = differential(observed(np.ones((4, 2)), ["a", "a", "b", "b"]), "m")
    assert same[0].missing == "the deviations do not vary"
