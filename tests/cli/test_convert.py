from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from empathic import datasets, registry
from empathic.cli import main
from empathic.records import Rating

LINE = '{"messages": [{"role": "user", "content": "My cat died."}], "emotion": "sad", "reference": "Oh"}\n'


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    path = tmp_path / "c.jsonl"
    path.write_text(LINE * 2)
    return path


def test_a_table_says_what_was_kept_and_what_was_lost(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = chat.with_name("es.json")
    assert main(["convert", str(chat), "-o", str(out), "--to", "esconv"]) == 0
    shown = capsys.readouterr().out
    assert "dialogues     2        2" in shown
    assert "The format 'esconv' cannot hold" in shown
    assert "dialogues  reference        2" in shown
    assert len(json.loads(out.read_text())) == 2


def test_nothing_lost_is_said_too(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(chat), "-o", str(chat.with_name("r.jsonl")), "--to", "records", "--strict"]) == 0
    assert "Nothing is lost." in capsys.readouterr().out


def test_the_account_is_one_json_document(chat: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = chat.with_name("r.jsonl")
    assert main(["convert", str(chat), "-o", str(out), "--to", "records", "--dry-run", "--json"]) == 0
    account = json.loads(capsys.readouterr().out)
    assert (account["target"], account["read"], account["losses"]) == (None, {"dialogues": 2}, [])
    assert not out.exists()


def test_columns_constants_and_system_are_flags(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "t.csv", tmp_path / "r.jsonl"
    path.write_text("post,answer\nMy cat died.,Oh\n")
    flags = ["--column", "prompt=post", "--column", "text=answer", "--system", "reddit", "--set", "emotion=sad"]
    assert main(["convert", str(path), "-o", str(out), "--to", "records", *flags]) == 0
    made = json.loads(out.read_text())
    assert (made["system"], made["text"], made["emotion"]) == ("reddit", "Oh", "sad")


@pytest.mark.parametrize(
    ("content", "flags", "message"),
    [
        (b"", [], "in.csv: the file is empty"),
        (b"a,b\n", [], "no column is called text"),
        (b"\x89PNG\x00\x00", ["--from", "chat"], "in.csv: is a binary file"),
        (
            b'{"messages": [{"role": "cat", "content": "x"}]}',
            ["--from", "chat"],
            "in.csv:1 field 'messages[0].role': the role",
        ),
        (b'{"messages": [{"role": "us', ["--from", "chat"], "in.csv:1: Input data was truncated"),
        (b'{"messages": [{"role": "\xff"}]}', ["--from", "chat"], "in.csv:1: is not UTF-8"),
        (LINE.encode(), ["--from", "chatt"], "No format is called 'chatt'. Did you mean 'chat'?"),
        (LINE.encode(), ["--from", "chat", "--column", "text"], "--column text: write it as FIELD=NAME"),
        (LINE.encode(), ["--from", "chat", "--only", "ratings"], "has no records; the format 'records' holds"),
    ],
)
def test_a_mistake_is_one_line_exit_1_and_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes, flags: list[str], message: str
) -> None:
    path, out = tmp_path / "in.csv", tmp_path / "out.jsonl"
    path.write_bytes(content)
    assert main(["convert", str(path), "-o", str(out), "--to", "records", *flags]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("empathic: ") and said.err.count("\n") == 1
    assert message in said.err
    assert said.out == ""
    assert [child.name for child in tmp_path.iterdir()] == ["in.csv"]


def test_a_line_of_100_megabytes_is_one_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "long.jsonl"
    with path.open("wb") as stream:
        stream.write(LINE.encode() + b'{"messages": "')
        for _ in range(100):
            stream.write(b"x" * 1_000_000)
    assert main(["convert", str(path), "-o", str(tmp_path / "o.jsonl"), "--to", "records"]) == 1
    assert "long.jsonl:2: the line is longer than 67,108,864 bytes" in capsys.readouterr().err
    assert [child.name for child in tmp_path.iterdir()] == ["long.jsonl"]


def test_a_folder_is_no_output(chat: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(chat), "-o", str(tmp_path), "--to", "records"]) == 1
    assert "is a folder" in capsys.readouterr().err


def test_a_format_of_an_extension_is_recognised_and_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = (Path(__file__).parent.parent.parent / "docs" / "formats.md").read_text()
    extension, source, out = tmp_path / "plain_lines.py", tmp_path / "cries.txt", tmp_path / "cries.jsonl"
    extension.write_text(page.split("## A format of your own")[1].split("```python\n")[1].split("```")[0])
    source.write_text("My cat died.\nI won!\n")
    try:
        assert main(["convert", str(source), "-o", str(out), "--to", "chat", "--load", str(extension)]) == 0
    finally:
        registry._entries["format"].pop("plain-lines", None)
    assert len(out.read_text().splitlines()) == 2


@pytest.mark.parametrize("name", ["emotional-reactions", "interpretations", "explorations"])
def test_released_epitome_levels_become_ratings(shared: Path, tmp_path: Path, name: str) -> None:
    source, out = shared / "data" / "epitome2020" / f"{name}-reddit.csv", tmp_path / "r.jsonl"
    flags = ["--column", "target=rp_id", "--column", "value=level", "--set", "rater=human:epitome"]
    flags += ["--set", "instrument=epitome", "--set", "item=ER"]
    assert main(["convert", str(source), "-o", str(out), "--to", "records", "--strict", *flags]) == 0
    with source.open(newline="", encoding="utf-8") as stream:
        levels = [(row["rp_id"], float(row["level"])) for row in csv.DictReader(stream)]
    assert [(r.target, r.value) for r in datasets.read(out) if isinstance(r, Rating)] == levels
