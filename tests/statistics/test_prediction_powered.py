"""Few people and many judgements: by hand, no harm from a useless judge, and intervals that cover."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.statistics.observations import Observation
from empathic.statistics.prediction_powered import prediction_powered, system_estimates


def named(values: np.ndarray, start: int = 0) -> dict[str, float]:
    return {f"t{place + start}": float(value) for place, value in enumerate(values)}


def test_the_estimate_and_its_error_follow_the_formula() -> None:
    y, f = np.array([3.0, 5.0, 4.0, 6.0, 2.0, 5.0]), np.array([4.0, 5.0, 5.0, 7.0, 3.0, 5.0])
    other = np.array([4.0, 6.0, 2.0, 5.0, 7.0, 3.0, 6.0, 1.0])
    found = prediction_powered(named(y), {**named(f), **named(other, 6)}, name="x")
    weight = np.cov(y, f)[0, 1] / ((1 + 6 / 8) * np.concatenate([f, other]).var(ddof=1))
    value = y.mean() + weight * (other.mean() - f.mean())
    variance = (y - weight * f).var(ddof=1) / 6 + weight**2 * other.var(ddof=1) / 8
    assert found.details["weight"] == pytest.approx(weight) and found.value == pytest.approx(value)
    half = stats.t.ppf(0.975, 5) * variance**0.5
    assert (found.low, found.high) == (pytest.approx(value - half), pytest.approx(value + half))
    assert found.details["worth"] == pytest.approx(6 * (y.var(ddof=1) / 6) / variance)
    assert "likely too narrow" in found.details["caution"]


def test_a_useless_judge_leaves_people_alone() -> None:
    rng = np.random.default_rng(2)
    y = rng.normal(size=100)
    constant = prediction_powered(named(y), named(np.ones(500)), name="x")
    assert constant.value == pytest.approx(y.mean()) and constant.details["weight"] == 0
    contrary = prediction_powered(named(y), {**named(-y), **named(rng.normal(size=400), 100)}, name="x")
    assert contrary.details["weight"] == 0


def drawn(rng: np.random.Generator, n: int, many: int, bias: float) -> tuple[dict[str, float], dict[str, float]]:
    truth = 4 + rng.normal(size=n + many)
    judged = truth + bias + 0.5 * rng.normal(size=n + many)
    return named((truth + 0.3 * rng.normal(size=n + many))[:n]), named(judged)


def test_intervals_cover_the_truth_although_the_judge_is_biased_and_are_narrower_than_peoples() -> None:
    rng = np.random.default_rng(4)
    found = [prediction_powered(*drawn(rng, 40, 400, bias=1.5), name="x") for _ in range(400)]
    covered = np.mean([each.low <= 4 <= each.high for each in found])
    assert 0.91 < covered < 0.98
    ratio = np.mean([each.details["se"] / each.details["people_alone_se"] for each in found])
    assert ratio < 0.65
    assert np.mean([each.details["judge_alone"] for each in found]) == pytest.approx(5.5, abs=0.05)


def test_too_few_common_targets_say_so() -> None:
    found = prediction_powered(named(np.arange(3.0)), named(np.arange(9.0)), name="x")
    assert found.missing == "3 targets rated by both and 6 by the judge only; 5 and 2 are needed"


def test_systems_get_means_and_paired_differences_over_dialogues() -> None:
    rng = np.random.default_rng(6)
    people, judge = [], []
    for dialogue in range(120):
        shared = rng.normal()
        for system, level in (("kind", 5.0), ("cold", 4.0)):
            truth = level + shared + 0.2 * rng.normal()
            target = f"{system}{dialogue}"
            judge.append(Observation("judge:p/m#0", target, "m", truth + 0.7, system, dialogue=f"d{dialogue}"))
            if dialogue < 40:
                people.append(Observation("human:a", target, "m", truth, system, dialogue=f"d{dialogue}"))
    kind, cold, difference = system_estimates(people, judge, "m")
    assert (kind.labels["system"], cold.labels["system"]) == ("kind", "cold")
    assert difference.labels == {"system": "kind", "baseline": "cold", "measure": "m"}
    assert difference.value == pytest.approx(1.0, abs=0.1)
    assert difference.high - difference.low < kind.high - kind.low  # what the dialogue adds to both falls out
