"""A plan: what is shown to whom, and how many places each group has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from empathic import files
from empathic.errors import InputError, UnknownName
from empathic.records import Dialogue, Response, Turn
from empathic.studies import plan as plans
from empathic.studies.design import Between, Ieval, Plan

AGES = {"gender": ["female", "male"], "age": ["19-25", "26-45", "46-64", "65+"]}


def test_every_dialogue_is_rated_once_per_condition(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan(count=7)
    for condition in ("human", "model"):
        shown = [plan.things[name] for batch in plan.batches if batch.condition == condition for name in batch.things]
        assert Counter(thing.dialogue for thing in shown) == {f"d{number}": 1 for number in range(7)}
        assert {thing.system for thing in shown} == {condition}
    assert [len(batch.things) for batch in plan.batches] == [2, 2, 2, 1] * 2


def test_the_paper_s_600_participants_come_out_as_25_per_cell(make_plan: Callable[..., Plan]) -> None:
    """Welivita & Pu (2024): 2,000 dialogues in batches of 10, 2 genders × 4 age bands: 200 people per condition."""
    plan = make_plan(count=2000, batch=10, balance=AGES)
    targets = plans.targets(plan)
    assert len(plan.batches) == 2 * 200
    assert set(targets.values()) == {25}
    assert len(targets) == 2 * 8


def test_a_changed_response_makes_another_batch_and_another_plan(make_plan: Callable[..., Plan]) -> None:
    one, same, other = make_plan(), make_plan(), make_plan(seed=2)
    assert plans.plan_hash(one) == plans.plan_hash(same) != plans.plan_hash(other)
    assert {batch.name for batch in one.batches} == {batch.name for batch in same.batches}


def test_scenarios_are_paired_positive_with_negative_and_begin_with_the_speaker(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan("ieval")
    for batch in plan.batches:
        first, second = (plan.things[name] for name in batch.things)
        assert (first.polarity, second.polarity) == ("positive", "negative")
        assert [turn.role for turn in first.turns] == ["speaker"]


def test_transcripts_are_dealt_so_that_each_is_rated_by_k_people(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan("observer", count=3, per_rater=3, raters=4)
    assert Counter(name for batch in plan.batches for name in batch.things) == {f"d{n}": 4 for n in range(6)}
    assert plan.copies == 1


@pytest.mark.parametrize(
    ("traits", "stratum"),
    [
        ({"gender": "female", "age": 19}, "female | 19-25"),
        ({"gender": "male", "age": 25.5}, "male | 19-25"),
        ({"gender": "male", "age": 99}, "male | 65+"),
        ({"gender": "other", "age": 30}, "other"),
        ({"gender": "male", "age": 18}, "other"),
        ({"gender": "male"}, "other"),
    ],
)
def test_people_belong_to_the_group_their_answers_say(
    make_plan: Callable[..., Plan], traits: dict[str, Any], stratum: str
) -> None:
    assert plans.stratum_of(make_plan(balance=AGES).study, traits) == stratum


def test_without_balance_everybody_is_one_group(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan()
    assert plans.strata(plan.study) == ["all"]
    assert plans.stratum_of(plan.study, {"gender": "other"}) == "all"


def _between(make_plan: Callable[..., Plan], tmp_path: Path, responses: list[Response]) -> Plan:
    study = make_plan().study
    assert isinstance(study, Between)
    files.write_lines(tmp_path / "r.jsonl", responses)
    changed = msgspec.structs.replace(study, responses="r.jsonl", about_rater=())
    return plans.build(changed, tmp_path, {each.id: each for each in make_plan().instruments})


def test_a_dialogue_that_lacks_a_condition_is_refused_by_name(make_plan: Callable[..., Plan], tmp_path: Path) -> None:
    turns = (Turn(role="speaker", text="Hi"),)
    one = Response(id="a", system="x", dialogue="d1", turns=turns, text="Hello")
    other = Response(id="b", system="y", dialogue="d2", turns=turns, text="Hello")
    with pytest.raises(InputError, match="1 dialogues have no response of 'x'.*first: d2"):
        _between(make_plan, tmp_path, [one, other])
    silent = msgspec.structs.replace(one, text=None, missing="refused")
    with pytest.raises(InputError, match="1 an empty one, first: d1"):
        _between(make_plan, tmp_path, [silent])
    with pytest.raises(InputError, match="answers the dialogue 'd1' twice"):
        _between(make_plan, tmp_path, [one, msgspec.structs.replace(one, id="c")])
    with pytest.raises(InputError, match="holds no response"):
        _between(make_plan, tmp_path, [])


def test_scenarios_of_one_polarity_alone_are_refused(make_plan: Callable[..., Plan], tmp_path: Path) -> None:
    study = make_plan("ieval").study
    assert isinstance(study, Ieval)
    sad = Dialogue(id="a", turns=(Turn(role="speaker", text="Hi"),), polarity="negative")
    files.write_lines(tmp_path / "dialogues.jsonl", [sad])
    known = {each.id: each for each in make_plan("ieval").instruments}
    with pytest.raises(InputError, match="a positive and a negative scenario"):
        plans.build(study, tmp_path, known)


def test_an_unknown_instrument_is_named_with_the_nearest(make_plan: Callable[..., Plan]) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'bad-okay-good'"):
        make_plan(instrument="bad-ok-good")
