"""The whole analysis of a scale, from observations to one record."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from empathic.statistics.observations import Observation
from empathic.statistics.scale import Scale, ScaleAnalysis, analyze, models

SEVEN = tuple(float(point) for point in range(1, 8))
ITEMS = ("a1", "a2", "a3", "b1", "b2", "b3")
SCALE = Scale(
    id="made",
    items=dict.fromkeys(ITEMS, SEVEN),
    nominal={"code": (0.0, 1.0)},
    components={"a": ITEMS[:3], "b": ITEMS[3:], "total": ITEMS},
    total="total",
)


@pytest.fixture(scope="module")
def given() -> list[Observation]:
    rng = np.random.default_rng(8)
    observations = []
    for target in range(60):
        system = "kind" if target % 2 else "cold"
        true = rng.normal(size=2) + (1.0 if system == "kind" else 0.0)
        for rater, bias in (("human:p", 0.0), ("human:q", -0.6), ("judge:x/y#0", 0.8)):
            noise = 3.5 + bias + np.repeat(true, 3) + 0.6 * rng.normal(size=6)
            values = np.clip(np.round(noise), 1, 7)
            parts = {"a": values[:3].mean(), "b": values[3:].mean(), "total": values.mean(), "code": float(target % 2)}
            for measure, value in {**dict(zip(ITEMS, values, strict=True)), **parts}.items():
                observations.append(Observation(rater, f"t{target}", measure, float(value), system))
    return observations


@pytest.fixture(scope="module")
def found(given: list[Observation]) -> ScaleAnalysis:
    return analyze(SCALE, given, missing={"refused": 2}, replicates=200)


def test_the_analysis_counts_raters_judges_targets_and_sheets(found: ScaleAnalysis) -> None:
    assert (found.raters, found.judges, found.targets, found.sheets, found.incomplete) == (3, 1, 60, 180, 0)
    assert found.missing == {"refused": 2}


def test_the_profile_has_every_system_and_component_with_an_interval(found: ScaleAnalysis) -> None:
    labels = [(each.labels["measure"], each.labels["system"]) for each in found.systems]
    assert labels == [(part, system) for part in ("a", "b", "total") for system in ("cold", "kind")]
    assert all(each.low < each.value < each.high for each in found.systems)
    assert len(found.per_target) == 3 * 60


def test_two_made_factors_are_found_and_fit_better_than_one(found: ScaleAnalysis) -> None:
    assert found.parallel.factors == 2
    one, two = found.models
    assert (one.name, two.name) == ("one factor", "2 factors") and two.bic < one.bic


def test_the_severe_person_and_the_lenient_judge_are_told(found: ScaleAnalysis) -> None:
    effects = {each.name: each.value for each in found.severity[1:]}
    assert effects["human:q"] < effects["human:p"] < effects["judge:x/y#0"]
    assert found.severity[0].p < 0.001


def test_agreement_is_given_per_item_and_component_with_the_raters_needed(found: ScaleAnalysis) -> None:
    measures = [each.measure for each in found.agreement]
    assert measures == [*ITEMS, "code", "a", "b", "total"]
    code = found.agreement[6]
    assert code.alpha.value == pytest.approx(1.0) and code.needed.value == 1


def test_a_scale_of_one_component_has_one_model_and_everything_can_be_written_as_json(given: list[Observation]) -> None:
    small = Scale(id="small", items=dict.fromkeys(ITEMS[:3], SEVEN), components={"a": ITEMS[:3]})
    found = analyze(small, given, replicates=50)
    assert [model.name for model in found.models] == ["one factor"]
    assert msgspec.json.decode(msgspec.json.encode(found), type=ScaleAnalysis) == found
    assert models(small, np.empty((0, 3)))[0].missing is not None


def test_no_answers_at_all_are_an_analysis_of_reasons(given: list[Observation]) -> None:
    found = analyze(SCALE, [], replicates=50)
    assert found.systems == () and found.alpha.value is None and found.alpha.missing
    assert found.severity[0].missing == "no target was rated by two raters"
