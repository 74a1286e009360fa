from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "cem_responses.json"
    path.write_text(json.dumps([{"query": ["I lost it. I did."], "response": "oh no . oh"}]))
    return path


def test_a_word_counts_once_per_utterance(source: Path, tmp_path: Path) -> None:
    assert main(["corpus", "build", str(source), "-o", str(tmp_path / "counts.json")]) == 0
    counts = json.loads((tmp_path / "counts.json").read_text())
    assert counts["."] == 2
    assert counts["oh"] == counts["I"] == 1


def test_one_side_can_be_counted_alone_and_the_counts_serve_specificity(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    counts = tmp_path / "counts.json"
    assert main(["corpus", "build", str(source), "-o", str(counts), "--role", "speaker", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["utterances"] == 1
    assert "oh" not in json.loads(counts.read_text())
    words = ["score", str(source), "--metrics", "specificity", "--set", f"specificity.reference={counts}", "--json"]
    assert main(words) == 0
    cell = json.loads(capsys.readouterr().out)["systems"]["cem"]["specificity.unseen"]
    assert cell["value"] == pytest.approx(2 / 3)
    assert "reference:counts.json@" in cell["signature"]
