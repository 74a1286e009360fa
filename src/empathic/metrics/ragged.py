"""Lists of words become one flat array of word numbers with bounds: a whole batch is looked up and added at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from empathic.metrics.vocabulary import Vocabulary

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Ragged(NamedTuple):
    """Texts as word numbers: text t is `ids[starts[t]:starts[t + 1]]`, word w is `vocabulary.strings[w]`."""

    vocabulary: Vocabulary
    ids: Ints
    starts: Ints

    @property
    def lengths(self) -> Ints:
        return np.diff(self.starts)

    def owner(self) -> Ints:
        """For each token the number of its text."""
        return np.repeat(np.arange(len(self.starts) - 1), self.lengths)

    def strings(self, text: int) -> list[str]:
        """The words of one text."""
        return [self.vocabulary.strings[word] for word in self.ids[self.starts[text] : self.starts[text + 1]].tolist()]

    def column(self, of: Callable[[str], Any], kind: DTypeLike) -> NDArray[Any]:
        """What `of` says of each token."""
        return self.vocabulary.column(of, kind)[self.ids]


class Table:
    """Words with a row of values each; row 0 is that of any other word."""

    def __init__(self, rows: Mapping[str, int], values: Floats) -> None:
        self.rows, self.values = rows, values

    def row(self, word: str) -> int:
        """The number of a word's row."""
        return self.rows.get(word, 0)

    def rows_of(self, texts: Ragged) -> Ints:
        """The number of each token's row."""
        return texts.column(self.row, np.int64)

    def of(self, texts: Ragged) -> Floats:
        """The row of each token."""
        return np.asarray(self.values[self.rows_of(texts)])

    @cached_property
    def orders(self) -> list[Order]:
        """Per column its different values in order."""
        return [_order(column) for column in self.values.T]


class Order(NamedTuple):
    """The different values of a column in order, and per row the place of its value among them (-1: it has none)."""

    values: Floats
    places: Ints


def _order(column: Floats) -> Order:
    values = np.unique(column[~np.isnan(column)])
    return Order(values, np.where(np.isnan(column), -1, np.searchsorted(values, column)))


def table(scales: Sequence[Mapping[str, float]], other: float = np.nan) -> Table:
    """Scales side by side; `other` is the value of a word a scale does not know."""
    words = {word: place for place, word in enumerate(dict.fromkeys(chain.from_iterable(scales)), 1)}
    values = np.full((len(words) + 1, len(scales)), other)
    for column, scale in enumerate(scales):
        for word, value in scale.items():
            values[words[word], column] = value
    return Table(words, values)


def ragged(texts: Sequence[Sequence[str]]) -> Ragged:
    """Number the words of texts in the order they come."""
    vocabulary = Vocabulary()
    ids = vocabulary.numbers(list(chain.from_iterable(texts)))
    return Ragged(vocabulary, ids, bounds(map(len, texts)))


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


def in_runs(keys: Ints) -> Ints:
    """Sorted keys; a sort that merges runs is several times as fast on keys that hold the number of a text first."""
    return np.sort(keys, kind="stable")


def are_among(owner: Ints, ids: Ints, others: Ints, known: Ints) -> Bools:
    """For each word whether its owner has it among the `known` words, which belong to `others`."""
    if not len(known) or not len(ids):
        return np.zeros(len(ids), dtype=np.bool_)
    width = max(int(ids.max()), int(known.max())) + 1
    have = in_runs(others * width + known)
    keys = owner * width + ids
    place = np.minimum(np.searchsorted(have, keys), len(have) - 1)
    return np.asarray(have[place] == keys)


def distinct(owner: Ints, ids: Ints) -> tuple[Ints, Ints]:
    """Each owner's different words, owner by owner."""
    width = int(ids.max(initial=0)) + 1
    keys = in_runs(owner * width + ids)
    keys = keys[np.diff(keys, prepend=-1) > 0]
    return keys // width, keys % width
