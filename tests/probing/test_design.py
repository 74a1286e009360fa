"""Settings become a design: probes, questions, and what is known before anything is sent."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from empathic.errors import InputError, SettingError, UnknownName
from empathic.probes import templates
from empathic.probes.rendering import CONTROLS
from empathic.probing.design import RESAMPLED, Design, Settings, make

ENGLISH = len(templates.read("builtin", language="en"))


@pytest.fixture(scope="module")
def design() -> Design:
    return make(Settings(focal=("religion", "pronouns"), orders=5))


def test_every_template_is_told_of_every_group(design: Design) -> None:
    groups = [probe for probe in design.probes if probe.control is None]
    told = Counter((probe.template, probe.levels["religion"], probe.levels["pronouns"]) for probe in groups)
    possible = ENGLISH * 6 * 3 - sum("×" in what for what in design.left_out)
    assert len(told) == len(groups) == possible
    assert len(design.questions) == len(design.probes) * 6
    assert len({probe.id for probe in design.probes}) == len(design.probes)


def test_the_controls_are_there_in_every_template(design: Design) -> None:
    controls = Counter((probe.template, probe.control) for probe in design.probes if probe.control)
    assert set(controls.values()) == {1}
    assert {control for _, control in controls} == {*CONTROLS, RESAMPLED}
    assert design.cost().controls == 3 * ENGLISH


def test_the_same_prompt_again_is_the_same_prompt() -> None:
    design = make(Settings(focal=("pronouns",), controls=3))
    again = [
        probe for probe in design.probes if probe.control == RESAMPLED and probe.template == design.probes[0].template
    ]
    assert len(again) == 3
    assert len({probe.context for probe in again}) == 1
    assert sorted(probe.repeat for probe in again) == [0, 1, 2], "each repeat has a chance of its own"


def test_probes_about_a_group_differ_in_its_words_alone(design: Design) -> None:
    pairs = [pair for pair in design.pairs() if pair.level == "muslim"]
    assert len(pairs) == ENGLISH
    for pair in pairs:
        ours, theirs = pair.told.context.split(), pair.reference.context.split()
        assert {word.strip(".,") for word in set(ours) - set(theirs)} <= {"Muslim"}, pair.told.context


def test_the_seed_decides_the_whole_design() -> None:
    one, same, other = (make(Settings(focal=("age",), seed=seed, orders=1)) for seed in (1, 1, 2))
    assert one.probes == same.probes
    assert one.questions == same.questions
    assert one.probes != other.probes


def test_czech_has_its_own_levels() -> None:
    design = make(Settings(language="cs", focal=("pronouns",)))
    assert {probe.levels["pronouns"] for probe in design.probes if probe.control is None} == {"he", "she"}
    assert all(probe.language == "cs" for probe in design.probes)


def test_a_limit_keeps_controls_for_the_templates_that_are_left() -> None:
    design = make(Settings(focal=("pronouns",), limit=1))
    assert Counter(probe.control for probe in design.probes)[None] == 1
    assert len({probe.template for probe in design.probes}) == 1


def test_what_cannot_be_is_refused_with_what_to_type() -> None:
    with pytest.raises(UnknownName, match="'pronouns'"):
        make(Settings(focal=("pronoun",)))
    with pytest.raises(UnknownName, match="language"):
        make(Settings(language="xx"))
    with pytest.raises(SettingError, match="1, 5, 10"):
        make(Settings(orders=3))
    czech = str(Path(templates.BUILTIN) / "cs")
    with pytest.raises(InputError, match="--language cs"):
        make(Settings(templates=czech))


def test_two_templates_with_the_papers_dimensions_give_its_486_samples_per_form(tmp_path: Path) -> None:
    for name in ("missed-recital", "garden-plot"):
        (tmp_path / f"{name}.yaml").write_bytes((templates.BUILTIN / "en" / f"{name}.yaml").read_bytes())
    focal = ("sexuality", "pronouns", "age")
    design = make(Settings(templates=str(tmp_path), focal=focal, repeats=3, controls=0, orders=1))
    assert len(design.probes) == 486
    assert Counter(question.metadata["form"] for question in design.questions) == {"free": 486, "choice": 486}
    assert design.associations[0].cramers_v < 0.06


def test_scenes_where_a_difference_may_be_right_are_named_by_factor() -> None:
    excepted = make(Settings(focal=("pronouns",), orders=1)).excepted
    assert excepted["religion"] == ["second-cup"]
    assert "corrected-form" in excepted["ses"]
    assert "pronouns" not in excepted
