"""Measured answers become estimates of every group: positions removed, missing kept apart, verdicts over all measures."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

import probe_runs
from empathic.errors import InputError, SettingError
from empathic.probes.measured import Measured
from empathic.probing.analysis import NAMES, Settings, analyze, measure, measures, references
from empathic.records import Estimate

SETTINGS = Settings(references=probe_runs.REFERENCES, crossed=("age", "pronouns"), draws=199)


def rows(less: float = 0.0, templates: int = 8, repeats: int = 3) -> list[Measured]:
    return probe_runs.measured(probe_runs.probes(templates, repeats), less=less)


def pick(found: list[Estimate], kind: str, metric: str = "ce", group: str = "") -> Estimate:
    return next(
        each
        for each in found
        if each.labels.get("kind") == kind
        and each.labels["metric"] == metric
        and group in ("", each.labels.get("group"))
    )


@pytest.fixture(scope="module")
def planted() -> list[Estimate]:
    return analyze(rows(less=0.35), SETTINGS)


def test_the_planted_intersection_is_said_to_differ(planted: list[Estimate]) -> None:
    cell = pick(planted, "deviation", group="age=70 × pronouns=they")
    assert cell.details["verdict"] == "different"
    assert cell.value == pytest.approx(-0.35, abs=0.12)
    assert pick(planted, "any").details["verdict"] == "different"
    assert pick(planted, "any", "length").details["verdict"] != "different"


def test_a_group_is_the_mean_over_probes_of_the_mean_over_orders(planted: list[Estimate]) -> None:
    """By hand from the rows; complete orders, so that removing positions changes nothing."""
    cell: dict[str, dict[str, list[float]]] = {}
    for each in rows(less=0.35):
        if each.metric == "ce" and each.value is not None and each.levels["age"] == "70" and each.control is None:
            cell.setdefault(each.template, {}).setdefault(each.probe, []).append(each.value)
    by_hand = np.mean([np.mean([np.mean(values) for values in probes.values()]) for probes in cell.values()])
    assert pick(planted, "mean", group="age=70").value == pytest.approx(by_hand)


def test_where_a_difference_may_be_right_nobody_is_compared() -> None:
    """Only the first template treats people of 70 worse, and it does not assume that it should not."""
    first = rows()[0].template
    given = [msgspec.structs.replace(each, value=0.0)
             if each.metric == "ce" and each.levels["age"] == "70" and each.template == first else each
             for each in rows()]  # fmt: skip
    everywhere = pick(analyze(given, SETTINGS), "contrast", group="age=70")
    settings = msgspec.structs.replace(SETTINGS, excepted={"age": (first,)})
    found = analyze(given, settings)
    elsewhere = [each for each in rows() if each.template != first]
    assert pick(found, "contrast", group="age=70").value > everywhere.value + 0.05
    without = pick(analyze(elsewhere, SETTINGS), "contrast", group="age=70")
    assert pick(found, "contrast", group="age=70").value == pytest.approx(without.value)
    assert (
        pick(found, "mean", group="pronouns=they").n == pick(analyze(given, SETTINGS), "mean", group="pronouns=they").n
    )


def test_controls_are_told_apart_from_groups(planted: list[Estimate]) -> None:
    control = pick(planted, "control")
    assert control.labels["control"] == "same prompt again"
    assert pick(planted, "mean", "length", "everyone").n == 8 * 27


def test_places_letters_and_consistency_are_estimated(planted: list[Estimate]) -> None:
    shares = [each for each in planted if each.labels.get("kind") == "position"]
    assert [each.labels["position"] for each in shares] == list("ABCDE")
    assert pick(planted, "letters").p > 0.01
    assert 0 < pick(planted, "consistency").value < 1
    assert pick(planted, "accuracy").value == pytest.approx(0.82, abs=0.06)


def test_every_estimate_is_known_as_one_of_the_groups(planted: list[Estimate]) -> None:
    assert {each.name for each in planted} == set(NAMES)


def test_an_order_that_was_not_answered_does_not_help_a_group() -> None:
    """A system right only at place A; one person is only asked with the keyed answer there."""
    given = [
        msgspec.structs.replace(each, value=float(each.keyed == 0), position=0)
        for each in rows()
        if each.metric == "ce"
    ]
    lucky = [each for each in given if each.levels["age"] != "70" or each.keyed == 0]
    found = analyze(lucky, SETTINGS)
    assert pick(found, "mean", group="age=70").value == pytest.approx(
        pick(found, "mean", group="age=25").value, abs=1e-9
    )


def test_the_published_rule_and_spread_stand_beside(planted: list[Estimate]) -> None:
    assert set(pick(planted, "published").details["false_alarms"]) == {"z>2", "z>3"}
    spreads = [each for each in planted if each.labels.get("kind") == "spread"]
    assert {each.labels["factor"] for each in spreads} == {"age", "pronouns", "religion"}
    assert any("two values" in (each.missing or "") for each in spreads if each.labels["metric"] == "refusal")


def test_a_share_that_is_nought_everywhere_is_equivalent_only_if_enough_were_asked() -> None:
    few = pick(analyze(rows(), SETTINGS), "any", "role_break")
    assert few.details["verdict"] == "inconclusive"
    assert "others may hide" in (few.missing or "")
    assert few.details["unseen"] == pytest.approx(1 - 0.05 ** (1 / few.details["smallest_group"]))
    many = pick(analyze(rows(templates=8, repeats=4), SETTINGS), "any", "role_break")
    assert many.details["verdict"] == "equivalent"


def test_a_measure_without_a_value_says_why() -> None:
    lost = [
        msgspec.structs.replace(each, value=None, missing="no word of the lexicon")
        if each.metric == "ae.valence"
        else each
        for each in rows()
    ]
    found = pick(analyze(lost, SETTINGS), "any", "ae.valence")
    assert found.missing == "no value: no word of the lexicon (216 of 216)"


def test_a_measure_that_is_only_described_has_means_and_no_verdict() -> None:
    more = [
        *rows(),
        *(msgspec.structs.replace(each, metric="mine.score") for each in rows() if each.metric == "length"),
    ]
    found = [each for each in analyze(more, SETTINGS) if each.labels["metric"] == "mine.score"]
    assert {each.labels["kind"] for each in found} == {"mean", "control"}


def test_where_no_choice_could_be_read_probabilities_stand_in() -> None:
    base = rows()
    likely = [
        msgspec.structs.replace(each, metric="ce.likelihood", value=each.value / 60)
        for each in base
        if each.metric == "length"
    ]
    unread = [
        msgspec.structs.replace(each, value=None, position=None) if each.metric == "ce" else each for each in base
    ]
    beside, instead = analyze([*base, *likely], SETTINGS), analyze([*unread, *likely], SETTINGS)
    assert not [each for each in beside if each.labels["metric"] == "ce.likelihood" and each.labels["kind"] == "any"]
    assert pick(instead, "any", "ce.likelihood").p is not None


def test_margins_are_the_measures_own_or_the_users() -> None:
    found = analyze(rows(), msgspec.structs.replace(SETTINGS, margins={"ce": 0.25}))
    assert pick(found, "contrast").details["margin"] == 0.25
    length = pick(found, "contrast", "length").details["margin"]
    assert length == pytest.approx(0.1 * pick(found, "mean", "length", "everyone").value, rel=0.01)


def test_what_a_text_does_not_say_is_no_group() -> None:
    given = [
        msgspec.structs.replace(each, levels={**each.levels, "religion": "unsaid"})
        if each.template == "scene-0"
        else each
        for each in rows()
    ]
    groups = {each.labels["group"] for each in analyze(given, SETTINGS) if each.labels.get("kind") == "mean"}
    assert "religion=unsaid" not in groups
    assert "religion=muslim" in groups


def test_systems_are_analysed_apart() -> None:
    both = [*rows(), *probe_runs.measured(probe_runs.probes(), system="other", less=0.5, seed=2)]
    found = analyze(both, SETTINGS)
    said = {each.labels["system"]: each.details["verdict"] for each in found
            if each.labels["kind"] == "any" and each.labels["metric"] == "ce"}  # fmt: skip
    assert said["other"] == "different"
    assert said["bot<1>"] != "different"


def test_references_are_the_known_ones_if_they_were_asked() -> None:
    assert references(rows(), {"age": "45", "pronouns": "xe"}) == {
        "age": "45",
        "pronouns": "he",
        "religion": "christian",
    }


def test_every_measure_has_a_title_a_direction_and_a_margin() -> None:
    for each in measures().values():
        assert each.title and each.short and each.margin > 0
        assert each.better in ("higher", "lower", "neither")
    assert measure("unheard.of").described


@pytest.mark.parametrize(
    ("changes", "error", "word"),
    [({"crossed": ("race",)}, SettingError, "No factor is called 'race'; there are age, pronouns, religion"),
     ({"margins": {"cee": 0.1}}, SettingError, "No measure is called 'cee'"),
     ({"margins": {"ce": 0.0}}, SettingError, "--margin ce=0.1")],
)  # fmt: skip
def test_settings_that_fit_nothing_are_refused(changes: dict[str, object], error: type[Exception], word: str) -> None:
    with pytest.raises(error, match=word):
        analyze(rows(), msgspec.structs.replace(SETTINGS, **changes))


def test_a_run_without_a_measured_group_is_refused() -> None:
    with pytest.raises(InputError, match="empathic probe run"):
        analyze([each for each in rows() if each.control], SETTINGS)
