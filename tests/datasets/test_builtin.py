"""The built-in scenarios: coverage, shape, variety."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable

import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from empathic import datasets
from empathic.datasets.emotions import emotions
from empathic.datasets.named import BUILTIN
from empathic.datasets.rows import rows
from empathic.datasets.topics import vectors, words
from empathic.records import Dialogue

SET_PHRASES = ("sorry to hear", "that must be", "that must have", "it sounds like", "i understand how", "that's great")
SET_PHRASES += ("i know how you feel", "everything happens for a reason", "at least you")


@pytest.fixture(scope="module")
def scenarios() -> list[Dialogue]:
    found = list(datasets.read("builtin"))
    assert all(isinstance(one, Dialogue) for one in found)
    return [one for one in found if isinstance(one, Dialogue)]


def said(scenarios: Iterable[Dialogue], role: str) -> list[str]:
    return [turn.text for one in scenarios for turn in one.turns if turn.role == role]


def test_there_are_four_of_each_emotion_56_positive_and_72_negative(scenarios: list[Dialogue]) -> None:
    assert Counter(one.emotion for one in scenarios) == dict.fromkeys(emotions(), 4)
    assert Counter(one.polarity for one in scenarios) == {"positive": 56, "negative": 72}
    assert all(one.polarity == emotions()[one.emotion or ""] for one in scenarios)


def test_ids_are_emotion_and_number(scenarios: list[Dialogue]) -> None:
    assert [one.id for one in scenarios] == [f"{emotion}-{n}" for emotion in emotions() for n in range(1, 5)]


def test_the_coverage_table_names_each_of_them(scenarios: list[Dialogue]) -> None:
    table = list(rows(BUILTIN.path.with_name("coverage.csv"), need=("id", "topic", "region", "age")))
    assert [row["id"] for _, row in table] == [one.id for one in scenarios]
    assert len({row["region"] for _, row in table}) == 8
    assert len({row["age"] for _, row in table}) == 4


def test_each_has_a_situation_and_two_exchanges(scenarios: list[Dialogue]) -> None:
    for one in scenarios:
        assert [turn.role for turn in one.turns] == ["speaker", "listener"] * 2
        assert one.situation is not None
        assert 30 <= len(one.situation.split()) <= 60, one.id
        assert (one.reference, one.metadata) == (None, {})


def test_texts_are_tidy_and_of_talking_length(scenarios: list[Dialogue]) -> None:
    for one in scenarios:
        for text in (one.situation or "", *(turn.text for turn in one.turns)):
            assert text == " ".join(text.split()), one.id
            assert text[0].isupper() or text[0] in '"“', (one.id, text)
            assert text[-1] in '.!?"”', (one.id, text)
        assert all(8 <= len(turn.text.split()) <= 45 for turn in one.turns), one.id


@pytest.mark.parametrize("which", ["situations", "openings", "listener turns"])
def test_no_two_texts_are_alike(scenarios: list[Dialogue], which: str) -> None:
    texts = {
        "situations": [one.situation or "" for one in scenarios],
        "openings": [one.turns[0].text for one in scenarios],
        "listener turns": said(scenarios, "listener"),
    }[which]
    matrix = vectors(texts)
    cosines = (matrix @ matrix.T).tocoo()
    above = [(i, j, v) for i, j, v in zip(*cosines.coords, cosines.data, strict=True) if i < j and v > 0.5]
    assert not above, [(texts[i], texts[j], v) for i, j, v in above]
    for one, other in itertools.combinations([fours(text) for text in texts], 2):
        assert len(one & other) <= 2, one & other


def fours(text: str) -> set[tuple[str, ...]]:
    """Each four words in a row."""
    return set(zip(*(words(text)[start:] for start in range(4)), strict=False))


def test_a_listener_neither_leans_on_set_phrases_nor_begins_alike(scenarios: list[Dialogue]) -> None:
    turns = said(scenarios, "listener")
    assert sum(turn.lower().count(phrase) for turn in turns for phrase in SET_PHRASES) <= 5
    assert max(Counter(" ".join(words(turn)[:2]) for turn in turns).values()) <= 6
    assert 0.3 <= sum(turn.endswith("?") for turn in turns) / len(turns) <= 0.6


def test_few_listeners_begin_by_repeating_a_number(scenarios: list[Dialogue]) -> None:
    numbers = (
        "two three four five six seven eight nine ten eleven twelve fourteen nineteen twenty thirty forty fifty sixty"
    )
    first = [words(turn)[0] for turn in said(scenarios, "listener")]
    assert sum(word in numbers.split() for word in first) <= 16


def test_first_turns_are_coloured_the_way_of_their_label(scenarios: list[Dialogue]) -> None:
    score = SentimentIntensityAnalyzer().polarity_scores
    signs = {"positive": 1, "negative": -1}
    clear = [score(one.turns[0].text)["compound"] * signs[one.polarity or ""] >= 0.3 for one in scenarios]
    assert sum(clear) / len(clear) >= 0.9
