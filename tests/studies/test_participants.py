"""Participants: the same person is the same participant; states only go forward; a bad answer changes nothing."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from empathic.studies import events, participants, schema, versions
from empathic.studies.design import Mode, Plan
from empathic.studies.participants import Identity, WrongMoment
from empathic.studies.store import Store


def enter(store: Store, pid: str = "anna", **rest: str) -> str:
    return participants.enter(store, Identity(platform="prolific", pid=pid, **rest), "live")


def test_the_same_id_is_the_same_participant_also_with_another_submission(published: Store) -> None:
    assert enter(published, submission="s1") == enter(published, submission="s2") != enter(published, "ben")


@pytest.mark.parametrize("mode", ["live", "simulated"])
def test_two_first_requests_at_once_make_one_participant(
    published: Store, open_at: Callable[[], Store], mode: Mode
) -> None:
    stores, found = [published, open_at()], []
    together = threading.Barrier(8)

    def come(store: Store, pid: str) -> None:
        together.wait()
        found.append(participants.enter(store, Identity(platform="prolific", pid=pid), mode))

    for pid in map(str, range(10)):
        threads = [threading.Thread(target=come, args=(store, pid)) for store in stores * 4]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(found) == 80
    assert len(set(found)) == 10


def test_the_platform_id_is_kept_apart_and_only_its_hmac_with_the_participant(
    published: Store, state: Callable[..., Any]
) -> None:
    name = enter(published, "5f3c-anna", study="st", submission="su")
    assert "5f3c-anna" not in str(dict(state(published, name)))
    with published.read() as connection:
        kept = connection.execute(sa.select(schema.identity)).mappings().one()
    assert (kept["pid"], kept["study"], kept["submission"]) == ("5f3c-anna", "st", "su")


def test_consent_keeps_the_version_and_the_hash_of_the_text_shown(published: Store, state: Callable[..., Any]) -> None:
    name = enter(published)
    participants.consent(published, name, agreed=True)
    participants.consent(published, name, agreed=False)
    row = state(published, name)
    assert (row["state"], row["consent_version"]) == ("consented", "1")
    assert row["consent_hash"] == hashlib.sha256(b"I take part of my own will.").hexdigest()


def test_who_does_not_agree_is_asked_nothing_and_gets_the_code_of_that_outcome(
    published: Store, state: Callable[..., Any]
) -> None:
    name = enter(published)
    participants.consent(published, name, agreed=False)
    assert (state(published, name)["state"], state(published, name)["outcome"]) == ("withdrawn", "withdrawn")
    with pytest.raises(WrongMoment):
        participants.save(published, name, {"about.age": 30})


def test_the_place_is_taken_when_the_questions_are_answered_and_not_before(
    published: Store, state: Callable[..., Any]
) -> None:
    name = enter(published)
    with pytest.raises(WrongMoment):
        participants.save(published, name, {"about.gender": "female"}, submit="about")
    participants.consent(published, name, agreed=True)
    saved = participants.save(published, name, {"about.gender": "female"}, submit="about")
    assert [field.key for field in saved.missing] == ["about.age"]
    participants.save(published, name, {"about.age": 30}, key="autosave")
    assert state(published, name)["seat"] is None
    participants.save(published, name, {}, submit="about")
    assert state(published, name)["state"] == "active"


def test_a_study_without_questions_gives_the_place_at_consent(
    store: Store, make_plan: Callable[..., Plan], state: Callable[..., Any]
) -> None:
    versions.publish(store, make_plan(questions=[]))
    name = enter(store)
    participants.consent(store, name, agreed=True)
    assert state(store, name)["state"] == "active"


def test_unknown_early_and_impossible_answers_are_refused_and_the_others_kept(
    published: Store, begin: Callable[..., str]
) -> None:
    name = begin(published, "anna")
    participants.save(published, name, {}, submit="tutorial")
    raw = {"self.teq.1": 4, "self.teq.2": 9, "rate.0.empathy": 1, "'; DROP TABLE answer": 1, "chat.0": True}
    saved = participants.save(published, name, raw, submit="teq")
    assert len(saved.refused) == 4
    with published.read() as connection:
        kept = events.answers(connection, name)
    assert kept["self.teq.1"] == 4.0
    assert not {"self.teq.2", "rate.0.empathy", "chat.0"} & set(kept)


def test_a_late_copy_of_a_request_is_acknowledged_after_the_end(published: Store, complete: Callable[..., str]) -> None:
    name = complete(published, "anna")
    with published.write() as connection:
        person = participants.load(connection, name, for_update=True)
        events.append(connection, person.row, "answers", {}, now=1.0, key="old")
    assert participants.save(published, name, {"rate.0.empathy": 3}, key="old") == ([], [])
    with pytest.raises(WrongMoment, match="cannot be changed"):
        participants.save(published, name, {"rate.0.empathy": 3}, key="new")


def test_states_only_go_forward(published: Store, complete: Callable[..., str]) -> None:
    name = complete(published, "anna")
    with pytest.raises(WrongMoment, match="'finished' cannot become 'active'"), published.write() as connection:
        participants.move(connection, participants.load(connection, name), "active")


def test_everybody_can_withdraw_from_every_state_and_nobody_comes_back() -> None:
    assert all("withdrawn" in forward for state, forward in participants.FORWARD.items() if state != "withdrawn")
    assert not participants.FORWARD["withdrawn"]
    assert "active" not in participants.FORWARD["finished"] | participants.FORWARD["screened_out"]


def test_an_unknown_participant_is_no_crash(published: Store) -> None:
    with pytest.raises(WrongMoment, match="no participant 'nobody'"):
        participants.heartbeat(published, "nobody")


def test_a_new_version_leaves_running_participants_on_theirs(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], answer_all: Callable[..., None]
) -> None:
    assert versions.publish(store, make_plan(count=8)) == 1
    early, waiting = begin(store, "early"), enter(store, "waiting")
    assert versions.publish(store, make_plan(count=8, title="Better title", batch=4)) == 2
    participants.consent(store, waiting, agreed=True)
    participants.save(store, waiting, {"about.gender": "male", "about.age": 20}, submit="about")
    late = begin(store, "late")
    with store.read() as connection:
        people = [participants.load(connection, name) for name in (early, waiting, late)]
    assert [person.row["version"] for person in people] == [1, 1, 2]
    assert [len(person.seat.things) for person in people if person.seat] == [2, 2, 4]
    answer_all(store, early)
