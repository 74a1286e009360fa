"""Texts become topics: TF-IDF vectors, and groups of texts that are close to one of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

COMMON = 0.1  # a word in more than this share of the texts says nothing of the topic
FEW_TEXTS = 50  # … unless there are so few texts that a share means nothing
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def words(text: str) -> list[str]:
    """The words of a text in lower case, without figures and punctuation."""
    return [word.lower() for word in _WORD.findall(text)]


def vectors(texts: Sequence[str]) -> sparse.csr_array:
    """One row per text, of length 1 (or 0): (1 + ln tf) · (ln((1 + n) / (1 + df)) + 1), common words left out."""
    counted = [Counter(words(text)) for text in texts]
    document_counts = Counter(word for counts in counted for word in counts)
    most = len(texts) * COMMON if len(texts) > FEW_TEXTS else len(texts)
    column = {word: place for place, word in enumerate(w for w, df in document_counts.items() if df <= most)}
    rows, columns, values = [], [], []
    for row, counts in enumerate(counted):
        for word, count in counts.items():
            if word in column:
                rows.append(row)
                columns.append(column[word])
                rarity = np.log((1 + len(texts)) / (1 + document_counts[word])) + 1
                values.append((1 + np.log(count)) * rarity)
    matrix = sparse.csr_array((values, (rows, columns)), shape=(len(texts), max(len(column), 1)), dtype=np.float64)
    return _normalised(matrix)


def groups(matrix: sparse.csr_array, order: Sequence[int], threshold: float) -> NDArray[np.int64]:
    """The group of each row: in `order`, a row without one founds a group and takes in all free rows whose cosine
    with it is at least `threshold`; a group is called by the row that founded it."""
    group = np.full(matrix.shape[0], -1, dtype=np.int64)
    for founder in order:
        if group[founder] < 0:
            near = (matrix @ matrix[[founder]].T).toarray().ravel() >= threshold
            group[near & (group < 0)] = founder
            group[founder] = founder
    return group


def _normalised(matrix: sparse.csr_array) -> sparse.csr_array:
    lengths = np.sqrt((matrix * matrix).sum(axis=1))
    inverse = np.divide(1.0, lengths, out=np.zeros_like(lengths), where=lengths > 0)
    return sparse.csr_array(sparse.diags_array(inverse) @ matrix)
