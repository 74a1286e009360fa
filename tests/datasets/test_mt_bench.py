from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from empathic import datasets
from empathic.datasets import mt_bench
from empathic.errors import InputError
from empathic.records import Dialogue, Response, Turn

QUESTION = {"question_id": 81, "category": "pets", "turns": ["My cat died.", "Yes, Mia."], "reference": ["Oh", "Sorry"]}
ANSWER: dict[str, Any] = {
    "question_id": 81,
    "answer_id": "xyz",
    "model_id": "vicuna",
    "choices": [{"index": 0, "turns": ["I am sorry.", "A nice name."]}, {"index": 1, "turns": ["Oh no.", ""]}],
    "tstamp": 1.5,
}


def folder(tmp_path: Path, answer: dict[str, Any], *, questions: bool = True) -> Path:
    path = tmp_path / "model_answer" / "vicuna.jsonl"
    path.parent.mkdir()
    path.write_text(json.dumps(answer) + "\n")
    if questions:
        (tmp_path / "question.jsonl").write_text(json.dumps(QUESTION) + "\n")
    return path


def test_an_answer_is_a_response_per_choice_and_turn_with_its_context(tmp_path: Path) -> None:
    found = [r for r in datasets.read(folder(tmp_path, ANSWER)) if isinstance(r, Response)]
    assert [(r.repeat, r.position, r.text) for r in found] == [
        (0, 0, "I am sorry."),
        (0, 1, "A nice name."),
        (1, 0, "Oh no."),
        (1, 1, None),
    ]
    assert [turn.text for turn in found[1].turns] == ["My cat died.", "I am sorry.", "Yes, Mia."]
    assert found[1].metadata == {"answer_id": "xyz", "tstamp": 1.5, "category": "pets"}


def test_without_the_questions_the_context_is_missing_and_says_so(tmp_path: Path) -> None:
    first = next(datasets.read(folder(tmp_path, ANSWER, questions=False)))
    assert isinstance(first, Response)
    assert (first.turns, first.metadata["context_missing"]) == ((), "question.jsonl was not found beside the answers")


def test_questions_are_dialogues_of_the_speakers_turns(tmp_path: Path) -> None:
    folder(tmp_path, ANSWER)
    turns = tuple(Turn(role="speaker", text=text) for text in ("My cat died.", "Yes, Mia."))
    metadata = {"category": "pets", "references": ["Oh", "Sorry"]}
    assert list(datasets.read(tmp_path / "question.jsonl")) == [Dialogue(id="81", turns=turns, metadata=metadata)]


def test_answers_come_back_as_they_were(tmp_path: Path) -> None:
    again = tmp_path / "again.jsonl"
    assert mt_bench.write(again, datasets.read(folder(tmp_path, ANSWER))) == 4
    assert json.loads(again.read_text()) == {
        **{name: ANSWER[name] for name in ("answer_id", "model_id", "choices")},
        "question_id": "81",
    }


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ({"question_id": 1, "choices": []}, "vicuna.jsonl:1: Object missing required field `model_id`"),
        (
            ANSWER | {"choices": [{"turns": [1]}]},
            "vicuna.jsonl:1 field 'choices[0].turns[0]': Expected `str`, got `int`",
        ),
        ({"question_id": 1, "turns": []}, "vicuna.jsonl:1 field 'turns': is empty"),
    ],
)
def test_what_does_not_fit_is_one_error(tmp_path: Path, answer: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(datasets.read(folder(tmp_path, answer), "mt-bench"))
    assert message in str(caught.value)


def test_a_position_out_of_all_bounds_is_refused(tmp_path: Path) -> None:
    response = Response(id="r", system="s", dialogue="d", turns=(), text="x", position=10**12)
    with pytest.raises(InputError, match="field 'position': a dialogue has at most 10,000 turns here"):
        mt_bench.write(tmp_path / "a.jsonl", [response])
