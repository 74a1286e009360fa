from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from empathic import datasets
from empathic.datasets import esconv
from empathic.errors import InputError
from empathic.records import Dialogue

CONVERSATION: dict[str, Any] = {
    "experience_type": "Current Experience",
    "emotion_type": "anxiety",
    "problem_type": "job crisis",
    "situation": "I may lose my job.",
    "survey_score": {"seeker": {"initial_emotion_intensity": "5", "empathy": "4"}, "supporter": {"relevance": "5"}},
    "dialog": [
        {"speaker": "seeker", "annotation": {}, "content": "Hello\n"},
        {"speaker": "supporter", "annotation": {"strategy": "Question"}, "content": "What is on your mind?"},
        {"speaker": "seeker", "annotation": {"feedback": "5"}, "content": "My job"},
    ],
    "seeker_question1": "ok",
}


def test_a_conversation_is_a_dialogue_with_all_it_says(tmp_path: Path) -> None:
    path = tmp_path / "ESConv.json"
    path.write_text(json.dumps([CONVERSATION, CONVERSATION], indent=2))
    one, two = datasets.read(path)
    assert isinstance(one, Dialogue) and isinstance(two, Dialogue)
    assert [turn.role for turn in one.turns] == ["speaker", "listener", "speaker"]
    assert (one.id, two.id, one.emotion, one.situation) == ("esconv-0", "esconv-1", "anxiety", "I may lose my job.")
    assert one.metadata["annotations"] == [{}, {"strategy": "Question"}, {"feedback": "5"}]
    assert one.metadata["survey_score"] == CONVERSATION["survey_score"]


def test_a_conversation_comes_back_as_it_was(tmp_path: Path) -> None:
    path, again = tmp_path / "ESConv.json", tmp_path / "again.json"
    path.write_text(json.dumps([CONVERSATION]))
    esconv.write(again, datasets.read(path))
    assert json.loads(again.read_text()) == [CONVERSATION]


def test_annotations_that_do_not_fit_the_turns_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    for wrong in ([{}], [1, 2, 3], "none"):
        path.write_text(json.dumps([CONVERSATION]))
        (dialogue,) = datasets.read(path)
        dialogue.metadata["annotations"] = wrong  # type: ignore[union-attr]
        esconv.write(path, [dialogue])
        assert all(turn["annotation"] == {} for turn in json.loads(path.read_text())[0]["dialog"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dialog": []}, "a.json:1 field 'dialog': is empty"),
        ({"dialog": [{"speaker": "cat", "content": "miau"}]}, "a.json:1 field 'dialog[0].speaker': the role 'cat'"),
        ({"dialog": [{"speaker": "seeker"}]}, "a.json:1 field 'dialog[0]': Object missing required field `content`"),
        ({"situation": 3}, "a.json:1 field 'situation': Expected `str | null`, got `int`"),
    ],
)
def test_what_does_not_fit_is_one_error(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([CONVERSATION | change]))
    with pytest.raises(InputError) as caught:
        list(datasets.read(path))
    assert message in str(caught.value)
