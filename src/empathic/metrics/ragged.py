"""Lists of words become one flat array of word numbers with bounds: a whole batch is looked up and added at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic.contracts import Texts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Ragged(NamedTuple):
    """Texts as word numbers: text t is `ids[starts[t]:starts[t + 1]]`, word w is `words[w]`."""

    words: list[str]
    ids: Ints
    starts: Ints

    @property
    def lengths(self) -> Ints:
        return np.diff(self.starts)

    def owner(self) -> Ints:
        """For each token the number of its text."""
        return np.repeat(np.arange(len(self.starts) - 1), self.lengths)

    def lookup(self, scale: Mapping[str, float]) -> tuple[Floats, Bools]:
        """Per word its value on a scale (0 if unknown) and whether it is known; `[ids]` spreads them over tokens."""
        values = np.array([scale.get(word, np.nan) for word in self.words], dtype=np.float64)
        known = ~np.isnan(values)
        return np.where(known, values, 0.0), known


class Table(NamedTuple):
    """Words with a row of values each; row 0 is that of any other word."""

    rows: Mapping[str, int]
    values: Floats

    def of(self, texts: Ragged) -> Floats:
        """Per word of a batch its row: one look-up, however many values a row has."""
        find = self.rows.get
        return np.asarray(self.values[[find(word, 0) for word in texts.words] or [0]])


def table(scales: Sequence[Mapping[str, float]], other: float = np.nan) -> Table:
    """Scales side by side; `other` is the value of a word a scale does not know."""
    words = {word: place for place, word in enumerate(dict.fromkeys(chain.from_iterable(scales)), 1)}
    values = np.full((len(words) + 1, len(scales)), other)
    for column, scale in enumerate(scales):
        for word, value in scale.items():
            values[words[word], column] = value
    return Table(words, values)


def ragged(texts: Sequence[Sequence[str]]) -> Ragged:
    """Number the words of all texts in the order they come."""
    flat = list(chain.from_iterable(texts))
    words = list(dict.fromkeys(flat))
    number = dict(zip(words, range(len(words)), strict=True))
    ids = np.fromiter(map(number.__getitem__, flat), dtype=np.int64, count=len(flat))
    return Ragged(words, ids, bounds(map(len, texts)))


def ragged_prompts(batch: Texts) -> Ragged:
    """The words of the utterances that are answered, in lower case."""
    return ragged(batch.prompt_lower)


def ragged_responses(batch: Texts) -> Ragged:
    """The words of the responses, in lower case."""
    return ragged(batch.lower)


def bounds(lengths: Iterable[int]) -> Ints:
    """Lengths 2, 0, 3 → 0, 2, 2, 5."""
    sizes = np.fromiter(lengths, dtype=np.int64)
    return np.concatenate(([0], np.cumsum(sizes)))


def segment_sum(values: NDArray[Any], starts: Ints) -> Floats:
    """The sum of each segment; 0 for an empty one. No running total: a text's sum must not depend on its company."""
    return _reduce(np.add, values.astype(np.float64), starts)


def segment_max(values: Floats, starts: Ints) -> Floats:
    """The largest value of each segment; 0 for an empty one."""
    return _reduce(np.maximum, values, starts)


def row_sum(values: Floats, starts: Ints) -> Floats:
    """The sum of the rows of each segment; 0 for an empty one."""
    result = np.zeros((len(starts) - 1, values.shape[1]))
    filled = starts[1:] > starts[:-1]
    if filled.any():
        result[filled] = np.add.reduceat(values, starts[:-1][filled], axis=0)
    return result


def _reduce(function: np.ufunc, values: Floats, starts: Ints) -> Floats:
    result = np.zeros(len(starts) - 1)
    filled = starts[1:] > starts[:-1]
    if filled.any():
        result[filled] = function.reduceat(values, starts[:-1][filled])
    return result
