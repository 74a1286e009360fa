from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empathic.contracts import System
from empathic.systems.eliza import Eliza, load_script
from talk import respond

ELIZA = Eliza()


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("I'm so angry I can't sit still.", "I am sorry to hear that you are so angry. What would make it lighter?"),
        ("My mum says to pray and sleep.", "What do you think when your mother says to pray and sleep?"),
        ("I remember my first day there.", "Do you often think of your first day there?"),
        ("I feel like you hate me.", "When did you first feel like me hate you?"),
        ("I want to leave.", "What would it mean to you to leave?"),
        ("Bread costs more now.", "Please go on."),
        ("…", "How are you feeling about things today?"),
    ],
)
def test_a_sentence_is_taken_apart_and_persons_are_exchanged(said: str, answer: str) -> None:
    assert ELIZA.talk([said]) == [answer]


def test_the_keyword_of_the_highest_rank_wins() -> None:
    assert "loss" in ELIZA.talk(["My brother is happy but there was a funeral."])[0]


def test_the_answers_of_a_rule_are_used_in_turn_within_a_dialogue() -> None:
    assert ELIZA.talk(["Bread.", "Water.", "Salt."]) == [
        "Please go on.",
        "Can you say more about that?",
        "What comes to mind when you think of it?",
    ]


def test_a_dialogue_does_not_remember_another() -> None:
    assert respond(ELIZA, "Bread.").text == respond(ELIZA, "Bread.").text
    assert respond(ELIZA, "Bread.", "Go on.", "Water.").text == "Can you say more about that?"


def test_a_part_without_words_is_not_repeated() -> None:
    assert ELIZA.talk(["I want"]) == ["Please go on."]


def test_every_answer_of_the_script_repeats_only_parts_its_pattern_has() -> None:
    for keyword in load_script().keyword:
        for pattern in keyword.patterns:
            parts = sum(word == "*" or word.startswith("@") for word in pattern.match.split())
            for answer in pattern.say:
                assert all(f"({n})" not in answer for n in range(parts + 1, 10)), (pattern.match, answer)


@given(st.text(max_size=200))
def test_whatever_is_said_gets_an_answer(said: str) -> None:
    assert ELIZA.talk([said])[0].strip()


def test_it_is_a_system_whose_script_is_part_of_its_settings() -> None:
    assert isinstance(ELIZA, System)
    assert len(ELIZA.settings()["script"]) == 16
