"""The steps of each design, what each field accepts, and that nothing a participant sees unblinds them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given

from empathic.records import Point
from empathic.studies.design import Plan, Seat
from empathic.studies.steps import Field, Refused, accept, bots_of, current, missing, steps

POINTS = (Point(value=1), Point(value=2), Point(value=3))


def seat_of(plan: Plan) -> Seat:
    batch = plan.batches[0]
    bots = tuple(bot.name for bot in getattr(plan.study, "bots", ()))
    colours = dict(zip(bots, ("Blue", "Orange", "Green"), strict=False))
    return Seat(condition=batch.condition, batch=batch.name, things=batch.things, bots=bots, colours=colours)


def test_the_between_groups_way_is_that_of_the_paper(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan()
    way = steps(plan, seat_of(plan))
    assert [step.id for step in way] == ["about", "tutorial", "teq", "rate-1", "rate-2", "comment", "finish"]
    assert [point.label for point in way[3].fields[0].points] == ["Bad", "Okay", "Good"]
    assert len(way[2].fields) == 16


def test_the_ieval_way_chats_rates_each_bot_and_then_ranks_all_twice(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan("ieval", tutorial="", comment="")
    way = steps(plan, seat_of(plan))
    block = [f"{kind}-{number}" for number in (1, 2, 3) for kind in ("chat", "likert")]
    second = [f"{kind}-{number}" for number in (4, 5, 6) for kind in ("chat", "likert")]
    assert [step.id for step in way] == ["about", *block, "rank-1", *second, "rank-2", "finish"]
    assert [step.bot for step in way if step.kind == "chat"] == ["ada", "bob", "cy", "cy", "bob", "ada"]
    assert [field.label for field in way[7].fields] == ["Blue chatbot", "Orange chatbot", "Green chatbot"]


def test_the_observer_rates_whole_conversations_on_all_items(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan("observer")
    rated = [step for step in steps(plan, seat_of(plan)) if step.kind == "rate"]
    assert len(rated) == 3
    assert len(rated[0].fields) == len(plan.instruments[0].items)
    assert len(plan.things[str(rated[0].thing)].turns) == 2


def test_before_the_seat_is_known_only_the_questions_are(make_plan: Callable[..., Plan]) -> None:
    assert [step.id for step in steps(make_plan(), None)] == ["about"]


@pytest.mark.parametrize("design", ["between", "ieval", "observer"])
def test_no_name_of_a_field_or_title_tells_the_system_or_the_condition(
    make_plan: Callable[..., Plan], design: str
) -> None:
    plan = make_plan(design)
    for step in steps(plan, seat_of(plan)):
        shown = " ".join([step.id, step.title, *(f"{field.key} {field.label}" for field in step.fields)])
        assert not [name for name in ("human", "model", "ada", "bob", "cy") if name in shown.lower().split()]
        assert not [key for field in step.fields for key in (field.key,) if "#" in key]


def test_an_attention_check_stands_on_its_page(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan(checks=[{"id": "a", "text": "Choose Bad", "expect": 1, "page": 1}])
    way = {step.id: step for step in steps(plan, seat_of(plan))}
    assert [field.key for field in way["rate-2"].fields] == ["rate.1.empathy", "check.a"]
    assert [field.key for field in way["rate-1"].fields] == ["rate.0.empathy"]


def test_the_current_step_is_the_first_with_something_missing(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan()
    way = steps(plan, seat_of(plan))
    answers = {"about.gender": "male", "about.age": 30.0, "read.tutorial": True}
    assert current(way, {}).id == "about"
    assert current(way, answers).id == "teq"
    answers |= {field.key: 1.0 for step in way for field in step.fields}
    assert current(way, answers).id == "finish"
    del answers["rate.0.empathy"]
    assert current(way, answers).id == "rate-1"
    assert [field.key for field in missing(way[3], answers)] == ["rate.0.empathy"]
    del answers["comment"]
    assert missing(way[5], answers) == []


def test_over_all_orders_every_bot_has_every_place_equally_often_in_both_scenarios() -> None:
    import itertools
    from collections import Counter

    for part in (0, 1):
        places = Counter()
        for order in itertools.permutations("abcd"):
            seat = Seat(condition="all", batch="b", things=("p", "n"), bots=order)
            places.update(enumerate(bots_of(seat, part)))
        assert set(places.values()) == {6}


@pytest.mark.parametrize(
    ("field", "raw", "value"),
    [
        (Field(key="a", kind="point", points=POINTS), "2", 2.0),
        (Field(key="a", kind="point", points=POINTS), 3, 3.0),
        (Field(key="a", kind="choice", options=("x", "y")), "y", "y"),
        (Field(key="a", kind="number", low=18, high=99), " 20 ", 20.0),
        (Field(key="a", kind="text"), "nul\x00l", "null"),
        (Field(key="a", kind="read"), "on", True),
    ],
)
def test_what_fits_is_accepted(field: Field, raw: object, value: object) -> None:
    assert accept(field, raw) == value


@pytest.mark.parametrize(
    ("field", "raw"),
    [
        (Field(key="a", kind="point", points=POINTS), 0),
        (Field(key="a", kind="point", points=POINTS), 2.5),
        (Field(key="a", kind="point", points=POINTS), True),
        (Field(key="a", kind="point", points=POINTS), "nan"),
        (Field(key="a", kind="point", points=POINTS), None),
        (Field(key="a", kind="point", points=POINTS), [1]),
        (Field(key="a", kind="point", points=POINTS), "1" * 400),
        (Field(key="a", kind="choice", options=("x",)), "z"),
        (Field(key="a", kind="choice", options=("1",)), 1),
        (Field(key="a", kind="number", low=18), "17.9"),
        (Field(key="a", kind="number"), "inf"),
        (Field(key="a", kind="text"), "x" * 5001),
        (Field(key="a", kind="chat"), True),
    ],
)
def test_what_does_not_fit_is_refused(field: Field, raw: object) -> None:
    with pytest.raises(Refused):
        accept(field, raw)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text() | st.integers(), st.lists, max_leaves=3))
def test_any_json_is_accepted_as_a_point_or_refused_and_nothing_else(raw: object) -> None:
    with contextlib.suppress(Refused):
        assert accept(Field(key="a", kind="point", points=POINTS), raw) in (1.0, 2.0, 3.0)


def test_a_step_is_plain_data(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan()
    way = steps(plan, seat_of(plan))
    assert msgspec.json.decode(msgspec.json.encode(way[3]))["kind"] == "rate"
    assert steps(plan, seat_of(plan)) is way
