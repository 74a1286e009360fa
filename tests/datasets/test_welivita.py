from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from empathic import datasets
from empathic.datasets.welivita import COLUMNS, CONDITIONS
from empathic.errors import InputError
from empathic.records import Dialogue, Rater, Rating, Response

REVERSED = {2, 4, 7, 10, 11, 12, 14, 15}
ANSWERS = "[" + ", ".join(["-2", "2"] * 8) + "]"


def row(**changes: str) -> dict[str, str]:
    values = {"part_no": "7", "dialog_id": "d1", "emotion": "sad", "sentiment": "negative", "plutchik": "sadness"}
    values |= {"situation": "My cat", "speaker_uttr": "My cat died."}
    for condition in CONDITIONS:
        values |= {f"annotator_{condition}": f"r-{condition}", f"response_{condition}": f"Oh ({condition})."}
        values |= {f"rating_{condition}": "3", f"empathy_propensity_{condition}": "32"}
        values |= {f"empathy_arr_{condition}": ANSWERS, f"miti_{condition}": "['Support', 'Open Question']"}
    return values | changes


def write(path: Path, *rows: dict[str, str], columns: tuple[str, ...] = COLUMNS) -> Path:
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    return path


def test_a_row_becomes_one_dialogue_and_per_condition_a_response_a_rating_and_a_rater(tmp_path: Path) -> None:
    records = list(datasets.read(write(tmp_path / "w.csv", row())))
    assert Counter(type(record).__name__ for record in records) == {
        "Dialogue": 1,
        "Response": 3,
        "Rating": 3 + 48,
        "Rater": 3,
    }
    response = next(r for r in records if isinstance(r, Response) and r.system == "chatgpt")
    assert (response.id, response.text, response.reference) == ("d1#chatgpt", "Oh (chatgpt).", "Oh (human).")
    assert response.metadata == {"part": 7, "plutchik": "sadness", "miti": ["Support", "Open Question"]}
    teq = [r.value for r in records if isinstance(r, Rating) and r.instrument == "teq" and r.rater == "human:r-human"]
    assert teq == [0.0, 4.0] * 8


def test_a_rater_comes_once_and_may_not_change(tmp_path: Path) -> None:
    records = list(datasets.read(write(tmp_path / "w.csv", row(), row(dialog_id="d2"))))
    assert sum(isinstance(record, Rater) for record in records) == 3
    changed = row(dialog_id="d2", empathy_arr_human=ANSWERS.replace("-2", "-1"))
    with pytest.raises(InputError, match="w.csv:3 field 'empathy_arr_human': the rater 'human:r-human' has another"):
        list(datasets.read(write(tmp_path / "w.csv", row(), changed)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"sentiment": "mixed"}, "w.csv:2 field 'sentiment': should be positive or negative (the cell is 'mixed')"),
        ({"rating_human": "good"}, "w.csv:2 field 'rating_human': "),
        ({"rating_human": "4"}, "w.csv:2 field 'rating_human': should be 1, 2 or 3 (the cell is '4')"),
        ({"miti_human": "['a"}, "w.csv:2 field 'miti_human': "),
        ({"empathy_arr_chatgpt": "[1, 2]"}, "field 'empathy_arr_chatgpt': should be 16 answers from -2 to 2"),
        ({"part_no": ""}, "w.csv:2 field 'part_no': "),
    ],
)
def test_a_bad_cell_is_named(tmp_path: Path, changes: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(datasets.read(write(tmp_path / "w.csv", row(**changes)), "welivita"))
    assert message in str(caught.value)


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    path = write(tmp_path / "w.csv", row(), columns=tuple(name for name in COLUMNS if name != "plutchik"))
    with pytest.raises(InputError, match="w.csv:1 field 'plutchik': there is no such column"):
        list(datasets.read(path, "welivita"))


def test_an_empty_response_is_missing_with_its_reason(tmp_path: Path) -> None:
    records = datasets.read(write(tmp_path / "w.csv", row(response_chatgpt=" ")))
    response = next(r for r in records if isinstance(r, Response) and r.system == "chatgpt")
    assert (response.text, response.missing) == (None, "the response is empty")


def test_the_released_table_is_read_cell_by_cell(shared: Path) -> None:
    path = shared / "data" / "welivita2024" / "dataset_and_ratings.csv"
    with path.open(newline="", encoding="utf-8") as stream:
        source = list(csv.DictReader(stream))
    records = list(datasets.read(path))
    dialogues = [r for r in records if isinstance(r, Dialogue)]
    responses = {r.id: r for r in records if isinstance(r, Response)}
    ratings = {r.target: r for r in records if isinstance(r, Rating) and r.instrument == "bad-okay-good"}
    raters = {r.id: r for r in records if isinstance(r, Rater)}
    assert (len(dialogues), len(responses), len(ratings), len(raters)) == (2000, 6000, 6000, 600)
    for cells, dialogue in zip(source, dialogues, strict=True):
        assert (dialogue.id, dialogue.emotion, dialogue.polarity) == tuple(
            cells[name] for name in ("dialog_id", "emotion", "sentiment")
        )
        assert (dialogue.turns[0].text, dialogue.situation) == (cells["speaker_uttr"], cells["situation"])
        assert dialogue.metadata == {"part": int(cells["part_no"]), "plutchik": cells["plutchik"]}
        for name in CONDITIONS:
            response = responses[f"{dialogue.id}#{name}"]
            rating = ratings[response.id]
            rater = raters[f"human:{cells[f'annotator_{name}']}"]
            assert response.text == cells[f"response_{name}"]
            assert str(response.metadata["miti"]) == cells[f"miti_{name}"]
            assert (rating.value, rating.rater) == (int(cells[f"rating_{name}"]), rater.id)
            assert rater.traits["teq"] == int(cells[f"empathy_propensity_{name}"])
            assert rater.traits["teq_coded"] == json.loads(cells[f"empathy_arr_{name}"])


def test_the_teq_answers_give_the_released_scores_when_eight_items_are_reversed(shared: Path) -> None:
    totals: Counter[str] = Counter()
    scores: dict[str, int] = {}
    for record in datasets.read(shared / "data" / "welivita2024" / "dataset_and_ratings.csv"):
        if isinstance(record, Rater):
            scores[record.id] = record.traits["teq"]
        elif isinstance(record, Rating) and record.instrument == "teq" and record.value is not None:
            totals[record.target] += int(4 - record.value if int(record.item) in REVERSED else record.value)
    assert len(scores) == 600
    assert dict(totals) == scores
