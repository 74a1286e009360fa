from __future__ import annotations

import numpy as np
import pytest

from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Estimate, Rating
from empathic.statistics.analysis import Analysis, Answers, Shape, analyse, collect, enough_raters, odds_assumption


def rating(rater: str, system: str | None, value: float | None, item: str = "warm") -> Rating:
    missing = "not answered" if value is None else None
    return Rating(rater=rater, instrument="i", item=item, target="t", value=value, missing=missing, system=system)


def mean_design(answers: Answers, seed: int) -> Analysis:
    mean = Estimate(name="mean", value=float(answers.values.mean()), method="m")
    return Analysis(design="d", instrument="i", item="x", estimates=(mean,), published=(), assumptions=())


def test_answers_are_collected_per_item_and_those_without_a_value_are_remembered() -> None:
    found = collect([rating("a", "x", 1), rating("a", "y", None), rating("b", "x", 3), rating("b", "x", 2, "clear")])
    assert [one.item for one in found] == ["warm", "clear"]
    assert found[0].values.tolist() == [1, 3]
    assert found[0].missing == ("a",)


def test_ratings_without_a_system_are_passed_over() -> None:
    with pytest.raises(InputError, match="no ratings that name a system"):
        collect([rating("a", None, 1)])


def test_an_unknown_item_is_named() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'warm'"):
        collect([rating("a", "x", 1)], items=["warmm"])


def test_both_results_stand_side_by_side_when_somebody_is_excluded() -> None:
    (answers,) = collect([rating("a", "x", 1), rating("b", "x", 3)])
    found = analyse(mean_design, answers, exclude=["a"], seed=1)
    assert (found.estimates[0].value, found.before_exclusion[0].value) == (3.0, 2.0)
    assert found.exclusions[0].ids == ("a",)
    assert analyse(mean_design, answers, seed=1).before_exclusion == ()


def test_an_unknown_rater_cannot_be_excluded() -> None:
    (answers,) = collect([rating("ann", "x", 1)])
    with pytest.raises(UnknownName, match="Did you mean 'ann'"):
        analyse(mean_design, answers, exclude=["anne"], seed=1)


def test_few_raters_and_uneven_odds_are_told() -> None:
    (answers,) = collect([rating(str(number), "x", 1) for number in range(5)])
    assert enough_raters(answers).holds is False
    rng = np.random.default_rng(1)
    rows = [rating(f"r{n}", system, float(rng.integers(1, 4))) for n in range(60) for system in "xy"]
    assert odds_assumption(collect(rows)[0]).holds is not None
    assert odds_assumption(answers).holds is None


PLACED = [
    Rating(rater="a", instrument="i", item="w", target="x", value=1, system="s", dialogue="d1", metadata={"part": 7}),
    Rating(rater="b", instrument="i", item="w", target="z", value=3, system="t", dialogue="d1", metadata={"part": 8}),
]


def test_blocks_levels_and_groups_come_from_fields_metadata_and_dialogues() -> None:
    (answers,) = collect(PLACED, shape=Shape(group="part", block="part", by={"d1": "sad"}, traits={"a": 1.0}))
    assert answers.systems.tolist() == ["7", "8"]
    assert answers.blocks.tolist() == ["7", "8"]
    assert answers.by.tolist() == ["sad", "sad"]
    assert answers.dialogues.tolist() == ["d1", "d1"]
    assert answers.without(["a"]).blocks.tolist() == ["8"]
    assert answers.without(["a"]).traits == {"a": 1.0}


@pytest.mark.parametrize(
    ("ratings", "shape", "error", "word"),
    [
        (PLACED, Shape(group="town"), InputError, "no ratings that name a town"),
        (PLACED, Shape(block="town"), SettingError, "2 of 2 ratings have no 'town'. There is: condition, part, system"),
        (PLACED, Shape(by={"d9": "sad"}), SettingError, "'d1' has no level"),
    ],
)
def test_what_cannot_be_collected_says_why(ratings, shape, error, word) -> None:
    with pytest.raises(error, match=word):
        collect(ratings, shape=shape)


def test_the_flat_list_tells_what_each_estimate_is_about() -> None:
    (answers,) = collect(PLACED)
    flat = analyse(mean_design, answers, exclude=["a"], seed=1).flat()
    assert [each.labels["style"] for each in flat] == ["careful", "nobody excluded"]
    assert flat[0].labels["design"] == "d"
