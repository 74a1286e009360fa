from __future__ import annotations

import pytest

from empathic.contracts import System
from empathic.systems import Echo, HumanReference, IfElse
from talk import respond


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("My dog died last night and I feel terrible.", "I'm sorry to hear that."),
        ("I won the race, I am so happy!", "I'm happy to hear that."),
        ("I bought bread.", "I'm happy to hear that."),
        ("", "I'm happy to hear that."),
    ],
)
def test_if_else_says_one_of_its_two_sentences_by_the_sentiment_of_the_last_turn(said: str, answer: str) -> None:
    assert respond(IfElse(), "I hate everything, it is awful.", "Why?", said).text == answer


def test_echo_says_the_last_turn_back() -> None:
    assert respond(Echo(), "One.", "Two.", "Three?").text == "Three?"


def test_the_human_reference_is_given_or_missing_with_a_reason() -> None:
    assert respond(HumanReference(), "One.", reference="A person said this.").text == "A person said this."
    reply = respond(HumanReference(), "One.")
    assert (reply.text, reply.missing) == (None, "the dialogue holds no human answer at this place")


@pytest.mark.parametrize("system", [IfElse(), Echo(), HumanReference()])
def test_each_is_a_system(system: System) -> None:
    assert isinstance(system, System)
