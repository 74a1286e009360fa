from __future__ import annotations

import math

import numpy as np
import pytest

from empathic.metrics import vectors

TEXTS = ["so sorry", "so glad", "so so sorry"]


def test_words_pairs_and_pieces_of_a_text() -> None:
    assert list(vectors.grams("Oh no! Why?")) == ["oh", "no", "!", "why", "?", "oh no", "no !", "! why", "why ?"]
    assert list(vectors.pieces("so a")) == ["# so", "#so ", "# so ", "# a "]


def test_terms_of_a_single_text_are_left_out() -> None:
    found = vectors.fit(TEXTS, [np.array([0, 1, 0])])
    assert "glad" not in found.columns
    assert {"so", "sorry", "so sorry"} <= set(found.columns)


def test_weights_are_those_of_the_formula() -> None:
    found = vectors.fit(TEXTS, [np.array([0, 1, 0])])
    row = found.rows(["so so sorry"]).toarray()[0]
    common = 1.0  # ln(4 / 4) + 1: "so" is in all three
    rarer = math.log(4 / 3) + 1
    expected = {"so": (1 + math.log(2)) * common, "sorry": rarer, "so sorry": rarer}
    size = math.sqrt(sum(value**2 for value in expected.values()))
    for term, value in expected.items():
        assert row[found.columns[term]] == pytest.approx(value / size)


def test_words_and_pieces_each_have_length_one() -> None:
    found = vectors.fit(TEXTS, [np.array([0, 1, 0])])
    rows = found.rows(TEXTS).toarray()
    assert np.linalg.norm(rows[:, : found.boundary], axis=1) == pytest.approx([1, 1, 1])
    assert np.linalg.norm(rows[:, found.boundary :], axis=1) == pytest.approx([1, 1, 1])


def test_the_most_telling_terms_are_kept() -> None:
    texts = ["yes common words", "yes common words", "no common words", "no common words"] * 3
    found = vectors.fit(texts, [np.array([1, 1, 0, 0] * 3)], kept=4)
    assert len(found.columns) == 4
    assert any(term in found.columns for term in ("yes", "no"))
    assert "common" not in found.columns


def test_an_unknown_text_is_an_empty_row() -> None:
    found = vectors.fit(TEXTS, [np.array([0, 1, 0])])
    assert found.rows(["", "qqq"]).nnz == 0
