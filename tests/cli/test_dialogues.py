from __future__ import annotations

from pathlib import Path

import pytest

from empathic import files
from empathic.cli import dialogues
from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Dialogue, Response, Turn

TURNS = (Turn(role="speaker", text="a"),)


def test_dialogues_come_from_a_file_or_a_dataset(tmp_path: Path) -> None:
    files.write_lines(tmp_path / "d.jsonl", [Dialogue(id=f"d{i}", turns=TURNS) for i in range(5)])
    assert len(dialogues.load(str(tmp_path / "d.jsonl"))) == 5
    assert len(dialogues.load("builtin")) == 128
    assert dialogues.load("builtin", limit=2) == list(dialogues.Lazily("builtin"))[:2]


def test_what_cannot_be_found_is_said(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'builtin'?"):
        dialogues.load("bultin")
    with pytest.raises(InputError, match="nowhere.jsonl.*there is no such file"):
        dialogues.load("nowhere.jsonl")
    with pytest.raises(SettingError, match="--limit 0"):
        dialogues.load("builtin", limit=0)


def test_a_file_without_dialogues_is_named(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    files.write_lines(path, [Response(id="r", system="s", dialogue="d", turns=TURNS, text="b")])
    with pytest.raises(InputError, match="r.jsonl: holds no dialogues to answer"):
        dialogues.load(str(path))


def test_a_few_of_each_emotion_are_spread_over_all() -> None:
    found = dialogues.load("builtin", per_emotion=1)
    assert len(found) == len({dialogue.emotion for dialogue in found}) == 32
    with pytest.raises(SettingError, match="--per-emotion 0"):
        dialogues.load("builtin", per_emotion=0)
