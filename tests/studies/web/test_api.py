"""The JSON interface: acknowledged means stored, sent twice means once, and nobody speaks for another."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
import sqlalchemy as sa

from empathic.studies import participants, schema
from empathic.studies.store import Store

KEY = "0123456789abcdef"
on_both = pytest.mark.parametrize("kind", ["sqlite", "postgresql"], indirect=True)


def on_first_rating(served: Any) -> Any:
    browser = served()()
    browser.begin()
    browser.step()
    browser.step()
    return browser


def kept(store: Store) -> dict[str, Any]:
    with store.read() as connection:
        (who,) = connection.execute(sa.select(schema.participant.c.id)).scalars()
        return participants.load(connection, who).answers


@on_both
def test_an_acknowledged_answer_is_in_the_database(served: Any, store: Store) -> None:
    browser = on_first_rating(served)
    answer = browser.api("/api/answers", {"key": KEY, "answers": {"rate.0.empathy": "2"}, "time": 1.5})
    assert (answer.status_code, answer.json()) == (200, {"saved": True, "refused": []})
    assert kept(store)["rate.0.empathy"] == 2.0
    browser.open("/study")
    assert browser.title() == "Response 2 of 2"


@on_both
def test_the_same_key_again_is_acknowledged_and_changes_nothing(served: Any, store: Store) -> None:
    browser = on_first_rating(served)
    for value in ("2", "3", "1"):
        assert browser.api("/api/answers", {"key": KEY, "answers": {"rate.0.empathy": value}}).status_code == 200
    assert kept(store)["rate.0.empathy"] == 2.0


def test_an_impossible_answer_is_named_and_not_stored(served: Any, store: Store) -> None:
    browser = on_first_rating(served)
    content = {"key": KEY, "answers": {"rate.0.empathy": "7", "rate.1.empathy": "1", "x": True}}
    answer = browser.api("/api/answers", content)
    assert answer.status_code == 200
    assert len(answer.json()["refused"]) == 3
    assert "rate.0.empathy" not in kept(store)


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"key": "short", "answers": {}},
        {"key": "../../etc/passwd", "answers": {}},
        {"key": KEY, "answers": []},
        {"key": KEY, "answers": {}, "more": 1},
        {"key": KEY, "answers": {"a": {"b": 1}}},
        {"key": KEY, "answers": {str(n): 1 for n in range(300)}},
        {"key": KEY, "answers": {}, "time": -1},
        {"key": KEY, "answers": {}, "time": False},
    ],
)
def test_what_is_no_request_of_ours_is_refused(served: Any, content: Any) -> None:
    assert on_first_rating(served).api("/api/answers", content).status_code == 422


def test_without_session_or_token_nothing_is_stored(served: Any, store: Store) -> None:
    make = served()
    browser = make()
    content = {"key": KEY, "answers": {"about.age": 30}}
    assert browser.client.post("/api/answers", json=content).status_code == 401
    browser.start()
    browser.send("/study/consent", agree="yes")
    assert browser.client.post("/api/answers", json=content).status_code == 403
    assert browser.api("/api/answers", content, **{"X-CSRF-Token": "wrong"}).status_code == 403
    other = make()
    other.start()
    assert browser.api("/api/answers", content, **{"X-CSRF-Token": other.csrf()}).status_code == 403
    assert kept_nothing(store)


def kept_nothing(store: Store) -> bool:
    with store.read() as connection:
        return connection.execute(sa.select(schema.answer)).first() is None


def test_after_the_end_new_answers_are_refused(served: Any) -> None:
    browser = on_first_rating(served)
    token = browser.csrf()
    for _ in range(5):
        if "data-code" not in browser.page:
            browser.step()
    content = {"key": KEY, "answers": {"rate.0.empathy": "3"}}
    assert browser.api("/api/answers", content, **{"X-CSRF-Token": token}).status_code == 409


def test_the_heartbeat_keeps_the_place_and_says_when_it_is_gone(served: Any, clock: Any) -> None:
    make = served(count=2, conditions=["human"], lease_minutes=30)
    first = make()
    first.begin()
    assert first.api("/api/heartbeat", {}).json() == {"place": True}
    clock.now += 31 * 60
    make().begin()
    assert first.api("/api/heartbeat", {}).json() == {"place": False}


@pytest.fixture
def chatting(served: Any) -> Any:
    browser = served("ieval", questions=[], tutorial="")()
    browser.start()
    browser.send("/study/consent", agree="yes")
    return browser


def lines(browser: Any, place: int = 0) -> list[Any]:
    """What the event stream says until it ends."""
    text = browser.client.get(f"/api/chats/{place}/events").text
    assert text.endswith("event: end\ndata: {}\n\n")
    return [json.loads(part.split("data: ")[1]) for part in text.split("\n\n") if part.startswith("event: line")]


def test_the_stream_follows_the_answer_to_its_end(chatting: Any) -> None:
    chatting.send("/study/chat-1", action="begin")
    last = lines(chatting)[-1]
    assert (last["n"], last["role"], last["status"]) == (1, "listener", "done")
    assert last["text"] in ("That must hurt.",) or last["text"].startswith("I hear Something happened")


def test_a_stream_opened_again_after_the_end_says_the_same(chatting: Any) -> None:
    chatting.send("/study/chat-1", action="begin")
    assert lines(chatting)[-1] == lines(chatting)[-1]


@on_both
def test_a_message_sent_twice_is_answered_once(chatting: Any, bots: Any, store: Store) -> None:
    chatting.send("/study/chat-1", action="begin")
    lines(chatting)
    for _ in range(3):
        answer = chatting.api("/api/chats/0/messages", {"key": KEY, "text": "It hurts."})
        assert answer.status_code == 200
    assert lines(chatting)[-1]["n"] == 3
    time.sleep(0.1)
    assert sum(bot.asked for bot in bots.values()) == 2


@pytest.mark.parametrize("place", [1, 5, 50])
def test_a_chat_that_is_not_open_can_be_neither_read_nor_written(chatting: Any, place: int) -> None:
    assert chatting.client.get(f"/api/chats/{place}/events").status_code == 409
    answer = chatting.api(f"/api/chats/{place}/messages", {"key": KEY, "text": "Hi"})
    assert answer.status_code == 409
    assert answer.json() == {"detail": "This chat is not open."}


@pytest.mark.parametrize("place", ["-1", "100", "x", "0'--", "%2e%2e"])
def test_a_place_that_cannot_be_is_refused(chatting: Any, place: str) -> None:
    assert chatting.client.get(f"/api/chats/{place}/events").status_code in (404, 422)


def test_too_long_and_empty_messages_are_refused_with_a_reason(chatting: Any) -> None:
    chatting.send("/study/chat-1", action="begin")
    lines(chatting)
    for text, reason in (("x" * 2001, "2000 characters"), ("  ", "write a message")):
        answer = chatting.api("/api/chats/0/messages", {"key": KEY, "text": text})
        assert answer.status_code == 409
        assert reason in answer.json()["detail"]
