"""Strings become numbers, and what is known of each string a column that grows with them."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Ints = NDArray[np.int64]


class Vocabulary(dict[str, int]):
    """String → number, in the order they are first seen.

    A text is looked at through its numbers: `vocabulary.column(is_rare, bool)[numbers]` asks `is_rare` once for each
    different string, whenever it first comes up, and answers for a million words by one look-up.
    """

    def __init__(self) -> None:
        super().__init__()
        self.strings: list[str] = []
        self._columns: dict[Callable[[str], Any], NDArray[Any]] = {}

    def __missing__(self, string: str) -> int:
        number = self[string] = len(self.strings)
        self.strings.append(string)
        return number

    def numbers(self, strings: Collection[str]) -> Ints:
        """The number of each string."""
        return np.fromiter(map(self.__getitem__, strings), dtype=np.int64, count=len(strings))

    def column(self, of: Callable[[str], Any], kind: DTypeLike) -> NDArray[Any]:
        """What `of` says of every string so far, by number; `of` is asked once per string."""
        known = self._columns.get(of, np.empty(0, dtype=kind))
        if len(known) < len(self.strings):
            new = np.array([of(string) for string in self.strings[len(known) :]], dtype=kind)
            known = self._columns[of] = np.concatenate([known, new])
        return known
