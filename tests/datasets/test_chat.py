from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from empathic import datasets
from empathic.datasets import chat
from empathic.errors import InputError
from empathic.records import Dialogue, Response, Turn

ASKED = {"role": "user", "content": "My cat died."}
ANSWERED = {"role": "assistant", "content": "I am sorry."}


def write(path: Path, *lines: Any) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_line_is_a_dialogue_with_what_else_it_says(tmp_path: Path) -> None:
    line = {"messages": [ASKED, ANSWERED], "id": 7, "emotion": "sad", "polarity": "negative", "source": "mine"}
    (found,) = datasets.read(write(tmp_path / "c.jsonl", line))
    turns = (Turn(role="speaker", text="My cat died."), Turn(role="listener", text="I am sorry."))
    assert found == Dialogue(id="7", turns=turns, emotion="sad", polarity="negative", metadata={"source": "mine"})


def test_a_line_with_a_model_is_its_response(tmp_path: Path) -> None:
    line = {"messages": [ASKED, ANSWERED], "model": "gpt", "dialogue": "d1"}
    (found,) = datasets.read(write(tmp_path / "c.jsonl", line))
    turns = (Turn(role="speaker", text="My cat died."),)
    assert found == Response(id="line-1", system="gpt", dialogue="d1", turns=turns, text="I am sorry.")


def test_the_user_may_say_who_answered(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", {"messages": [ASKED, ANSWERED]}, {"messages": [ASKED]})
    one, two = datasets.read(path, system="mine")
    assert isinstance(one, Response) and isinstance(two, Response)
    assert (one.system, one.text, two.text, two.missing) == ("mine", "I am sorry.", None, "the response is empty")


def test_a_system_prompt_is_metadata_and_comes_back_as_a_message(tmp_path: Path) -> None:
    line = {"messages": [{"role": "system", "content": "Be kind."}, ASKED]}
    found = list(datasets.read(write(tmp_path / "c.jsonl", line)))
    assert found[0].metadata == {"system_prompt": "Be kind."}  # type: ignore[union-attr]
    chat.write(tmp_path / "again.jsonl", found)
    assert json.loads((tmp_path / "again.jsonl").read_text()) == {"id": "line-1", **line}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            {"messages": [{"role": "narrator", "content": "x"}]},
            "c.jsonl:1 field 'messages[0].role': the role 'narrator'",
        ),
        ({"messages": []}, "c.jsonl:1 field 'messages': there is no message of a user or an assistant"),
        ({"messages": [{"role": "user"}]}, "c.jsonl:1 field 'messages[0]': Object missing required field `content`"),
        ({"messages": [ASKED], "polarity": "mixed"}, "c.jsonl:1 field 'polarity': Invalid enum value 'mixed'"),
        ({"messages": "hello"}, "c.jsonl:1 field 'messages': Expected `array`, got `str`"),
        ({"text": "hello"}, "c.jsonl:1: Object missing required field `messages`"),
        ([ASKED], "c.jsonl:1: Expected `object`, got `array`"),
    ],
)
def test_a_line_that_does_not_fit_is_one_error(tmp_path: Path, line: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(datasets.read(write(tmp_path / "c.jsonl", line), "chat"))
    assert message in str(caught.value)


def test_a_second_id_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "c.jsonl", {"messages": [ASKED], "id": 1}, {"messages": [ASKED], "id": "1"})
    with pytest.raises(InputError, match="c.jsonl:2 field 'id': the id '1' stands in line 1 already"):
        list(datasets.read(path))
