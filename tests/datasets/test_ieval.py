from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from empathic import datasets
from empathic.datasets.ieval import BOTS, LIKERT, turns_of
from empathic.errors import InputError
from empathic.records import Dialogue, Rater, Rating, Response

REVERSED = {2, 4, 7, 10, 11, 12, 14, 15}


def task() -> dict[str, Any]:
    chat = {"chat_log": "- I won!_x000D_\n- Great\n- Yes\n- ", **dict.fromkeys(LIKERT, 4), "Rating": 3}
    context = {"emotion": "proud", "prompt": "A race", **dict.fromkeys(BOTS, chat)}
    return {
        "part": 5,
        "elapsed_sec": 600,
        "elapsed_min": 10.0,
        "TEQ_raw": [1] * 16,
        "TEQ_agg": 32,
        "positive": {"conv_id": "c1", **context},
        "negative": {"conv_id": "c2", **context},
    }


def test_turns_alternate_lose_the_spreadsheets_sign_and_keep_inner_line_breaks() -> None:
    turns = turns_of("- a_x000D_\n- b\n- c\nd")
    assert [(turn.role, turn.text) for turn in turns] == [("speaker", "a"), ("listener", "b"), ("speaker", "c\nd")]


def test_a_task_becomes_a_rater_eight_chats_their_responses_and_ratings(tmp_path: Path) -> None:
    path = tmp_path / "ieval.json"
    path.write_text(json.dumps([task()], indent=1))
    records = list(datasets.read(path))
    counts = Counter(type(record).__name__ for record in records)
    assert counts == {"Rater": 1, "Dialogue": 8, "Response": 16, "Rating": 16 + 8 * 10}
    last = next(r for r in records if isinstance(r, Response) and r.id == "c2#MIME#1")
    assert (last.system, last.dialogue, last.text, last.missing) == ("MIME", "c2#MIME", None, "the response is empty")
    assert [turn.text for turn in last.turns] == ["I won!", "Great", "Yes"]
    rating = next(r for r in records if isinstance(r, Rating) and r.target == "c2#MIME" and r.item == "^A")
    assert (rating.instrument, rating.value, rating.condition, rating.rater) == (
        "ieval-likert",
        4,
        "negative",
        "human:task-5",
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"TEQ_raw": [1]}, "ieval.json:1 field 'TEQ_raw': 16 answers are needed, there are 1"),
        ({"TEQ_raw": [5] * 16}, "ieval.json:1 field 'TEQ_raw[0]': Expected `int` <= 4"),
        ({"part": "x"}, "ieval.json:1 field 'part': Expected `int`, got `str`"),
        ({"colour": 1}, "unknown field `colour`"),
        ({"positive": {"conv_id": "c"}}, "ieval.json:1 field 'positive': Object missing required field `emotion`"),
    ],
)
def test_a_task_that_does_not_fit_is_one_error(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    path = tmp_path / "ieval.json"
    path.write_text(json.dumps([task() | change]))
    with pytest.raises(InputError) as caught:
        list(datasets.read(path, "ieval"))
    assert message in str(caught.value)


def test_the_released_file_is_read_value_by_value(shared: Path) -> None:
    path = shared / "data" / "ieval2022" / "ieval_data.json"
    source = json.loads(path.read_text())
    records = list(datasets.read(path))
    chats = {r.id: r for r in records if isinstance(r, Dialogue)}
    ratings = {(r.target, r.item): r for r in records if isinstance(r, Rating) and r.instrument != "teq"}
    counts = Counter(type(record).__name__ for record in records)
    assert counts == {"Rater": 240, "Dialogue": 1920, "Response": 5760, "Rating": 240 * 16 + 1920 * 10}
    for released in source:
        for polarity in ("positive", "negative"):
            for colour, bot in BOTS.items():
                context, chat = released[polarity], released[polarity][colour]
                dialogue = chats[f"{context['conv_id']}#{bot}"]
                log = "- " + "\n- ".join(turn.text for turn in dialogue.turns)
                assert log == chat["chat_log"].replace("_x000D_", "")
                assert (dialogue.emotion, dialogue.situation) == (context["emotion"], context["prompt"])
                assert dialogue.metadata["part"] == released["part"]
                for item in (*LIKERT, "Rating"):
                    assert ratings[dialogue.id, item.replace("Rating", "empathy")].value == chat[item]
    raters = [r for r in records if isinstance(r, Rater)]
    for rater, released in zip(raters, source, strict=True):
        assert {**rater.traits, "TEQ_raw": rater.traits["teq_raw"], "TEQ_agg": rater.traits["teq"]} == {
            **{name: value for name, value in released.items() if name not in ("positive", "negative")},
            "teq": released["TEQ_agg"],
            "teq_raw": released["TEQ_raw"],
        }


def test_the_teq_answers_give_the_released_sums_when_eight_items_are_reversed(shared: Path) -> None:
    totals: Counter[str] = Counter()
    sums: dict[str, int] = {}
    for record in datasets.read(shared / "data" / "ieval2022" / "ieval_data.json"):
        if isinstance(record, Rater):
            sums[record.id] = record.traits["teq"]
        elif isinstance(record, Rating) and record.instrument == "teq" and record.value is not None:
            totals[record.target] += int(4 - record.value if int(record.item) in REVERSED else record.value)
    assert all(totals[rater] == total for rater, total in sums.items())
    assert len(sums) == 240
