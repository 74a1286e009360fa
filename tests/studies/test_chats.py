"""Chats: a turn is neither lost nor doubled, whoever dies; the bot's turns are counted by the server."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from empathic.contracts import Reply
from empathic.records import Generation
from empathic.studies import chats, completion, participants, schema, versions
from empathic.studies.design import Plan
from empathic.studies.participants import WrongMoment
from empathic.studies.store import Store


@pytest.fixture
def talker(store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str]) -> tuple[Store, str]:
    versions.publish(store, make_plan("ieval", questions=[], tutorial=""))
    return store, begin(store, "anna")


def seen(store: Store, name: str, place: int = 0) -> list[chats.Line]:
    with store.read() as connection:
        return chats.lines(connection, participants.load(connection, name), place)


def answer(store: Store, text: str = "I hear you.") -> int:
    """What a worker does with everything that waits."""
    works = chats.claim_work(store, 10)
    for work in works:
        assert chats.add_chunk(store, work, 0, text)
        assert chats.settle(store, work, Reply(text=text, generation=Generation(latency=0.1, model="m")))
    return len(works)


def test_the_given_message_opens_the_chat_once(talker: tuple[Store, str]) -> None:
    store, name = talker
    assert chats.say(store, name, 0, None)
    assert not chats.say(store, name, 0, None)
    lines = seen(store, name)
    assert [(line.role, line.status) for line in lines] == [("speaker", "done"), ("listener", "waiting")]
    assert lines[0].text.startswith("Something happened")


def test_the_same_message_sent_twice_is_one_turn(talker: tuple[Store, str]) -> None:
    store, name = talker
    chats.say(store, name, 0, None)
    answer(store)
    assert chats.say(store, name, 0, "Yes, it hurts.", key="k")
    assert not chats.say(store, name, 0, "Yes, it hurts.", key="k")
    assert [line.role for line in seen(store, name)] == ["speaker", "listener", "speaker", "listener"]


@pytest.mark.parametrize(("text", "why"), [("Hi", "begins with"), ("  ", "begins with")])
def test_nothing_can_be_said_before_the_given_message(talker: tuple[Store, str], text: str, why: str) -> None:
    store, name = talker
    with pytest.raises(WrongMoment, match=why):
        chats.say(store, name, 0, text)


def test_out_of_turn_empty_and_endless_messages_are_refused(talker: tuple[Store, str]) -> None:
    store, name = talker
    chats.say(store, name, 0, None)
    with pytest.raises(WrongMoment, match="not answered yet"):
        chats.say(store, name, 0, "Hello?")
    answer(store)
    with pytest.raises(WrongMoment, match="write a message"):
        chats.say(store, name, 0, " \x00 ")
    with pytest.raises(WrongMoment, match="2000 characters, this one has 2001"):
        chats.say(store, name, 0, "x" * 2001)
    with pytest.raises(WrongMoment, match="not open"):
        chats.say(store, name, 1, None)
    with pytest.raises(WrongMoment, match="not open"):
        chats.say(store, name, 99, None)


def test_a_waiting_turn_is_claimed_by_one_worker_and_by_another_when_that_one_died(
    talker: tuple[Store, str], open_at: Callable[[], Store], clock: Any
) -> None:
    store, name = talker
    chats.say(store, name, 0, None)
    (first,) = chats.claim_work(store, 10)
    assert chats.claim_work(open_at(), 10) == []
    chats.add_chunk(store, first, 0, "I was about to")
    clock.now += chats.WORKER_SECONDS + 1
    (second,) = chats.claim_work(open_at(), 10)
    assert (second.turn, second.attempt) == (first.turn, 2)
    assert not chats.add_chunk(store, first, 1, " say too late")
    assert not chats.settle(store, first, Reply(text="too late"))
    assert seen(store, name)[-1].text == ""
    assert chats.settle(store, second, Reply(text="Here I am."))
    assert not chats.settle(store, second, Reply(text="And again."))
    assert [line.text for line in seen(store, name)][1:] == ["Here I am."]


def test_a_worker_that_says_it_is_alive_keeps_its_turn(talker: tuple[Store, str], clock: Any) -> None:
    store, name = talker
    chats.say(store, name, 0, None)
    (work,) = chats.claim_work(store, 10)
    for _ in range(3):
        clock.now += chats.WORKER_SECONDS - 1
        assert chats.keep(store, work)
        assert chats.claim_work(store, 10) == []


def test_what_streams_in_is_seen_before_it_is_complete(talker: tuple[Store, str]) -> None:
    store, name = talker
    chats.say(store, name, 0, None)
    (work,) = chats.claim_work(store, 10)
    for number, text in enumerate(("That ", "must ", "hurt.")):
        chats.add_chunk(store, work, number, text)
    assert (seen(store, name)[-1].text, seen(store, name)[-1].status) == ("That must hurt.", "waiting")


def test_a_failing_model_is_shown_can_be_asked_again_and_stays_in_the_data(talker: tuple[Store, str]) -> None:
    store, name = talker
    chats.say(store, name, 0, None)
    (work,) = chats.claim_work(store, 10)
    chats.settle(store, work, Reply(text=None, missing="the server answered 500"))
    assert seen(store, name)[-1].status == "failed"
    assert chats.claim_work(store, 10) == []
    assert chats.retry(store, name, 0)
    assert not chats.retry(store, name, 0)
    assert answer(store) == 1
    assert [line.status for line in seen(store, name)] == ["done", "done"]
    with store.read() as connection:
        kept = connection.scalar(sa.select(schema.event.c.payload).where(schema.event.c.type == "retry"))
    assert json.loads(kept) == {"chat": 0, "turn": 1, "missing": "the server answered 500"}


def test_a_chat_ends_only_after_three_answers_of_the_bot(talker: tuple[Store, str]) -> None:
    store, name = talker
    chats.say(store, name, 0, None)
    for number, left in enumerate((3, 2, 1)):
        assert chats.close(store, name, 0) == left
        answer(store)
        if number < 2:
            chats.say(store, name, 0, f"More {number}")
    assert chats.close(store, name, 0) == 0
    assert chats.close(store, name, 0) == 0
    with pytest.raises(WrongMoment, match="ended"):
        chats.say(store, name, 0, "One more")
    with store.read() as connection:
        assert participants.load(connection, name).step.id == "likert-1"


def test_the_request_holds_the_whole_chat_and_its_scenario(talker: tuple[Store, str]) -> None:
    store, name = talker
    chats.say(store, name, 0, None)
    answer(store, "Oh.")
    chats.say(store, name, 0, "Yes.")
    (work,) = chats.claim_work(store, 10)
    assert [(turn.role, turn.text) for turn in work.request.turns][1:] == [("listener", "Oh."), ("speaker", "Yes.")]
    assert work.request.position == 1
    assert work.request.situation is not None
    assert work.bot in ("ada", "bob", "cy")


def test_chats_of_two_people_never_mix(store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str]) -> None:
    versions.publish(store, make_plan("ieval", questions=[], tutorial=""))
    names = [begin(store, pid) for pid in ("anna", "ben")]
    for name in names:
        chats.say(store, name, 0, None)
    answer(store)
    for name in names:
        chats.say(store, name, 0, f"I am {name}")
    for name, other in (names, names[::-1]):
        text = " ".join(line.text for line in seen(store, name))
        assert name in text
        assert other not in text


def test_a_whole_interactive_study_can_be_finished(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], answer_all: Callable[..., None]
) -> None:
    versions.publish(store, make_plan("ieval", questions=[]))
    name = begin(store, "anna")
    for place in range(6):
        answer_all_until_chat(store, name)
        chats.say(store, name, place, None)
        for number in range(2):
            answer(store)
            chats.say(store, name, place, f"More {number}")
        assert completion.finish(store, name) != []
        answer(store)
        assert chats.close(store, name, place) == 0
    answer_all_until_chat(store, name)
    assert completion.finish(store, name) == []


def answer_all_until_chat(store: Store, name: str) -> None:
    for _ in range(10):
        with store.read() as connection:
            step = participants.load(connection, name).step
        if step.kind in ("chat", "finish"):
            return
        raw = {field.key: field.points[0].value for field in step.fields if field.points}
        participants.save(store, name, raw, submit=step.id)
