"""Responses of one system become their share of distinct n-grams and the entropy of their words.

Distinct-n (Li et al. 2016) = n-gram types / n-gram tokens, over all responses together. It falls with the number of
responses: compare at equal N only.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from empathic.contracts import Column, Missing, Texts, Value
from empathic.registry import register

Grams = list[Counter[tuple[str, ...]]]
SIZES = (1, 2, 3)


@register("metric", "distinct")
class Distinct:
    """Distinct-1, -2, -3: n-gram types / n-gram tokens over all responses of a system (Li et al. 2016)."""

    columns = tuple(Column(name=str(size), low=0, high=1, better="human") for size in SIZES)

    def gather(self, batch: Texts) -> Grams:
        """The n-grams of the batch."""
        return [count(batch.words, size) for size in SIZES]

    def finish(self, gathered: Sequence[Grams]) -> Mapping[str, Value]:
        """Types over tokens."""
        return {str(size): _share(merged(gathered, index)) for index, size in enumerate(SIZES)}


@register("metric", "entropy")
class Entropy:
    """Entropy of the words and word pairs of all responses, in bits: H = −Σ p log₂ p (Zhang et al. 2018)."""

    columns = tuple(Column(name=str(size), low=0, better="human") for size in (1, 2))

    def gather(self, batch: Texts) -> Grams:
        """The n-grams of the batch."""
        return [count(batch.words, size) for size in (1, 2)]

    def finish(self, gathered: Sequence[Grams]) -> Mapping[str, Value]:
        """Bits per n-gram."""
        return {str(size): _entropy(merged(gathered, index)) for index, size in enumerate((1, 2))}


def count(rows: Sequence[Sequence[str]], size: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram of one size occurs."""
    found: Counter[tuple[str, ...]] = Counter()
    for row in rows:
        found.update(zip(*(row[start:] for start in range(size)), strict=False))
    return found


def merged(gathered: Sequence[Grams], index: int) -> Counter[tuple[str, ...]]:
    """The counts of all batches together."""
    total: Counter[tuple[str, ...]] = Counter()
    for grams in gathered:
        total.update(grams[index])
    return total


def _share(grams: Counter[tuple[str, ...]]) -> Value:
    total = grams.total()
    return len(grams) / total if total else Missing(reason="no response is long enough")


def _entropy(grams: Counter[tuple[str, ...]]) -> Value:
    total = grams.total()
    if not total:
        return Missing(reason="no response is long enough")
    return math.fsum(number / total * math.log2(total / number) for number in grams.values())
