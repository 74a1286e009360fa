"""The last step of a probe run: estimates, declared in the manifest, and the page."""

from __future__ import annotations

from pathlib import Path

import pytest

import probe_runs
from empathic import files
from empathic.errors import InputError
from empathic.probing import report
from empathic.records import Estimate
from empathic.runs import Run


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    made = probe_runs.folder(tmp_path_factory.mktemp("probe") / "run", less=0.35)
    probe_runs.analysed(made)
    return made


def test_the_estimates_are_written_and_declared(tmp_path: Path) -> None:
    run = Run(tmp_path)
    (tmp_path / "measured.jsonl").write_text("")
    first = [Estimate(name="ce.accuracy", value=0.5, method="share")]
    found = report.write(run, [], first, probes=[], references={"age": "45"}, focal=["age"], seed=1)
    assert found[0] == first[0]
    assert files.read_json(tmp_path / "estimates.json", list[Estimate])[0] == first[0]
    assert run.stage("analyze") is not None
    run.check()


def test_groups_follow_what_measuring_itself_estimates(run: Run) -> None:
    found = files.read_json(run.path("estimates.json"), list[Estimate])
    assert found[0] == probe_runs.first(run)[0]
    assert any(each.labels.get("kind") == "contrast" for each in found)
    assert [each.labels["position"] for each in found if each.labels.get("kind") == "position"] == list("ABCDE")


def test_analysing_again_keeps_the_first_estimates_and_takes_other_margins(tmp_path: Path) -> None:
    made = probe_runs.folder(tmp_path / "run")
    once = probe_runs.analysed(made)
    again = report.again(made, draws=199)
    assert again == once
    other = report.again(made, margins={"ce": 0.3}, focal=["age"], draws=199)
    assert other[0] == once[0]
    assert [each.name for each in other].count("letters") == 1
    assert next(each for each in other if each.labels.get("kind") == "contrast").details["margin"] == 0.3
    assert not any(each.labels.get("kind") == "interaction" for each in other)
    assert made.stage("analyze").settings["margins"] == {"ce": 0.3}


def test_the_material_says_what_was_asked(run: Run) -> None:
    asked = dict(report.material(run).asked)
    assert asked["templates"] == "8"
    assert asked["probes"] == "216 and 8 controls"
    assert asked["crossed"] == "age × pronouns"
    assert asked["left out: x"] == "why"
    assert "Cramér's V" in asked["worst association of what was drawn"]


def test_the_page_is_written_with_its_verdict(run: Run, tmp_path: Path) -> None:
    text = report.page(run, tmp_path / "page.html", title="Mine & yours").read_text()
    assert "<h1>Mine &amp; yours</h1>" in text
    assert "Understanding if places did nothing: 0." in text
    assert "failures to choose counted as wrong: 0." in text
    assert "Who the speaker is makes a difference to how bot&lt;1&gt; answers. It shows in: understanding." in text
    assert report.page(run) == run.path("report.html")


def test_the_measures_with_margins_are_named(run: Run) -> None:
    assert report.tested(run) == ["ae.valence", "ce", "length", "refusal", "role_break"]


def test_the_words_of_methods_limits_and_sources_are_there(run: Run) -> None:
    made = report.material(run)
    assert any("never “no bias”" in text for text in made.limits)
    assert any("maxT" in text for text in made.methods)
    assert any("Formánek" in text for text in made.sources)


def test_a_folder_without_probes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="empathic probe run"):
        report.page(Run(tmp_path))
