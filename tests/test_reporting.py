from __future__ import annotations

import pytest

from empathic import reporting
from empathic.cli import main
from empathic.pipeline import read_estimates
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
    assert 0 < len(material.examples) <= reporting.EXAMPLES
    assert all(len(each.answers) == 3 for each in material.examples)
