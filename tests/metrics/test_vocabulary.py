from __future__ import annotations

import numpy as np

from empathic.metrics.vocabulary import Vocabulary


def test_strings_are_numbered_in_the_order_they_come() -> None:
    vocabulary = Vocabulary()
    assert vocabulary.numbers(["oh", "no", "oh", ""]).tolist() == [0, 1, 0, 2]
    assert vocabulary.strings == ["oh", "no", ""]
    assert vocabulary["way"] == 3
    assert vocabulary.numbers([]).tolist() == []


def test_a_column_grows_and_asks_once_per_string() -> None:
    asked: list[str] = []

    def length(string: str) -> int:
        asked.append(string)
        return len(string)

    vocabulary = Vocabulary()
    assert vocabulary.column(length, np.int64).tolist() == []
    vocabulary.numbers(["oh", "way"])
    assert vocabulary.column(length, np.int64).tolist() == [2, 3]
    numbers = vocabulary.numbers(["way", "no!", "way"])
    assert vocabulary.column(length, np.int64)[numbers].tolist() == [3, 3, 3]
    assert asked == ["oh", "way", "no!"]
    assert vocabulary.column(str.isalpha, bool).tolist() == [True, True, False]
