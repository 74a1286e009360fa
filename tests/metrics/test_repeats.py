"""Closed repeats against a definition one can read: an n-gram no longer n-gram of the same count contains."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from empathic.metrics.repeats import closed_repeats, encode

STRINGS = st.lists(st.text("abc", max_size=9), unique=True, max_size=6)


def all_counts(strings: list[str], weights: list[int]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for string, weight in zip(strings, weights, strict=True):
        for low in range(len(string)):
            for high in range(low + 2, len(string) + 1):
                counts[string[low:high]] += weight
    return Counter({gram: count for gram, count in counts.items() if count >= 2})


def closed_by_definition(strings: list[str], weights: list[int]) -> dict[str, int]:
    counts = all_counts(strings, weights)
    return {
        gram: count
        for gram, count in counts.items()
        if not any(count == counts[longer] for longer in counts if gram in longer and len(longer) == len(gram) + 1)
    }


@settings(deadline=None)
@given(STRINGS, st.randoms(use_true_random=False))
def test_every_closed_repeat_is_found_with_its_count(strings: list[str], random) -> None:
    weights = [random.choice([1, 1, 2, 5]) for _ in strings]
    text = encode(strings)
    found = closed_repeats(text, np.array(weights, np.int64))
    joined = "\0".join(strings)
    grams = {joined[f : f + n]: c for f, n, c in zip(found.first, found.length, found.count, strict=True)}
    assert grams == closed_by_definition(strings, weights)
    assert len(grams) == len(found.length)


def test_repeats_come_heaviest_first_then_shortest_then_first() -> None:
    strings = ["abcd", "abcdxy", "xypqr", "pqr"]
    found = closed_repeats(encode(strings), np.ones(4, np.int64))
    joined = "\0".join(strings)
    assert [joined[f : f + n] for f, n in zip(found.first, found.length, strict=True)] == ["abcd", "pqr", "xy"]


def test_no_repeat_crosses_the_end_of_a_string() -> None:
    found = closed_repeats(encode(["ab", "ca", "bc"]), np.ones(3, np.int64))
    assert len(found.length) == 0


def test_nothing_at_all_has_no_repeats() -> None:
    assert len(closed_repeats(encode([]), np.array([], np.int64)).length) == 0
