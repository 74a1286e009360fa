"""Probes become questions: one free, and one choice per order."""

from __future__ import annotations

import msgspec
import pytest

from empathic.contracts import Request
from empathic.errors import InputError, UnknownName
from empathic.probes.asking import Asking, Question, choice, free, question_of, questions, scene
from empathic.records import Turn

from .making import TEXTS, probe


def test_the_free_question_is_the_conversation_opened_by_instruction_and_context() -> None:
    asked = free(probe())
    opening, listener, speaker = asked.turns
    assert opening == Turn(
        role="speaker",
        text="You are Carl. Answer Robin in one short reply.\n\n"
        "Robin is Catholic. She promised to come, and the shift overran.",
    )
    assert (listener, speaker) == probe().turns
    assert asked.reference == TEXTS["empathetic"]


def test_a_conversation_that_the_speaker_opens_has_no_two_speaker_turns_in_a_row() -> None:
    opened = msgspec.structs.replace(probe(), turns=probe().turns[1:])
    (only,) = free(opened).turns
    assert only.role == "speaker"
    assert only.text.endswith("sad case.")
    assert only.text.startswith("You are Carl.")


def test_a_choice_lists_the_answers_in_its_order_and_knows_the_keyed_letter() -> None:
    asked = choice(probe(), (2, 0, 4, 1, 3), 7)
    (turn,) = asked.turns
    assert f"A) {TEXTS['affective']}\nB) {TEXTS['empathetic']}\nC) {TEXTS['distressed']}" in turn.text
    assert "You: How was it?\nPerson: I feel terrible" in turn.text
    assert turn.text.endswith("Reply with one letter only: A, B, C, D or E.")
    assert asked.reference == "B"
    assert question_of(asked.metadata) == Question(probe="recital/she/0", form="choice", order=7, shown=(2, 0, 4, 1, 3))


def test_the_scene_waits_for_the_listener() -> None:
    assert scene(probe()).startswith("You are Carl.")
    assert scene(probe()).endswith("sad case.\nYou:")


def test_every_probe_is_asked_freely_and_under_every_order() -> None:
    asked = list(questions([probe("a/0"), probe("b/0")], orders_=10, seed=1))
    assert len(asked) == 2 * 11
    assert len({one.id for one in asked}) == 22
    assert [one.reference for one in asked if "a/0/choice" in one.id].count("A") == 2


def test_with_one_order_the_keyed_answer_still_visits_every_place_equally_often() -> None:
    asked = list(questions([probe(f"a/{k}") for k in range(20)], orders_=1, seed=1))
    letters = [one.reference for one in asked if one.metadata["form"] == "choice"]
    assert sorted(letters) == sorted("ABCDE" * 4)


def test_czech_is_asked_in_czech() -> None:
    (turn,) = choice(probe(language="cs"), (0, 1, 2, 3, 4), 0).turns
    assert "Odpovězte jen jedním písmenem: A, B, C, D nebo E." in turn.text


def test_a_language_nobody_can_ask_in_is_refused() -> None:
    with pytest.raises(UnknownName, match="Known: cs, en"):
        choice(probe(language="sv"), (0, 1, 2, 3, 4), 0)


def test_probes_with_different_numbers_of_answers_are_refused() -> None:
    short = msgspec.structs.replace(probe("b/0"), options=probe().options[:3])
    with pytest.raises(InputError, match=r"\[3, 5\]"):
        list(questions([probe(), short], orders_=5, seed=1))


def test_a_response_that_does_not_say_what_it_answers_is_refused() -> None:
    with pytest.raises(InputError, match="which probe"):
        question_of({"order": 1})


def test_the_request_carries_the_repeat_and_tells_no_feeling() -> None:
    asked = free(probe(repeat=3))
    (request,) = Asking().requests(asked)
    assert request == Request(dialogue=asked.id, position=0, turns=asked.turns, reference=TEXTS["empathetic"], repeat=3)
