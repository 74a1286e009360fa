from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from empathic import datasets
from empathic.datasets import convokit
from empathic.errors import InputError, SettingError
from empathic.records import Dialogue, Turn


def corpus(folder: Path, *utterances: dict[str, Any], conversations: object = None) -> Path:
    folder.mkdir()
    (folder / "utterances.jsonl").write_text("".join(json.dumps(line) + "\n" for line in utterances))
    if conversations is not None:
        (folder / "conversations.json").write_text(json.dumps(conversations))
    return folder


def said(number: int, speaker: str, conversation: str = "u0", **more: Any) -> dict[str, Any]:
    known = {"id": f"u{number}", "speaker": speaker, "conversation_id": conversation, "text": f"text {number}"}
    return {**known, "reply-to": None, "timestamp": None, "vectors": [], **more}


def test_a_conversation_is_a_dialogue_with_its_meta(tmp_path: Path) -> None:
    meta = {"u0": {"meta": {"emotion": "sad", "polarity": "negative", "topic": "cats"}, "vectors": []}}
    folder = corpus(tmp_path / "c", said(0, "ann"), said(1, "bob"), said(2, "ann"), conversations=meta)
    (found,) = datasets.read(folder)
    roles = ("speaker", "listener", "speaker")
    turns = tuple(Turn(role=role, text=f"text {n}") for n, role in enumerate(roles))
    assert found == Dialogue(id="u0", turns=turns, emotion="sad", polarity="negative", metadata={"topic": "cats"})
    assert list(datasets.read(folder / "utterances.jsonl")) == [found]


def test_older_corpora_say_root_and_a_role_may_be_told(tmp_path: Path) -> None:
    lines = [said(0, "ann", meta={"role": "assistant"}), said(1, "bob", meta={"role": "user"})]
    for line in lines:
        line["root"] = line.pop("conversation_id")
    (found,) = datasets.read(corpus(tmp_path / "c", *lines))
    assert isinstance(found, Dialogue)
    assert [turn.role for turn in found.turns] == ["listener", "speaker"]


@pytest.mark.parametrize(
    ("utterances", "message"),
    [
        (
            [said(0, "a"), said(1, "b"), said(2, "c")],
            "utterances.jsonl:3 field 'speaker': conversation 'u0' has more than",
        ),
        ([said(0, "a"), said(1, "b", "u1"), said(2, "a")], "field 'id': the id 'u0' stands in line 1 already"),
        ([said(0, "a", text=None)], "utterances.jsonl:1 field 'text': Expected `str`, got `null`"),
        ([said(0, "a", meta={"role": "cat"})], "utterances.jsonl:1 field 'meta.role': the role 'cat' is not known"),
    ],
)
def test_what_is_no_dialogue_of_two_is_one_error(tmp_path: Path, utterances: list[Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(datasets.read(corpus(tmp_path / "c", *utterances)))
    assert message in str(caught.value)


def test_the_folder_that_is_written_has_the_five_files_of_a_corpus(tmp_path: Path) -> None:
    dialogue = Dialogue(id="d", turns=(Turn(role="speaker", text="a"), Turn(role="listener", text="b")), emotion="sad")
    assert convokit.write(tmp_path / "c", [dialogue]) == 1
    names = ["conversations.json", "corpus.json", "index.json", "speakers.json", "utterances.jsonl"]
    assert sorted(path.name for path in (tmp_path / "c").iterdir()) == names
    lines = [json.loads(line) for line in (tmp_path / "c" / "utterances.jsonl").read_text().splitlines()]
    assert [(line["id"], line["conversation_id"], line["reply-to"]) for line in lines] == [
        ("d", "d", None),
        ("d#1", "d", "d"),
    ]
    assert list(datasets.read(tmp_path / "c")) == [dialogue]


def test_nothing_is_left_when_writing_fails_and_nothing_is_overwritten(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        convokit.write(tmp_path / "c", (Dialogue(id=str(1 // n), turns=()) for n in (1, 0)))
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "c").mkdir()
    with pytest.raises(SettingError, match="is there already"):
        convokit.write(tmp_path / "c", [])
