from __future__ import annotations

import numpy as np

from empathic.metrics.ragged import bounds, ragged, row_sum, segment_max, segment_sum, table


def test_words_are_numbered_in_the_order_they_come() -> None:
    texts = ragged([["oh", "no"], [], ["no", "no", "way"]])
    assert texts.words == ["oh", "no", "way"]
    assert texts.ids.tolist() == [0, 1, 1, 1, 2]
    assert texts.starts.tolist() == [0, 2, 2, 5]
    assert texts.lengths.tolist() == [2, 0, 3]
    assert texts.owner().tolist() == [0, 0, 2, 2, 2]


def test_an_unknown_word_is_told_from_one_worth_nothing() -> None:
    values, known = ragged([["oh", "no", "way"]]).lookup({"no": 0.0, "way": 0.5})
    assert values.tolist() == [0.0, 0.0, 0.5]
    assert known.tolist() == [False, True, True]


def test_segments_are_added_and_compared_with_empty_ones_anywhere() -> None:
    starts = bounds([0, 2, 0, 1, 0])
    values = np.array([0.25, 0.5, 0.125])
    assert segment_sum(values, starts).tolist() == [0, 0.75, 0, 0.125, 0]
    assert segment_max(values, starts).tolist() == [0, 0.5, 0, 0.125, 0]


def test_no_texts_and_only_empty_texts_are_fine() -> None:
    assert ragged([]).starts.tolist() == [0]
    empty = ragged([[], []])
    assert segment_max(np.array([]), empty.starts).tolist() == [0, 0]
    assert segment_sum(np.array([]), empty.starts).tolist() == [0, 0]


def test_scales_side_by_side_give_each_word_its_row() -> None:
    scales = table([{"oh": 0.5, "no": 0.25}, {"no": 1.0}], other=-1.0)
    assert scales.of(ragged([["no", "way", "oh"]])).tolist() == [[0.25, 1.0], [-1.0, -1.0], [0.5, -1.0]]


def test_rows_are_added_with_empty_segments_anywhere() -> None:
    values = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    assert row_sum(values, bounds([0, 2, 0, 1])).tolist() == [[0, 0], [4, 6], [0, 0], [5, 6]]
