from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main
from empathic.runs import Run


@pytest.fixture
def cem(tmp_path: Path) -> Path:
    path = tmp_path / "cem_responses.json"
    answers = [
        {"query": ["i lost my dog"], "response": "i am sorry . ", "beam_search": "oh no"},
        {"query": ["hi", "hello", "i won"], "response": "that is great !", "beam_search": "oh no"},
    ]
    path.write_text(json.dumps(answers))
    return path


def document(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert main(["score", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_file_names_the_system_unless_the_user_does(cem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(document(capsys, str(cem), f"mine={cem}", "--metrics", "length")["systems"]) == ["cem", "mine"]


def test_the_summary_says_value_n_missing_and_signature(cem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cell = document(capsys, str(cem), "--metrics", "length,distinct")["systems"]["cem"]["length.words"]
    assert cell == {"value": 4.0, "n": 2, "missing": 0, "signature": cell["signature"]}
    assert cell["signature"].startswith("length.v1|tokens:ptb|empathic:")


def test_another_decoding_can_be_scored(cem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cells = document(capsys, str(cem), "--metrics", "length", "--decoding", "beam_search")["systems"]["cem"]
    assert cells["length.words"]["value"] == 2.0
    assert main(["score", str(cem), "--decoding", "top_k"]) == 1
    assert "has no decoding 'top_k'" in capsys.readouterr().err


def test_a_folder_gets_the_table_the_summary_and_a_manifest(cem: Path, tmp_path: Path) -> None:
    assert main(["score", str(cem), "-o", str(tmp_path / "run"), "--metrics", "length"]) == 0
    Run(tmp_path / "run").check()
    stage = Run(tmp_path / "run").stage("score")
    assert stage is not None
    assert set(stage.outputs) == {"scores.parquet", "scores.json"}


def test_the_table_for_people_shows_systems_side_by_side(cem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(cem), f"b={cem}", "--metrics", "length"]) == 0
    head = capsys.readouterr().out.splitlines()[0].split()
    assert head == ["cem", "b"]


def test_a_metric_of_the_users_own_is_loaded_and_scored(
    cem: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(
        "from empathic import register\n\n\n@register('metric', 'exclaims')\ndef exclaims(response):\n"
        "    return float('!' in response.text)\n"
    )
    found = document(capsys, str(cem), "--load", str(mine), "--metrics", "exclaims", "--workers", "2")
    assert found["systems"]["cem"]["exclaims"]["value"] == 0.5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--metrics", "lenght"], "Did you mean 'length'"),
        (["--set", "length"], "METRIC.SETTING=VALUE is needed"),
        (["--set", "distinct.x=1", "--metrics", "length"], "not among the metrics"),
        (["--set", "length.x=1", "--metrics", "length"], "No setting of length is called 'x'"),
        (["--engine", "dask"], "needs --scheduler"),
        (["--workers", "0"], "--workers is 0"),
    ],
)
def test_mistakes_are_one_line_that_says_what_to_type(
    cem: Path, words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["score", str(cem), *words]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_the_answers_of_a_reference_system_are_compared_with(cem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--reference", "human", "--metrics", "rouge_l,bleu"]
    systems = document(capsys, str(cem), f"human={cem}", *words)["systems"]
    assert systems["cem"]["rouge_l"]["value"] == 1.0
    assert systems["human"]["rouge_l"]["missing"] == 2
    assert main(["score", str(cem), *words]) == 1
    assert "add human=FILE" in capsys.readouterr().err


def test_with_a_reference_overlap_is_among_the_defaults(cem: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(cem), f"human={cem}", "--reference", "human"]) == 0
    shown = capsys.readouterr().out
    assert "rouge_l: compares with the one answer that is known" in shown
