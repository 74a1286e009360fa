"""The numbers of vaderSentiment, which serves as oracle."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from vaderSentiment import vaderSentiment
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from empathic.metrics import sentiment
from empathic.metrics.coded import Memory
from empathic.metrics.sentiment import compounds

ORACLE = SentimentIntensityAnalyzer()
WORDS = [
    "good",
    "bad",
    "GREAT",
    "not",
    "never",
    "so",
    "this",
    "without",
    "doubt",
    "very",
    "hardly",
    "kind",
    "of",
    "sort",
    "no",
    "or",
    "nor",
    "least",
    "at",
    "but",
    "the",
    "shit",
    "bomb",
    "yeah",
    "right",
    "to",
    "die",
    "for",
    "beating",
    "heart",
    "love",
    "HATE",
    "isn't",
    "!",
    "??",
    ":)",
    "😭",
    "dog",
    "bus",
    "stop",
]


def compound(text: str) -> float:
    return compounds(["not a", text, "so GOOD"], Memory("ptb"))[1]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "dog",
        "🙂🙂 I love it😭",
        "SO sad",
        "no good",
        "kind of",
        "at least good",
        "the least good",
        "least good",
        "not bad but GREAT",
        "!!!?? great??",
        "never so good and never this bad",
        "without a doubt excellent, without doubt excellent",
        "yeah right, the bomb",
    ],
)
def test_the_compound_is_vader_s(text: str) -> None:
    assert compound(text) == ORACLE.polarity_scores(text)["compound"]


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(WORDS), max_size=12))
def test_any_mixture_of_its_special_words_gives_vader_s_number(words: list[str]) -> None:
    text = " ".join(words)
    assert compound(text) == ORACLE.polarity_scores(text)["compound"]


def test_a_thousand_real_texts_give_vader_s_numbers(shared: Path) -> None:
    found = json.loads((shared / "data" / "lee2024" / "emocause_responses.json").read_text())[:500]
    for each in found:
        for text in (each["query"][-1], each["response"]):
            assert compound(text) == ORACLE.polarity_scores(text)["compound"]


@pytest.mark.slow
def test_all_released_texts_give_vader_s_numbers(shared: Path) -> None:
    texts = []
    for path in sorted((shared / "data" / "lee2024").glob("*_responses.json")):
        texts += [text for each in json.loads(path.read_text()) for text in (each["query"][-1], each["response"])]
    with (shared / "data" / "epitome2020" / "explorations-reddit.csv").open(encoding="utf-8") as stream:
        texts += [row[name] for row in csv.DictReader(stream) for name in ("seeker_post", "response_post")]
    texts = list(dict.fromkeys(texts))
    expected = [ORACLE.polarity_scores(text)["compound"] for text in texts]
    assert compounds(texts, Memory("ptb")) == expected


@pytest.mark.parametrize("word", [*vaderSentiment.NEGATE, "don't", "n't", "dont't", "not.", "knot", "", "no"])
def test_words_that_negate_are_vader_s(word: str) -> None:
    assert sentiment._negates(word) == vaderSentiment.negated([word])
