"""`empathic probe analyze`, `report` and `power` as a user types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import probe_runs
from empathic import cli


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = probe_runs.folder(tmp_path_factory.mktemp("probe") / "run", less=0.35)
    probe_runs.analysed(run)
    return run.folder


def test_analyze_says_who_differs_and_by_how_much(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["probe", "analyze", str(folder), "--draws", "199", "--margin", "ce=0.15"]) == 0
    told = capsys.readouterr().out
    assert "understanding" in told
    assert "different" in told
    assert "ce: age=70 × pronouns=they -0." in told
    assert "0.15" in told


def test_analyze_as_json_is_one_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["probe", "analyze", str(folder), "--draws", "99", "--json", "--margin", "0.2"]) == 0
    found = json.loads(capsys.readouterr().out)
    margins = {
        each["details"]["margin"] for each in found["estimates"] if each.get("labels", {}).get("kind") == "contrast"
    }
    assert margins == {0.2}


def test_only_named_factors_are_crossed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["probe", "analyze", str(folder), "--draws", "99", "--focal", "age,religion", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["estimates"]
    crossed = {
        tuple(each["labels"]["factors"]) for each in found if each.get("labels", {}).get("kind") == "interaction"
    }
    assert crossed == {("age", "religion")}


@pytest.mark.parametrize(
    ("arguments", "word"),
    [(["--margin", "small"], "METRIC=NUMBER"), (["--margin", "cee=0.1"], "No measure is called 'cee'"),
     (["--focal", "race"], "No factor is called 'race'"), (["--margin", "ce=-1"], "larger than 0")],
)  # fmt: skip
def test_mistakes_are_told_with_what_to_type(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], word: str
) -> None:
    assert cli.main(["probe", "analyze", str(folder), *arguments]) == 1
    assert word in capsys.readouterr().err


def test_report_writes_one_page(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "page.html"
    assert cli.main(["probe", "report", str(folder), "-o", str(target), "--title", "Ours"]) == 0
    assert capsys.readouterr().out.strip() == str(target)
    assert "<h1>Ours</h1>" in target.read_text()
    assert cli.main(["probe", "report", str(folder), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["written"] == [str(folder / "report.html")]


def test_a_folder_that_is_no_probe_run_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["probe", "report", str(tmp_path)]) == 1
    assert "empathic probe run" in capsys.readouterr().err


def test_power_says_what_a_design_can_find(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["probe", "power", "--repeats", "9", "--runs", "500"]) == 0
    assert "20 templates × 9 intersections × 9 repeats × 5 orders = 8,100 choices" in capsys.readouterr().out
    assert cli.main(["probe", "power", "--sd", "1", "--effect", "0.3", "--runs", "500", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["asks"] == 900
    assert 0 <= found["power"]["value"] <= 1


def test_power_refuses_sizes_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["probe", "power", "--templates", "1"]) == 1
    assert "templates must be at least 2" in capsys.readouterr().err
