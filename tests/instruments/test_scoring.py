from __future__ import annotations

import ast
import csv
import json
from pathlib import Path

import pytest

from empathic import registry
from empathic.errors import InputError
from empathic.instruments import score, turned
from empathic.instruments.scoring import items_of, score_signature, sheets
from empathic.records import Instrument, Rating


def instrument(name: str) -> Instrument:
    found: Instrument = registry.find("instrument", name).thing
    return found


def rating(scale: str, item: str, value: float | None, rater: str = "human:1", missing: str | None = None) -> Rating:
    return Rating(rater=rater, instrument=scale, item=item, target="t1", value=value, missing=missing, system="s")


def sheet(scale: str, values: list[int], rater: str = "human:1") -> list[Rating]:
    return [rating(scale, item.id, value, rater) for item, value in zip(instrument(scale).items, values, strict=True)]


def test_the_reversed_items_of_the_teq_are_the_eight_of_the_original() -> None:
    assert [item.id for item in instrument("teq").items if item.reversed] == [
        "2",
        "4",
        "7",
        "10",
        "11",
        "12",
        "14",
        "15",
    ]


def test_a_reversed_answer_counts_from_the_other_end() -> None:
    teq, likert = instrument("teq"), instrument("ieval-likert")
    assert turned(teq, teq.items[1], 0) == 4
    assert turned(teq, teq.items[0], 0) == 0
    assert turned(likert, likert.items[1], 2) == 4


def test_the_teq_totals_of_welivita_and_pu_are_reproduced_for_600_raters(shared: Path) -> None:
    totals: dict[str, int] = {}
    answers: list[Rating] = []
    with (shared / "data/welivita2024/dataset_and_ratings.csv").open(newline="") as stream:
        for row in csv.DictReader(stream):
            for condition in ("human", "chatgpt", "chatgpt_empathy"):
                rater = row[f"annotator_{condition}"]
                if rater not in totals:
                    totals[rater] = int(row[f"empathy_propensity_{condition}"])
                    raw = ast.literal_eval(row[f"empathy_arr_{condition}"])
                    answers += sheet("teq", [value + 2 for value in raw], rater)
    scored = {each.rater: each.value for each in score(instrument("teq"), answers)}
    assert len(totals) == 600
    assert scored == totals


def test_the_teq_totals_of_ieval_are_reproduced_for_240_raters(shared: Path) -> None:
    tasks = json.loads((shared / "data/ieval2022/ieval_data.json").read_text())
    answers = [each for task in tasks for each in sheet("teq", task["TEQ_raw"], f"human:{task['part']}")]
    scored = [each.value for each in score(instrument("teq"), answers)]
    assert len(scored) == 240
    assert scored == [task["TEQ_agg"] for task in tasks]


def test_the_components_of_the_eshcc_are_those_of_table_1() -> None:
    eshcc = instrument("eshcc")
    members = {part.id: [item.id for item in items_of(eshcc, part)] for part in eshcc.components}
    assert members["cognitive"] == ["inner_world", "cognitive_framework", "fallacy_avoidance"]
    assert members["affective"] == ["resonance", "inner_world", "feelings", "acceptance"]
    assert members["attitudinal"] == ["concern", "warmth", "acceptance"]
    assert members["attunement"] == ["concern", "expressiveness", "inner_world", "responsiveness"]
    assert len(members["total"]) == len(eshcc.items) == 10


def test_the_wording_of_the_eshcc_is_the_published_one(shared: Path) -> None:
    paper = next((shared / "papers").glob("000_*.txt")).read_text()
    for item in instrument("eshcc").items:
        assert item.text in paper, item.id
        assert item.title in paper, item.id


def test_the_wording_of_the_teq_is_the_published_one(shared: Path) -> None:
    paper = next((shared / "papers").glob("002_*.txt")).read_text()
    for item in instrument("teq").items:
        assert f"{item.id}. {item.text}" in paper


def test_an_item_of_several_components_counts_in_each() -> None:
    scored = {each.component: each.value for each in score(instrument("eshcc"), sheet("eshcc", [7, *[1] * 9]))}
    assert scored == {
        "cognitive": 1.0,
        "affective": 1.0,
        "attitudinal": pytest.approx(3.0),
        "attunement": pytest.approx(2.5),
        "total": pytest.approx(1.6),
    }


def test_the_empathetic_and_sensible_scores_of_ieval_are_means_of_their_pairs() -> None:
    values = dict(zip(["P", "^P", "A", "^A", "EU", "ER", "L", "R", "S"], [3, 1, 4, 2, 3, 4, 4, 2, 5], strict=True))
    answers = [rating("ieval-likert", item, value) for item, value in values.items()]
    scored = {each.component: each.value for each in score(instrument("ieval-likert"), answers)}
    assert scored == {"empathetic": 3.5, "making_sense": 4.5, "polite": 3, "likable": 4, "repetitive": 2}


def test_too_many_missing_items_make_a_component_missing_with_a_reason() -> None:
    answers = sheet("teq", [4] * 16)
    answers[0] = rating("teq", "1", None, missing="skipped")
    (total,) = score(instrument("teq"), answers)
    assert total.value is None
    assert total.missing == "1 of 16 items missing, at most 0% may be"


def test_a_few_missing_items_are_borne_where_the_instrument_allows_it() -> None:
    scored = {each.component: each for each in score(instrument("eshcc"), sheet("eshcc", [4] * 10)[1:])}
    assert scored["total"].value == 4.0
    assert scored["total"].items == 9
    assert scored["attitudinal"].value == 4.0


def test_a_sheet_without_any_answer_of_a_component_says_so() -> None:
    scored = {each.component: each for each in score(instrument("eshcc"), [rating("eshcc", "warmth", 5)])}
    assert scored["cognitive"].missing == "none of 3 items was answered"


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (rating("teq", "17", 1), "'teq' has no item '17'"),
        (rating("teq", "1", 5), "5 is no point of item '1' (points: 0, 1, 2, 3, 4)"),
        (rating("teq", "1", None), "neither a value nor a reason"),
        (rating("eshcc", "warmth", 1), "cannot be scored as 'teq'"),
    ],
)
def test_a_rating_the_instrument_cannot_hold_is_refused(bad: Rating, message: str) -> None:
    with pytest.raises(InputError) as caught:
        list(score(instrument("teq"), [bad]))
    assert message in str(caught.value)


def test_an_item_answered_twice_is_refused() -> None:
    with pytest.raises(InputError, match="answers item '1' twice about 't1'"):
        sheets([rating("teq", "1", 1), rating("teq", "1", 2)])


def test_a_score_says_how_to_reproduce_it() -> None:
    eshcc = instrument("eshcc")
    assert score_signature(eshcc, eshcc.components[0]).startswith("eshcc.v1|component:cognitive|rule:mean|empathic:")
