from __future__ import annotations

from empathic.contracts import Missing
from empathic.metrics.batch import Batch
from empathic.metrics.repetition import Repetition
from empathic.records import Response, Turn


def scores(text: str, *earlier: str) -> dict:
    turns = [Turn(role="speaker", text="hi"), *(Turn(role="listener", text=said) for said in earlier)]
    response = Response(id="r", system="s", dialogue="d", turns=tuple(turns), text=text)
    return {name: values[0] for name, values in Repetition().score(Batch([response])).items()}


def test_pairs_said_twice_in_the_response_count_once() -> None:
    assert scores("so sad so sad")["within"] == 1 - 2 / 3
    assert scores("so very sad")["within"] == 0


def test_pairs_the_listener_said_earlier_are_repeated() -> None:
    assert scores("I am sorry .", "i am here .", "so SORRY .")["before"] == 2 / 3


def test_what_cannot_be_repeated_is_missing_with_a_reason() -> None:
    assert scores("so sad")["before"] == Missing(reason="the listener said nothing before")
    assert scores("sad", "so sad") == {
        "within": Missing(reason="the response is shorter than two words"),
        "before": Missing(reason="the response is shorter than two words"),
    }
