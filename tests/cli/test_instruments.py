from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic import files, instruments
from empathic.cli import main
from empathic.records import Rating

OWN = (instruments.SCALES / "ssa.toml").read_text().replace('id = "ssa"\nversion', 'id = "own"\nversion')


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    path = tmp_path / "own.toml"
    path.write_text(OWN)
    return path


def test_a_questionnaire_of_ones_own_is_added_and_shown(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["instruments", "add", str(own)]) == 0
    assert "Added own.v1" in capsys.readouterr().out
    assert main(["instruments", "add", str(own), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "own"


def test_answers_become_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "ratings.jsonl", tmp_path / "scores.jsonl"
    answers = [
        Rating(rater="human:1", instrument="ssa", item=item, target="r1", value=value)
        for item, value in (("sensible", 1), ("specific", 0))
    ]
    files.write_lines(path, answers)
    assert main(["instruments", "score", str(path), "--instrument", "ssa", "-o", str(out), "--json"]) == 0
    scored = {row["component"]: row["value"] for row in json.loads(capsys.readouterr().out)}
    assert scored == {"sensibleness": 1.0, "specificity": 0.0, "ssa": 0.5}
    assert len(list(files.read_lines(out, instruments.ComponentScore))) == 3
    assert main(["instruments", "score", str(path), "--instrument", "ssa"]) == 0
    assert "sensibleness" in capsys.readouterr().out


def test_pages_are_written_for_every_instrument(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["instruments", "pages", "-o", str(tmp_path), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["written"]) == len(list(tmp_path.glob("*.md"))) >= 8
    assert main(["instruments", "pages", "-o", str(tmp_path)]) == 0
