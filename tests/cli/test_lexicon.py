from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main


@pytest.fixture
def lexicon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    path = tmp_path / "mine.txt"
    path.write_text("rage\tanger\t0.9\ncalm\ttrust\t0.4\n")
    return path


def test_adding_a_lexicon_shows_its_licence(lexicon: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "add", str(lexicon), "--name", "mine"]) == 0
    shown = capsys.readouterr().out
    assert "Licence: free for research" in shown
    assert "--set word_choice.lexicon=mine" in shown
    assert main(["list", "lexicons"]) == 0
    assert "mine.v1" in capsys.readouterr().out


def test_adding_a_lexicon_prints_json(lexicon: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "add", str(lexicon), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["name"] == "nrc-eil"
    assert found["scales"]["intensity"] == 2


@pytest.mark.parametrize("name", ["My Lexicon", "../escape"])
def test_a_name_that_is_no_name_is_refused(lexicon: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "add", str(lexicon), "--name", name]) == 1
    assert "cannot name a lexicon" in capsys.readouterr().err


def test_an_added_lexicon_can_be_used_by_the_score_verb(lexicon: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lexicon", "add", str(lexicon), "--name", "mine"]) == 0
    answers = lexicon.with_name("a_responses.json")
    answers.write_text(json.dumps([{"query": ["such rage"], "response": "stay calm"}]))
    capsys.readouterr()
    words = ["score", str(answers), "--metrics", "word_choice", "--set", "word_choice.lexicon=mine", "--json"]
    assert main(words) == 0
    cell = json.loads(capsys.readouterr().out)["systems"]["a"]["word_choice.intensity.difference"]
    assert cell["value"] == pytest.approx(0.5)
    assert "lexicon:mine@" in cell["signature"]
