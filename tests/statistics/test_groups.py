from __future__ import annotations

import numpy as np
import pytest

from empathic.errors import SettingError
from empathic.statistics.groups import Group, layout, means, observations

VALUES = [1.0, 2, 3, 4, 5, 6, 7, 8]
TEMPLATES = ["a"] * 4 + ["b"] * 4
FACTORS = {"age": ["30", "30", "70", "70"] * 2, "pronouns": ["she", "they"] * 4}
REFERENCES = {"age": "30", "pronouns": "she"}


def small(values=VALUES, crossed=("age", "pronouns")):
    return observations(values, TEMPLATES, FACTORS, references=REFERENCES, crossed=crossed)


def test_groups_are_everyone_the_levels_and_the_intersections() -> None:
    names = [group.name for group in layout(small()).groups]
    assert names == [
        "everyone", "age=30", "age=70", "pronouns=she", "pronouns=they", "age=30 × pronouns=she",
        "age=30 × pronouns=they", "age=70 × pronouns=she", "age=70 × pronouns=they",
    ]  # fmt: skip


def test_each_group_has_its_mean_in_every_template() -> None:
    found = layout(small())
    table = means(found, np.array([VALUES]))
    assert table.shape == (1, 2, 9)
    assert table[0, 0, :5] == pytest.approx([2.5, 1.5, 3.5, 2.0, 3.0])
    assert table[0, 1, 5:] == pytest.approx([5, 6, 7, 8])


def test_contrasts_compare_with_the_reference_the_others_and_the_two_main_effects() -> None:
    found = layout(small())
    shown = dict(
        zip(
            [(each.kind, each.group.name) for each in found.contrasts],
            means(found, np.array([VALUES]))[0, 0] @ found.weights.T,
            strict=True,
        )
    )
    assert shown["contrast", "age=70"] == pytest.approx(2.0)
    assert shown["deviation", "age=70"] == pytest.approx(1.0)
    assert shown["contrast", "age=70 × pronouns=they"] == pytest.approx(3.0)
    assert shown["interaction", "age=70 × pronouns=they"] == pytest.approx(0.0)
    assert ("contrast", "age=30") not in shown


def test_an_interaction_is_what_two_main_effects_leave() -> None:
    """By hand: cells 1 2 / 3 8, margins 1.5 5.5 and 2 5, grand mean 3.5: 8 − 5.5 − 5 + 3.5 = 1."""
    found = layout(small([1, 2, 3, 8, 1, 2, 3, 8]))
    table = means(found, np.array([[1, 2, 3, 8, 1, 2, 3, 8.0]]))[0, 0] @ found.weights.T
    place = next(
        place
        for place, each in enumerate(found.contrasts)
        if each.kind == "interaction" and each.group.levels == ("70", "they")
    )
    assert table[place] == pytest.approx(1.0)


def test_the_expected_variance_of_a_contrast_is_that_of_independent_answers() -> None:
    """Two of four answers minus the other two: σ² (1/2 + 1/2)."""
    found = layout(small())
    place = next(place for place, each in enumerate(found.contrasts) if each.kind == "contrast")
    assert found.expected[place] == pytest.approx(np.var([1, 2, 3, 4], ddof=1))


def test_without_crossed_factors_there_are_no_intersections() -> None:
    assert all(len(group.factors) < 2 for group in layout(small(crossed=())).groups)


def test_a_factor_with_one_level_makes_no_group() -> None:
    one = observations(VALUES, TEMPLATES, {**FACTORS, "race": ["x"] * 8}, references={})
    assert Group(("race",), ("x",)) not in layout(one).groups


def test_what_a_text_does_not_say_makes_no_group() -> None:
    ages = ["30", "30", "70", "70", "", "", "", ""]
    found = layout(observations(VALUES, TEMPLATES, {**FACTORS, "age": ages}, references=REFERENCES))
    assert [group.name for group in found.groups if "age" in group.factors] == ["age=30", "age=70"]
    assert found.counts[:, 1].tolist() == [2, 0]


def test_values_that_are_missing_are_left_out() -> None:
    found = small([None, float("nan"), *VALUES[2:]])
    assert found.values.tolist() == VALUES[2:]
    assert len(found.factors["age"]) == len(found.templates) == 6


def test_a_template_without_a_group_cannot_show_its_contrast() -> None:
    found = layout(small([None, None, *VALUES[2:]]))  # template a has nobody of 30
    usable = dict(zip([(each.kind, each.group.name) for each in found.contrasts], found.usable.T, strict=True))
    assert usable["contrast", "age=70"].tolist() == [False, True]
    assert usable["deviation", "age=70"].tolist() == [True, True]
    assert usable["interaction", "age=70 × pronouns=she"].tolist() == [False, True]


def test_arrays_of_different_lengths_and_unknown_factors_are_refused() -> None:
    with pytest.raises(SettingError, match="lengths differ"):
        observations([1.0], TEMPLATES, FACTORS, references={})
    with pytest.raises(SettingError, match="No factor is called 'religion'; there are age, pronouns"):
        observations(VALUES, TEMPLATES, FACTORS, references={}, crossed=("religion",))
