from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from empathic.metrics.ragged import are_among, bounds, distinct, ragged, row_sum, segment_max, segment_sum, table


def test_words_are_numbered_in_the_order_they_come() -> None:
    texts = ragged([["oh", "no"], [], ["no", "no", "way"]])
    assert texts.vocabulary.strings == ["oh", "no", "way"]
    assert texts.ids.tolist() == [0, 1, 1, 1, 2]
    assert texts.starts.tolist() == [0, 2, 2, 5]
    assert texts.lengths.tolist() == [2, 0, 3]
    assert texts.owner().tolist() == [0, 0, 2, 2, 2]


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


def test_the_different_values_of_a_column_are_in_order() -> None:
    order = table([{"a": 0.5, "b": 0.25, "c": 0.5}, {"c": 1.0}]).orders
    assert (order[0].values.tolist(), order[0].places.tolist()) == ([0.25, 0.5], [-1, 1, 0, 1])
    assert (order[1].values.tolist(), order[1].places.tolist()) == ([1.0], [-1, -1, -1, 0])


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 5))), st.lists(st.tuples(st.integers(0, 3), st.integers(0, 9)))
)
def test_words_among_others_and_different_words_are_those_of_sets(some: list, others: list) -> None:
    owner, ids = np.array([one for one, _ in some], dtype=int), np.array([word for _, word in some], dtype=int)
    whose, known = np.array([one for one, _ in others], dtype=int), np.array([word for _, word in others], dtype=int)
    assert are_among(owner, ids, whose, known).tolist() == [pair in set(others) for pair in some]
    assert list(zip(*(each.tolist() for each in distinct(owner, ids)), strict=True)) == sorted(set(some))
