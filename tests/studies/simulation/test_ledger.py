"""What was acknowledged and is not kept is counted, what is kept twice too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from empathic.contracts import Reply
from empathic.studies import chats, participants, schema, versions
from empathic.studies.design import Plan
from empathic.studies.simulation.ledger import Found, Ledger, compare, same
from empathic.studies.store import Store

NOTHING = Found(lost=0, duplicated=0, over_assigned=0, broken_chains=0, broken_chats=0, wrong_codes=0)


def test_what_is_kept_as_acknowledged_is_no_finding(published: Store, complete: Callable[..., str]) -> None:
    name, ledger = complete(published, "p1"), Ledger()
    ledger.answered(name, {"about.gender": "female", "about.age": "30"})
    ledger.codes[name] = "DONE-1"
    assert compare(published, ledger, mode="live") == NOTHING
    assert ledger.acknowledged == 2


def test_a_lost_answer_a_lost_key_and_a_code_without_an_outcome_are_counted(
    published: Store, begin: Callable[..., str]
) -> None:
    name, ledger = begin(published, "p1"), Ledger()
    ledger.answered(name, {"about.age": "31"}, key="never-stored")
    ledger.codes[name] = "DONE-1"
    found = compare(published, ledger, mode="live")
    assert (found.lost, found.wrong_codes) == (2, 1)


def test_a_changed_event_is_a_broken_chain(published: Store, begin: Callable[..., str]) -> None:
    name, ledger = begin(published, "p1"), Ledger()
    ledger.answered(name, {})
    with published.write() as connection:
        connection.execute(schema.answer.update().where(schema.answer.c.field == "about.age").values(value="99.0"))
    assert compare(published, ledger, mode="live").broken_chains == 1


def test_too_many_in_a_cell_are_counted(published: Store, begin: Callable[..., str]) -> None:
    for number in range(3):
        begin(published, f"p{number}")
    assert compare(published, Ledger(), mode="live").over_assigned == 0
    with published.write() as connection:
        held = connection.scalar(sa.select(sa.func.count()).select_from(schema.lease))
        connection.execute(schema.cell.update().values(target=0))
    assert compare(published, Ledger(), mode="live").over_assigned == held


def test_a_message_stored_twice_is_counted(store: Store, make_plan: Callable[..., Plan], begin: Any) -> None:
    versions.publish(store, make_plan("ieval"))
    name, ledger = begin(store, "p1"), Ledger()
    participants.save(store, name, {}, submit="tutorial")
    chats.say(store, name, 0, None, key="key-0001")
    with store.read() as connection:
        turn = connection.execute(sa.select(schema.turn).order_by(schema.turn.c.n)).mappings().first()
    assert turn is not None
    ledger.message(name, turn["text"], "key-0001")
    assert compare(store, ledger, mode="live") == NOTHING
    with store.write() as connection:
        again = {**{key: turn[key] for key in turn if key != "id"}, "n": 9}
        connection.execute(schema.turn.insert().values(**again))
    assert compare(store, ledger, mode="live").duplicated == 1
    assert compare(store, ledger, mode="live").broken_chats == 1
    ledger.message(name, "never stored", "key-0001")
    assert compare(store, ledger, mode="live").lost == 1


def test_numbers_are_compared_as_numbers() -> None:
    assert same(3.0, "3") and same("x", "x")
    assert not same(3.0, "4") and not same(None, "x")


def test_an_answer_of_a_bot_that_changes_or_is_gone_is_counted(
    store: Store, make_plan: Callable[..., Plan], begin: Any
) -> None:
    versions.publish(store, make_plan("ieval", tutorial=""))
    name, ledger = begin(store, "p1"), Ledger()
    chats.say(store, name, 0, None)
    (work,) = chats.claim_work(store, 1)
    chats.settle(store, work, Reply(text="That is hard. "))
    for _ in range(2):
        ledger.hears(name, 0, {1: "That is hard."})
    assert compare(store, ledger, mode="live") == NOTHING
    ledger.hears(name, 0, {1: "That is hard. That is hard."})
    assert compare(store, ledger, mode="live").broken_chats == 2
