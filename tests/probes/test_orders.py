"""Orders of the answers: every answer stands at every place, before and behind every other, equally often."""

from __future__ import annotations

from collections import Counter

import pytest

from empathic.errors import SettingError
from empathic.probes.orders import orders, rotations, single


@pytest.mark.parametrize("count", [5, 10, 15, 20])
def test_every_answer_visits_every_place_equally_often(count: int) -> None:
    visits = Counter((answer, place) for order in orders(5, count, seed=1) for place, answer in enumerate(order))
    assert set(visits.values()) == {count // 5}
    assert len(visits) == 25


def test_in_both_directions_every_pair_stands_both_ways_equally_often() -> None:
    before: Counter[tuple[int, int]] = Counter()
    for order in orders(5, 10, seed=3):
        before.update((order[i], order[j]) for i in range(5) for j in range(i + 1, 5))
    assert all(before[a, b] == before[b, a] == 5 for a in range(5) for b in range(a))


def test_the_rotations_of_three_are_those_one_writes_down_by_hand() -> None:
    forwards = [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert rotations([0, 1, 2]) == [*forwards, (0, 2, 1), (1, 0, 2), (2, 1, 0)]


def test_one_order_per_probe_evens_out_over_the_probes() -> None:
    found = single(5, 50, seed=1)
    visits = Counter((answer, place) for order in found for place, answer in enumerate(order))
    assert set(visits.values()) == {10}


def test_the_seed_and_the_key_decide_the_orders() -> None:
    assert orders(5, 5, seed=1, key="a") == orders(5, 5, seed=1, key="a")
    assert len({tuple(orders(5, 5, seed=seed, key=key)) for seed in (1, 2) for key in "abc"}) > 1
    assert orders(5, 1, seed=1) == []


@pytest.mark.parametrize("count", [0, 2, 7, -5])
def test_a_number_that_cannot_be_balanced_is_refused_with_those_that_can(count: int) -> None:
    with pytest.raises(SettingError, match="1, 5, 10, 15"):
        orders(5, count, seed=1)
