"""Transcripts: every turn in order, who and which bot, failures marked, nobody's id."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from empathic.contracts import Reply
from empathic.records import Generation
from empathic.studies import chats, participants, versions
from empathic.studies.design import Plan
from empathic.studies.desk import transcripts
from empathic.studies.participants import Identity
from empathic.studies.store import Store

PID = "5f3c-anna"


@pytest.fixture
def talked(store: Store, make_plan: Callable[..., Plan]) -> tuple[Store, str]:
    """Somebody who chats: the second answer fails, and is asked for again in vain."""
    versions.publish(store, make_plan("ieval", questions=[], tutorial=""))
    name = participants.enter(store, Identity(platform="url", pid=PID), "live")
    participants.consent(store, name, agreed=True)
    chats.say(store, name, 0, None)
    _settle(store, Reply(text="Tell me more.", generation=Generation(latency=1.25, model="tiny")))
    chats.say(store, name, 0, f"I am {PID} <b>and sad</b>")
    for _ in range(2):
        _settle(store, Reply(text=None, missing="the server answered 500"))
        if _ == 0:
            chats.retry(store, name, 0)
    return store, name


def _settle(store: Store, reply: Reply) -> None:
    (work,) = chats.claim_work(store, 1)
    assert chats.settle(store, work, reply)


def test_a_transcript_says_who_which_bot_when_and_what_failed(talked: tuple[Store, str]) -> None:
    store, name = talked
    with store.read() as connection:
        page = transcripts.talks(connection, "live")
        talk = transcripts.talk(connection, page.rows[0])
        seat = participants.load(connection, name).seat
        said = transcripts.turns(connection, talk)
    assert seat is not None
    assert (page.total, page.rows[0]["turns"], page.rows[0]["failed"]) == (1, 4, 1)
    assert (talk.participant, talk.bot, talk.colour, talk.place) == (name, seat.bots[0], seat.colours[seat.bots[0]], 1)
    assert [(each.role, each.status) for each in said] == [
        ("speaker", "done"),
        ("listener", "done"),
        ("speaker", "done"),
        ("listener", "failed"),
    ]
    assert (said[1].text, said[1].latency, said[1].model) == ("Tell me more.", 1.25, "tiny")
    assert (said[3].text, said[3].missing, said[3].attempts) == ("", "the server answered 500", 2)
    assert said[2].text == "I am [id removed] <b>and sad</b>"


def test_chats_are_chosen_by_bot_person_and_failure(talked: tuple[Store, str]) -> None:
    store, name = talked
    with store.read() as connection:
        bot = transcripts.talks(connection, "live").rows[0]["bot"]
        other = next(each for each in ("ada", "bob", "cy") if each != bot)
        assert transcripts.talks(connection, "live", bot=bot).total == 1
        assert transcripts.talks(connection, "live", bot=other).total == 0
        assert transcripts.talks(connection, "live", name=name).total == 1
        assert transcripts.talks(connection, "live", name="nobody").total == 0
        assert transcripts.talks(connection, "live", failed=True).total == 1
        assert transcripts.talks(connection, "preview").total == 0


def test_a_chat_is_found_by_its_number_within_the_mode(talked: tuple[Store, str]) -> None:
    store, _ = talked
    with store.read() as connection:
        number = transcripts.talks(connection, "live").rows[0]["id"]
        assert transcripts.find(connection, number, "live") is not None
        assert transcripts.find(connection, number, "preview") is None
        assert transcripts.find(connection, number + 1, "live") is None
