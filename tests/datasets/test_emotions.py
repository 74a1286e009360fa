from __future__ import annotations

from pathlib import Path

from empathic import datasets
from empathic.datasets.emotions import emotions, polarity_of
from empathic.records import Dialogue


def test_fourteen_emotions_are_positive_and_eighteen_negative() -> None:
    poles = list(emotions().values())
    assert (poles.count("positive"), poles.count("negative")) == (14, 18)


def test_an_emotion_outside_the_32_has_no_polarity() -> None:
    assert [polarity_of(name) for name in ("Proud ", "sad", "bored", None)] == ["positive", "negative", None, None]


def test_the_polarity_is_that_of_the_released_table(shared: Path) -> None:
    path = shared / "data" / "welivita2024" / "dataset_and_ratings.csv"
    found = {(d.emotion, d.polarity) for d in datasets.read(path) if isinstance(d, Dialogue)}
    assert found == set(emotions().items())
