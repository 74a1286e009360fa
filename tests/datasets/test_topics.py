from __future__ import annotations

import numpy as np
import pytest

from empathic.datasets import topics

TEXTS = ["my cat died", "my old cat died", "I won a race", "I won the race", ""]


def test_words_are_lower_case_and_keep_their_apostrophe() -> None:
    assert topics.words("I don't LIKE 3 cats — it’s “so”!") == ["i", "don't", "like", "cats", "it’s", "so"]


def test_a_vector_is_the_formula_by_hand() -> None:
    matrix = topics.vectors(["a a b", "b"]).toarray()
    rare, common = np.log(3 / 2) + 1, 1.0
    raw = np.array([(1 + np.log(2)) * rare, common])
    assert sorted(matrix[0]) == pytest.approx(sorted(raw / np.linalg.norm(raw)))
    assert sorted(matrix[1]) == [0, 1]


def test_an_empty_text_is_near_nothing() -> None:
    matrix = topics.vectors(TEXTS)
    assert matrix[[4]].nnz == 0
    assert topics.vectors(["", ""]).shape == (2, 1)


def test_words_in_many_texts_say_nothing_when_there_are_many_texts() -> None:
    texts = [f"today {'ab'[n % 2]}{'x' * n}" for n in range(60)]
    assert ((topics.vectors(texts) @ topics.vectors(texts).T).toarray() > 0).sum() == 60


def test_texts_near_a_founder_are_its_group() -> None:
    matrix = topics.vectors(TEXTS)
    assert topics.groups(matrix, range(5), 0.4).tolist() == [0, 0, 2, 2, 4]
    assert topics.groups(matrix, [3, 1, 0, 2, 4], 0.4).tolist() == [1, 1, 3, 3, 4]
    assert topics.groups(matrix, range(5), 1.0).tolist() == [0, 1, 2, 3, 4]
