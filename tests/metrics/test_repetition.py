from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from empathic.contracts import Missing
from empathic.metrics.batch import Batch
from empathic.metrics.repetition import Repetition
from empathic.metrics.text import words
from empathic.records import Response, Turn


def respond(text: str, *earlier: str) -> Response:
    turns = [Turn(role="speaker", text="hi"), *(Turn(role="listener", text=said) for said in earlier)]
    return Response(id="r", system="s", dialogue="d", turns=tuple(turns), text=text)


def scores(text: str, *earlier: str) -> dict:
    return {name: values[0] for name, values in Repetition().score(Batch([respond(text, *earlier)])).items()}


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


WORDS = st.lists(st.sampled_from(["so", "So", "sad", "i'm", "I'm", "sorry.", ".", "no", "İ"]), max_size=8).map(" ".join)


def straight(text: str, earlier: list[str]) -> dict:
    """Word by word."""
    lower = [word.lower() for word in words(text)]
    pairs = list(pairwise(lower))
    said = {pair for turn in earlier for pair in pairwise(words(turn.lower()))}
    short = Missing(reason="the response is shorter than two words")
    before = sum(pair in said for pair in pairs) / len(pairs) if pairs else short
    return {
        "within": 1 - len(set(pairs)) / len(pairs) if pairs else short,
        "before": before if earlier else Missing(reason="the listener said nothing before"),
    }


@given(st.lists(st.tuples(WORDS, st.lists(WORDS, max_size=3)), min_size=1, max_size=4))
def test_a_whole_batch_gives_what_each_response_gives_word_by_word(given: list[tuple[str, list[str]]]) -> None:
    batch = Batch([respond(text, *earlier) for text, earlier in given])
    found = Repetition().score(batch)
    for place, (text, earlier) in enumerate(given):
        assert {name: values[place] for name, values in found.items()} == straight(text, earlier)
