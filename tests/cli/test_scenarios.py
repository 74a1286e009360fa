from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main

SELECT = ["scenarios", "select", "builtin", "-n", "20", "--seed", "1"]


def test_a_table_says_what_each_step_dropped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "s.jsonl"
    assert main([*SELECT, "-o", str(out)]) == 0
    shown = capsys.readouterr().out
    assert [line.split()[0] for line in shown.splitlines()[2:7]] == ["opening", "length", "colour", "topic", "balance"]
    assert "10 positive, 10 negative" in shown
    assert len(out.read_text().splitlines()) == 20


def test_reasons_are_in_the_json_and_the_output_is_the_same_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert main([*SELECT, "-o", str(one), "--json"]) == 0
    account = json.loads(capsys.readouterr().out)
    assert len(account["dropped"]) == 128 - 20
    assert all(drop["reason"] for drop in account["dropped"])
    assert main([*SELECT, "-o", str(two)]) == 0
    assert one.read_bytes() == two.read_bytes()


def test_the_selection_may_be_written_in_another_format(tmp_path: Path) -> None:
    out = tmp_path / "s.csv"
    assert main([*SELECT, "-o", str(out), "--to", "table"]) == 0
    assert out.read_text().startswith("id,turns,emotion,polarity,situation")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["-n", "500"], "250 positive scenarios are wanted"),
        (["--to", "ieval"], "The format 'ieval' cannot be written with dialogues"),
        (["--similarity", "2"], "--similarity above 0 and up to 1"),
    ],
)
def test_a_mistake_is_one_line_and_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main([*SELECT, "-o", str(tmp_path / "s.jsonl"), *words]) == 1
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_without_dialogues_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"id": "human:a"}\n')
    assert main(["scenarios", "select", str(path), "-n", "2", "--seed", "1", "-o", str(tmp_path / "o")]) == 1
    assert "has no dialogues to select from" in capsys.readouterr().err
