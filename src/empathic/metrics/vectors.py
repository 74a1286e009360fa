"""Texts become sparse rows: TF-IDF of word 1–2-grams and of 3–5-letter pieces of words, the most telling ones.

weight(term, text) = (1 + log tf) · (log((1 + N) / (1 + df)) + 1), each text's words and pieces scaled to length 1
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy  # its parts are loaded when first used: importing the package stays quick

from empathic.metrics.ragged import Floats, Ints

_WORD = re.compile(r"[\w']+|[?!]")
LEAST = 2  # texts a term must occur in
KEPT = 12_000


class Vectors(NamedTuple):
    """A fitted vocabulary: term → column, the weight of each column, and where the word columns end."""

    columns: Mapping[str, int]
    weights: Floats
    boundary: int  # columns below it are word n-grams, the others pieces

    def rows(self, texts: Sequence[str]) -> scipy.sparse.csr_array:
        """One sparse row per text."""
        counted = [
            (Counter(_known(grams(text), self.columns)), Counter(_known(pieces(text), self.columns))) for text in texts
        ]
        blocks = [self._block([pair[place] for pair in counted]) for place in (0, 1)]
        return scipy.sparse.csr_array(blocks[0] + blocks[1])

    def _block(self, counters: Sequence[Counter[int]]) -> scipy.sparse.csr_array:
        starts = np.concatenate(([0], np.cumsum([len(counter) for counter in counters])))
        places = np.fromiter((place for counter in counters for place in counter), dtype=np.int64, count=starts[-1])
        counts = np.fromiter((n for counter in counters for n in counter.values()), dtype=np.float64, count=starts[-1])
        values = (1 + np.log(counts)) * self.weights[places]
        block = scipy.sparse.csr_array((values, places, starts), shape=(len(counters), len(self.weights)))
        size = np.sqrt(np.asarray(block.multiply(block).sum(axis=1)).ravel())
        return scipy.sparse.csr_array(scipy.sparse.diags_array(1 / np.where(size > 0, size, 1.0)) @ block)


def fit(texts: Sequence[str], targets: Sequence[Ints], *, kept: int = KEPT) -> Vectors:
    """The vocabulary of texts: terms of LEAST texts or more, the `kept` that tell the targets apart best (χ²)."""
    words, parts = _frequencies(map(grams, texts)), _frequencies(map(pieces, texts))
    terms = [*words, *parts]
    frequency = np.array([*words.values(), *parts.values()], dtype=np.float64)
    idf = np.log((1 + len(texts)) / (1 + frequency)) + 1
    everything = Vectors({term: place for place, term in enumerate(terms)}, idf, len(words))
    if len(terms) <= kept:
        return everything
    rows = everything.rows(texts)
    chosen = np.sort(np.argsort(-_telling(rows, targets), kind="stable")[:kept])
    columns = {terms[place]: new for new, place in enumerate(chosen.tolist())}
    return Vectors(columns, idf[chosen], int((chosen < len(words)).sum()))


def grams(text: str) -> Iterator[str]:
    """The words and word pairs of a text."""
    words = _WORD.findall(text.lower())
    yield from words
    yield from (f"{one} {other}" for one, other in zip(words, words[1:], strict=False))


def pieces(text: str) -> Iterator[str]:
    """The pieces of 3 to 5 letters of each word, its bounds shown by a blank: ` so`, `sor`, `orry `."""
    for chunk in text.lower().split():
        yield from _pieces(chunk)


@lru_cache(maxsize=1 << 17)
def _pieces(chunk: str) -> tuple[str, ...]:
    # a mark before each piece keeps pieces apart from words that look the same
    padded = f" {chunk} "
    return tuple(f"#{padded[start : start + size]}" for size in (3, 4, 5) for start in range(len(padded) - size + 1))


def _known(terms: Iterable[str], columns: Mapping[str, int]) -> Iterator[int]:
    for term in terms:
        place = columns.get(term)
        if place is not None:
            yield place


def _frequencies(texts: Iterable[Iterable[str]]) -> dict[str, int]:
    """In how many texts each term occurs, in the order of the terms (the same in any order of texts)."""
    counts: Counter[str] = Counter()
    for terms in texts:
        counts.update(set(terms))
    return {term: counts[term] for term in sorted(counts) if counts[term] >= LEAST}


def _telling(rows: scipy.sparse.csr_array, targets: Sequence[Ints]) -> Floats:
    """The largest χ² of each column over the targets: Σ (observed − expected)² / expected."""
    best = np.zeros(rows.shape[1])
    total = np.asarray(rows.sum(axis=0)).ravel()
    for target in targets:
        groups = np.eye(int(target.max()) + 1)[target]
        observed = np.asarray(rows.T @ groups).T
        expected = np.outer(groups.mean(axis=0), total)
        score = ((observed - expected) ** 2 / np.maximum(expected, 1e-12)).sum(axis=0)
        best = np.maximum(best, score)
    return best
