"""Completion: no code before everything is there, one code per outcome."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from empathic.studies import completion, participants, schema, versions
from empathic.studies.design import Plan
from empathic.studies.store import Store

CHECKS = {
    "checks": [
        {"id": "a", "text": "Choose Bad", "expect": 1, "page": 0},
        {"id": "b", "text": "Choose Good", "expect": 3, "page": 1},
    ]
}


def test_what_is_missing_is_named_and_nothing_changes(
    published: Store, begin: Callable[..., str], answer_all: Callable[..., None], state: Callable[..., Any]
) -> None:
    name = begin(published, "anna")
    gaps = completion.finish(published, name)
    assert len(gaps) == 1 + 16 + 2 + 1
    assert gaps[0].step.id == "tutorial"
    assert (state(published, name)["state"], state(published, name)["outcome"]) == ("active", None)
    answer_all(published, name)
    with published.write() as connection:
        here = sa.and_(schema.answer.c.participant == name, schema.answer.c.field == "rate.1.empathy")
        connection.execute(schema.answer.delete().where(here))
    assert [gap.step.id for gap in completion.finish(published, name)] == ["rate-2"]
    assert state(published, name)["outcome"] is None


def test_finishing_twice_is_finishing_once(published: Store, complete: Callable[..., str]) -> None:
    name = complete(published, "anna")
    with published.read() as connection:
        before = participants.load(connection, name).row
    assert completion.finish(published, name) == []
    with published.read() as connection:
        assert participants.load(connection, name).row == before


@pytest.mark.parametrize(
    ("points", "outcome"), [((1, 3), "complete"), ((1, 1), "complete"), ((3, 1), "failed")], ids=str
)
def test_two_failed_attention_checks_and_not_one_end_in_their_own_outcome(
    store: Store,
    make_plan: Callable[..., Plan],
    begin: Callable[..., str],
    answer_all: Callable[..., None],
    state: Callable[..., Any],
    points: tuple[int, int],
    outcome: str,
) -> None:
    versions.publish(store, make_plan(**CHECKS))
    name = begin(store, "anna")
    chosen = {"check.a": points[0], "check.b": points[1]}
    answer_all(store, name, lambda field: chosen.get(field.key, field.points[0].value))
    assert completion.finish(store, name) == []
    assert state(store, name)["outcome"] == outcome


def test_every_outcome_has_its_code_and_no_outcome_has_none(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan()
    codes = [completion.code(plan, outcome) for outcome in ("complete", "screened_out", "failed", "withdrawn")]
    assert codes == ["DONE-1", "FULL-2", "CHECK-3", "LEFT-4"]
    assert completion.code(plan, None) is None


def test_the_redirect_carries_the_code_of_the_outcome(make_plan: Callable[..., Plan]) -> None:
    prolific = make_plan(platform={"kind": "prolific"})
    assert completion.redirect(prolific, "complete") == "https://app.prolific.com/submissions/complete?cc=DONE-1"
    own = make_plan(platform={"kind": "url", "redirect": "https://panel.example/back?code={code}"})
    assert completion.redirect(own, "failed") == "https://panel.example/back?code=CHECK-3"
    assert completion.redirect(own, None) is None
    assert completion.redirect(make_plan(), "complete") is None
