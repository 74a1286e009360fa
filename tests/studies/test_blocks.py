"""Planned overlap: every thing equally often, never twice in a block, pairs as evenly as can be."""

from __future__ import annotations

from collections import Counter

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from empathic.studies.blocks import concurrence, incomplete_blocks


@settings(max_examples=20, deadline=None)
@given(things=st.integers(1, 20), raters=st.integers(1, 5), per_rater=st.integers(1, 8), seed=st.integers(0, 5))
def test_every_thing_is_rated_exactly_as_often_as_wanted(things: int, raters: int, per_rater: int, seed: int) -> None:
    blocks = incomplete_blocks(things, raters, per_rater, seed=seed)
    assert Counter(thing for block in blocks for thing in block) == dict.fromkeys(range(things), raters)
    assert all(len(set(block)) == len(block) <= per_rater for block in blocks)


@pytest.mark.parametrize(("things", "size", "times"), [(7, 3, 1), (13, 4, 1), (11, 5, 2), (21, 5, 1)])
def test_known_balanced_designs_are_found(things: int, size: int, times: int) -> None:
    """The planes of order 2, 3 and 4 and the biplane on 11 points: λ(v − 1) = r(k − 1), λ the same for all pairs."""
    pairs = concurrence(incomplete_blocks(things, size, size, seed=1), things)
    assert set(pairs.values()) == {times}


def test_without_a_balanced_design_no_pair_meets_twice_where_it_need_not() -> None:
    pairs = concurrence(incomplete_blocks(12, 3, 4, seed=1), 12)
    assert max(pairs.values()) == 1
    assert sum(pairs.values()) == 9 * 6


def test_the_same_seed_gives_the_same_blocks() -> None:
    assert incomplete_blocks(10, 3, 4, seed=3) == incomplete_blocks(10, 3, 4, seed=3)


def test_a_panel_that_rates_everything_gets_everything() -> None:
    assert incomplete_blocks(4, 3, 9, seed=1) == [(0, 1, 2, 3)] * 3
