from __future__ import annotations

import msgspec
import pytest

from empathic import files, reporting
from empathic.cli import main
from empathic.pipeline import RESPONSES, read_estimates
from empathic.records import Estimate, Response
from empathic.reports import Material
from empathic.runs import Run

SYSTEMS = ("human/reference", "builtin/if-else", "builtin/echo")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("report") / "run"
    words = [word for name in SYSTEMS for word in ("--system", name)]
    assert main(["evaluate", *words, "--per-emotion", "1", "--draws", "100", "-o", str(folder)]) == 0
    return Run(folder)


@pytest.fixture(scope="module")
def material(run: Run) -> Material:
    return reporting.material(run)


def test_evaluate_writes_the_report(run: Run) -> None:
    text = run.path("report.html").read_text()
    assert text.startswith("<!doctype html>")
    assert run.stage("report") is not None


def test_the_figures_of_the_report_equal_the_estimates(run: Run, material: Material) -> None:
    assert list(material.estimates) == read_estimates(run)


def test_the_baselines_are_exposed(material: Material) -> None:
    flagged = {(each.system, each.name) for each in material.pathologies if each.flagged}
    assert ("builtin/if-else", "repeats itself") in flagged
    assert ("builtin/echo", "says the prompt back") in flagged
    assert ("human/reference", "equals the reference") not in flagged
    assert ("human/reference", "repeats itself") not in flagged


def test_the_written_reference_is_not_called_human(material: Material) -> None:
    assert material.reference_name == "the written reference"
    assert any("no human baseline" in text for text in material.limitations)


def test_if_else_is_told_apart_from_the_reference_on_specificity(material: Material) -> None:
    groups = material.groups["specificity"]
    assert not any({"human/reference", "builtin/if-else"} <= set(group) for group in groups)


def test_methods_name_the_draws_and_sources_have_bibtex(material: Material) -> None:
    assert any("100 cluster bootstrap draws" in text for text in material.methods)
    assert all(each.bibtex.startswith("@") for each in material.sources)
    assert material.licences[0].startswith("Built-in scenarios: CC BY 4.0")


def test_phrases_and_examples_are_shown(material: Material) -> None:
    phrases = {each.system: each for each in material.phrases}
    assert phrases["builtin/if-else"].templates[0][1] > 10
    assert phrases["builtin/if-else"].beginnings[0].hits > 10
    assert 0 < len(material.examples) <= reporting.EXAMPLES
    assert all(len(each.answers) == 3 for each in material.examples)


COPY, REFERENCE, IF_ELSE, ECHO = "copycat", "human/reference", "builtin/if-else", "builtin/echo"


@pytest.fixture(scope="module")
def copied(run: Run) -> Material:
    """The same run with one system more, which says what the reference says."""
    folder = run.folder.parent / "copied"
    said = list(files.read_lines(run.path(RESPONSES), Response))
    copies = [msgspec.structs.replace(one, system=COPY, id=f"copy-{one.id}") for one in said if one.system == REFERENCE]
    files.write_lines(run.folder.parent / "all.jsonl", [*said, *copies])
    words = ["--responses", str(run.folder.parent / "all.jsonl"), "--draws", "200", "-o", str(folder)]
    assert main(["evaluate", *words]) == 0
    return reporting.material(Run(folder))


def value(material: Material, metric: str, system: str) -> float:
    found = material.values()[metric, system].value
    assert found is not None
    return found


def difference(material: Material, metric: str, one: str, other: str) -> Estimate:
    (found,) = (
        each
        for each in material.of("difference")
        if each.labels["metric"] == metric and {each.labels["base"], each.labels["system"]} == {one, other}
    )
    return found


def told_apart(material: Material, metric: str, one: str, other: str) -> bool:
    return not any({one, other} <= set(group) for group in material.groups[metric])


def test_if_else_is_ranked_last_in_specificity_reflection_and_diversity(copied: Material) -> None:
    for metric in ("specificity", "reflection.level", "distinct.2", "diversity.templates_share"):
        others = [value(copied, metric, name) for name in copied.systems if name != IF_ELSE]
        assert value(copied, metric, IF_ELSE) < min(others), metric
    for name in (REFERENCE, ECHO, COPY):
        assert told_apart(copied, "specificity", IF_ELSE, name)
    flagged = {each.name for each in copied.pathologies if each.flagged and each.system == IF_ELSE}
    assert flagged == {"repeats itself"}


def test_an_echo_explores_less_than_people_and_its_perfect_match_of_words_is_flagged(copied: Material) -> None:
    assert value(copied, "word_choice.intensity.absolute", ECHO) == 0
    assert told_apart(copied, "mechanisms.ex", ECHO, REFERENCE)
    assert value(copied, "mechanisms.ex", ECHO) < value(copied, "mechanisms.ex", REFERENCE)
    flagged = {each.name for each in copied.pathologies if each.flagged and each.system == ECHO}
    assert "says the prompt back" in flagged
    assert "equals the reference" not in flagged


def test_a_copy_of_the_reference_cannot_be_told_from_it_and_is_flagged(copied: Material) -> None:
    for metric in copied.groups:
        assert not told_apart(copied, metric, COPY, REFERENCE), metric
        found = difference(copied, metric, COPY, REFERENCE)
        assert (found.value, found.low, found.high) == (0, 0, 0), metric
    flagged = {(each.system, each.name) for each in copied.pathologies if each.flagged}
    assert (COPY, "equals the reference") in flagged
    assert (REFERENCE, "equals the reference") not in flagged


def test_overlap_is_shown_last_and_perfect_for_a_copy(copied: Material) -> None:
    if "bleu" not in {metric for metric, _ in copied.values()}:
        pytest.skip("the extra `overlap` is not installed: pip install 'empathic[overlap]'")
    assert copied.sections[-1].id == "overlap"
    assert value(copied, "bleu", COPY) == pytest.approx(100)


def test_a_person_may_speak_of_an_own_life(copied: Material) -> None:
    assert not [each for each in copied.pathologies if each.system == REFERENCE and each.name == "credibility fallacy"]
    assert [each for each in copied.pathologies if each.system == ECHO and each.name == "credibility fallacy"]
