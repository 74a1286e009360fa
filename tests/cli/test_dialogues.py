from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from empathic import files, registry
from empathic.cli import dialogues
from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Dialogue, Turn

DIALOGUES = [Dialogue(id=f"d{i}", turns=(Turn(role="speaker", text="a"),)) for i in range(5)]


@pytest.fixture
def dataset() -> Iterator[str]:
    registry.register("dataset", "of-the-test", summary="for the test")(lambda: iter(DIALOGUES))
    yield "of-the-test"
    registry._entries["dataset"].pop("of-the-test")


def test_dialogues_come_from_a_file_or_a_dataset(tmp_path: Path, dataset: str) -> None:
    files.write_lines(tmp_path / "d.jsonl", DIALOGUES)
    assert dialogues.load(str(tmp_path / "d.jsonl")) == DIALOGUES
    assert dialogues.load(dataset, limit=2) == DIALOGUES[:2]
    assert list(dialogues.Lazily(dataset)) == DIALOGUES


def test_what_cannot_be_found_is_said(tmp_path: Path, dataset: str) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'of-the-test'?"):
        dialogues.load("of-the-tests")
    with pytest.raises(InputError, match="nowhere.jsonl: there is no such file"):
        dialogues.load("nowhere.jsonl")
    with pytest.raises(SettingError, match="--limit 0"):
        dialogues.load(dataset, limit=0)
