"""The export: the records say what was answered, name nobody, and list who is left out by which rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from empathic import registry
from empathic.contracts import Reply
from empathic.instruments import score
from empathic.studies import chats, completion, events, participants, schema, versions, withdrawal
from empathic.studies.design import Plan
from empathic.studies.export import export
from empathic.studies.store import Store


def test_a_between_groups_study_becomes_raters_and_ratings(published: Store, complete: Callable[..., str]) -> None:
    names = [complete(published, f"pid-{number}", age=20 + number) for number in range(4)]
    found = export(published)
    assert {rater.id for rater in found.raters} == {f"human:{name}" for name in names}
    rated = [rating for rating in found.ratings if rating.instrument == "bad-okay-good"]
    assert len(rated) == 4 * 2
    assert {rating.target for rating in rated} == {f"d{n}#{system}" for n in range(4) for system in ("human", "model")}
    for rating in rated:
        assert rating.value == 1.0
        assert rating.target == f"{rating.dialogue}#{rating.system}"
        assert rating.condition == rating.system
        assert rating.order in (0, 1)
    assert {rater.traits["age"] for rater in found.raters} == {20.0, 21.0, 22.0, 23.0}
    assert found.exclusions == []


def test_the_teq_of_a_rater_is_scored_from_the_export(
    published: Store, begin: Callable[..., str], answer_all: Callable[..., None]
) -> None:
    name = begin(published, "anna")
    answer_all(published, name, lambda field: field.points[-1].value)
    completion.finish(published, name)
    teq = [rating for rating in export(published).ratings if rating.instrument == "teq"]
    assert {rating.target for rating in teq} == {f"human:{name}"}
    (total,) = score(registry.find("instrument", "teq").thing, teq)
    assert total.value == 32.0  # "always" to all: 8 straight items at 4, 8 reversed ones at 0


def test_no_platform_id_is_anywhere_in_the_export(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], answer_all: Callable[..., None]
) -> None:
    versions.publish(store, make_plan())
    name = begin(store, "5f3c9a-anna")
    answer_all(store, name)
    participants.save(store, name, {"comment": "I am 5f3c9a-anna, hello"})
    completion.finish(store, name)
    found = export(store)
    assert "5f3c9a-anna" not in str(found)
    assert found.raters[0].traits["comment"] == "I am [id removed], hello"


def test_who_did_not_complete_is_left_out_and_listed_with_the_rule(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], complete: Callable[..., str]
) -> None:
    versions.publish(store, make_plan(count=8))
    done, started, gone = complete(store, "a"), begin(store, "b"), begin(store, "c")
    withdrawal.withdraw(store, gone)
    found = export(store)
    assert {rating.rater for rating in found.ratings} == {f"human:{done}"}
    assert {each.rater: each.rule for each in found.exclusions} == {
        f"human:{started}": "active: did not finish",
        f"human:{gone}": "withdrawn: withdrawn by the participant",
    }
    everyone = export(store, everyone=True)
    lacking = [rating for rating in everyone.ratings if rating.rater == f"human:{started}"]
    assert len(lacking) == 18
    assert all(rating.value is None and rating.missing == "not answered: active: did not finish" for rating in lacking)


def test_who_was_rejected_is_left_out_because_the_place_was_given_away(
    published: Store, complete: Callable[..., str]
) -> None:
    name = complete(published, "a")
    withdrawal.platform_state(published, name, "REJECTED")
    found = export(published)
    assert found.ratings == []
    assert found.exclusions[0].rule.startswith("rejected")


def test_preview_and_simulated_people_are_exported_only_when_asked_for(
    published: Store, complete: Callable[..., str]
) -> None:
    complete(published, "a", mode="simulated")
    assert export(published).raters == []
    assert len(export(published, mode="simulated").raters) == 1


def test_the_seconds_are_those_on_the_page(
    published: Store, begin: Callable[..., str], answer_all: Callable[..., None], clock: Any
) -> None:
    name = begin(published, "anna")
    for step, seconds in (("tutorial", 30), ("teq", 100), ("rate-1", 12), ("rate-2", 7)):
        clock.now += seconds
        with published.read() as connection:
            fields = participants.load(connection, name).step.fields
        raw = {field.key: field.points[0].value for field in fields if field.points}
        participants.save(published, name, raw, submit=step)
    answer_all(published, name)
    completion.finish(published, name)
    timed = {rating.order: rating.seconds for rating in export(published).ratings if rating.instrument != "teq"}
    assert timed == {0: 12.0, 1: 7.0}


def test_the_export_of_replayed_events_is_the_same(published: Store, complete: Callable[..., str]) -> None:
    names = [complete(published, f"p{number}") for number in range(3)]
    before = export(published)
    with published.write() as connection:
        for name in names:
            rebuilt = events.replay(connection, name)
            connection.execute(schema.answer.delete().where(schema.answer.c.participant == name))
            for field, value in rebuilt.items():
                row = {"participant": name, "field": field, "value": msgspec.json.encode(value).decode()}
                connection.execute(schema.answer.insert().values(**row, seq=0, time=0.0))
    assert export(published) == before


@pytest.fixture
def talked(store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str]) -> tuple[Store, str]:
    """Somebody has taken a whole iEval study; one answer failed at first."""
    versions.publish(store, make_plan("ieval", questions=[]))
    name = begin(store, "5f3c9a-anna")
    for _ in range(40):
        with store.read() as connection:
            step = participants.load(connection, name).step
        if step.kind == "finish":
            break
        if step.kind == "chat":
            _chat(store, name, step.place)
        else:
            raw = {field.key: field.points[n % 3].value for n, field in enumerate(step.fields) if field.points}
            participants.save(store, name, raw, submit=step.id)
    assert completion.finish(store, name) == []
    return store, name


def _chat(store: Store, name: str, place: int) -> None:
    for text in (None, "I am 5f3c9a-anna.", "Thanks."):
        chats.say(store, name, place, text)
        (work,) = chats.claim_work(store, 5)
        if place == 0 and text is None:
            chats.settle(store, work, Reply(text=None, missing="timeout"))
            chats.retry(store, name, place)
            (work,) = chats.claim_work(store, 5)
        chats.settle(store, work, Reply(text=f"{work.bot} hears you."))
    chats.close(store, name, place)


def test_an_ieval_study_becomes_transcripts_responses_and_ratings_of_each_bot(talked: tuple[Store, str]) -> None:
    store, name = talked
    found = export(store)
    seat = found.raters[0].traits
    assert len(found.dialogues) == 6
    assert len(found.responses) == 18
    assert "5f3c9a-anna" not in str(found)
    for dialogue in found.dialogues:
        assert [turn.role for turn in dialogue.turns] == ["speaker", "listener"] * 3
        assert dialogue.turns[1].text == f"{dialogue.metadata['system']} hears you."
        assert dialogue.metadata["colour"] == seat["colours"][dialogue.metadata["system"]]
    assert found.dialogues[0].metadata["attempts"] == {"1": 2}
    ranked = [rating for rating in found.ratings if rating.instrument == "bad-okay-good"]
    assert [rating.system for rating in ranked] == [*seat["bots"], *reversed(seat["bots"])]
    assert [rating.value for rating in ranked] == [1.0, 2.0, 3.0] * 2
    assert {rating.item for rating in ranked} == {"empathy"}
    names = {dialogue.id for dialogue in found.dialogues}
    assert {rating.target for rating in found.ratings} == names
    assert {rating.condition for rating in ranked} == {"positive", "negative"}
    likert = [rating for rating in found.ratings if rating.instrument == "ieval-likert"]
    assert len(likert) == 6 * 9
    assert {rating.item for rating in likert} >= {"P", "^P", "EU"}
    assert [rating.order for rating in likert[::9]] == [0, 1, 2, 3, 4, 5]


def test_what_a_bot_never_said_is_missing_with_its_reason(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str]
) -> None:
    versions.publish(store, make_plan("ieval", questions=[], tutorial=""))
    name = begin(store, "anna")
    chats.say(store, name, 0, None)
    (work,) = chats.claim_work(store, 5)
    chats.settle(store, work, Reply(text=None, missing="timeout"))
    (response,) = export(store, everyone=True).responses
    assert (response.text, response.missing) == (None, "timeout")


def test_the_events_of_everybody_are_unbroken(talked: tuple[Store, str]) -> None:
    store, name = talked
    with store.read() as connection:
        assert events.broken_links(connection, name) == []
        count = connection.scalar(sa.select(sa.func.count()).select_from(schema.event))
    assert count and count > 30
