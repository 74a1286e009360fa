"""Strings (one code point per token) become their closed repeats: every n-gram that cannot be made longer for free.

An n-gram whose every occurrence is followed (or preceded) by the same token has a longer n-gram of the same count,
which outweighs it. Only closed n-grams can win a fold, and there are at most as many as there are tokens (they are
inner nodes of the suffix tree), however long the repeated passages are. Found with a suffix array by prefix doubling
(Manber & Myers 1993) and its LCP intervals (Abouelhoda et al. 2004).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
SHORTEST = 2  # a fold of one token would change nothing


class Text(NamedTuple):
    """All strings as one array of ranks: each string is followed by an end mark of its own, so no repeat crosses it."""

    ranks: Ints
    group: Ints  # position → the string it is in
    starts: Ints  # string → its first position
    longest: int


@dataclass(frozen=True, slots=True)
class Repeats:
    """Closed repeats, heaviest (length × count) first; the occurrences of one are suffixes[low:high]."""

    suffixes: Ints
    length: Ints
    count: Ints
    first: Ints  # its first position
    low: Ints
    high: Ints


def encode(strings: Sequence[str]) -> Text:
    """Strings as one array: tokens ranked from 1, end marks above them."""
    sizes = np.fromiter(map(len, strings), np.int64, len(strings))
    codes = np.frombuffer("".join(strings).encode("utf-32-le", "surrogatepass"), np.uint32)
    _, ranked = np.unique(codes, return_inverse=True)
    group = np.repeat(np.arange(len(strings), dtype=np.int32), sizes + 1)
    starts = np.concatenate(([0], np.cumsum(sizes + 1)))[:-1]
    ranks = np.empty(len(codes) + len(strings), np.int64)
    ends = starts + sizes
    inside = np.ones(len(ranks), bool)
    inside[ends] = False
    ranks[inside] = ranked + 1
    ranks[ends] = np.arange(len(strings)) + (int(ranked.max()) if len(codes) else 0) + 2
    return Text(ranks, group, starts, int(sizes.max()) if len(sizes) else 0)


def closed_repeats(text: Text, weights: Ints) -> Repeats:
    """The closed repeats of at least two tokens and a count of at least two; strings count as often as their weight."""
    suffixes, shared = _suffix_array(text)
    length, low, high = _intervals(shared)
    before = np.where(suffixes > 0, text.ranks[suffixes - 1], 0)  # an end mark differs from everything: no extension
    changes = np.concatenate(([0], np.cumsum(before[1:] != before[:-1])))
    open_left = changes[high - 1] > changes[low]
    length, low, high = length[open_left], low[open_left], high[open_left]
    whole = _whole_strings(text, weights, suffixes, shared)
    length, low, high = (np.concatenate(pair) for pair in zip((length, low, high), whole, strict=True))
    total = np.concatenate(([0], np.cumsum(weights[text.group[suffixes]])))
    count = total[high] - total[low]
    first = _least(suffixes, low, high)
    order = np.lexsort((first, length, -length * count))
    return Repeats(suffixes, length[order], count[order], first[order], low[order], high[order])


def _suffix_array(text: Text) -> tuple[Ints, Ints]:
    """The sorted suffixes, and how many tokens each shares with the one before it."""
    levels, step, n = [text.ranks.astype(np.int32)], 1, len(text.ranks)
    while step <= text.longest and int(levels[-1].max()) < n:
        ranks = levels[-1].astype(np.int64)
        following = np.concatenate((ranks[step:], np.zeros(min(step, n), np.int64)))
        levels.append(_ranked(ranks * (n + 1) + following))
        step *= 2
    suffixes = np.argsort(levels[-1], kind="stable").astype(np.int32)
    return suffixes, _shared(levels, suffixes)


def _ranked(keys: Ints) -> NDArray[np.int32]:
    """The dense rank of every key, from 1."""
    order = np.argsort(keys, kind="stable")
    inorder = keys[order]
    ranks = np.empty(len(keys), np.int32)
    ranks[order] = np.cumsum(np.append(True, inorder[1:] != inorder[:-1]), dtype=np.int32)
    return ranks


def _shared(levels: list[NDArray[np.int32]], suffixes: Ints) -> Ints:
    """Longest common prefix of neighbours: add 2ᵏ tokens wherever the ranks of 2ᵏ tokens agree, k downwards."""
    shared = np.zeros(len(suffixes), np.int32)
    left, right = suffixes[:-1], suffixes[1:]
    for power in range(len(levels) - 1, -1, -1):
        ranks = np.append(levels[power], -1)
        here, there = np.minimum(left + shared[1:], len(suffixes)), np.minimum(right + shared[1:], len(suffixes))
        shared[1:] += np.int32(1 << power) * ((ranks[here] == ranks[there]) & (here != there))
    return shared


def _intervals(shared: Ints) -> tuple[Ints, Ints, Ints]:
    """Every LCP interval of at least `SHORTEST` tokens: its length and its half-open range of suffixes."""
    length: list[int] = []
    low: list[int] = []
    high: list[int] = []
    heights: list[int] = []
    begins: list[int] = []
    for place, height in enumerate(np.append(shared, 0).tolist()):
        begin = place - 1
        while heights and heights[-1] > height:
            begin = begins.pop()
            length.append(heights.pop())
            low.append(begin)
            high.append(place)
        if height >= SHORTEST and (not heights or heights[-1] < height):
            heights.append(height)
            begins.append(begin)
    return np.array(length, np.int64), np.array(low, np.int64), np.array(high, np.int64)


def _whole_strings(text: Text, weights: Ints, suffixes: Ints, shared: Ints) -> tuple[Ints, Ints, Ints]:
    """Strings given several times that occur in no other place: repeats with one position."""
    sizes = np.diff(np.append(text.starts, len(text.ranks))) - 1
    place = np.empty(len(suffixes), np.int64)
    place[suffixes] = np.arange(len(suffixes))
    low = place[text.starts]
    neighbours = np.maximum(shared[low], np.append(shared, 0)[low + 1])
    kept = (weights >= 2) & (sizes >= SHORTEST) & (neighbours < sizes)
    return sizes[kept], low[kept], low[kept] + 1


def _least(values: Ints, low: Ints, high: Ints) -> Ints:
    """The least of values[low:high] for each pair."""
    if not len(low):
        return low
    order = np.argsort(low, kind="stable")
    bounds = np.column_stack((low[order], high[order])).ravel()
    padded = np.append(values, values[-1])
    found = np.empty(len(low), np.int64)
    found[order] = np.minimum.reduceat(padded, bounds)[::2]
    return found
