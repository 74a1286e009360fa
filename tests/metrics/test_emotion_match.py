from __future__ import annotations

import math

import pytest

from empathic.contracts import Missing
from empathic.metrics.batch import Batch
from empathic.metrics.emotion_match import EmotionMatch
from empathic.records import Response, Turn


def match(prompt: str, text: str) -> dict[str, object]:
    turns = (Turn(role="speaker", text=prompt),)
    found = EmotionMatch().score(Batch([Response(id="r", system="s", dialogue="d", turns=turns, text=text)]))
    return {name: values[0] for name, values in found.items()}


def test_the_same_emotion_matches_wholly() -> None:
    assert match("grief", "sorrow") == {"cosine": pytest.approx(1.0), "same": 1.0}


def test_different_emotions_do_not_match() -> None:
    assert match("grief", "outraged") == {"cosine": 0.0, "same": 0.0}


def test_mixed_emotions_match_by_the_cosine_of_their_intensities() -> None:
    table = EmotionMatch().table
    grief, rage = (table.values[table.rows[word]].max() for word in ("grief", "outraged"))
    found = match("grief", "grief outraged")
    assert found["cosine"] == pytest.approx(grief / math.hypot(grief, rage))


def test_without_an_emotion_on_either_side_it_is_missing() -> None:
    assert isinstance(match("qwerty", "sorrow")["cosine"], Missing)
    assert isinstance(match("grief", "qwerty")["same"], Missing)


def test_the_signature_names_the_lexicon() -> None:
    assert EmotionMatch().settings()["lexicon"].startswith("affect@")
