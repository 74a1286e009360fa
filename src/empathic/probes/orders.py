"""Five answers become the orders they are asked in: every answer stands at every place equally often.

A cyclic Latin square read in both directions: in rotation k, place p shows the base order's answer (k + p) mod n, and
in the reversed one (k − p) mod n. So each answer visits each place once per n orders, and in both directions together
each answer has each other one before it as often as after it. More than 2n orders take further base orders.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from empathic.errors import SettingError

T = TypeVar("T")
Order = tuple[int, ...]  # place → which answer stands there


def orders(n: int, count: int, *, seed: int, key: str = "") -> list[Order]:
    """`count` orders of n answers; a multiple of n balances the places within every probe, 1 only over all probes."""
    if count < 1 or (count > 1 and count % n):
        raise SettingError(f"--orders {count}: {n} answers are balanced by 1, {n}, {2 * n}, {3 * n} … orders.")
    if count == 1:
        return []
    found: list[Order] = []
    for block in range((count + 2 * n - 1) // (2 * n)):
        base = shuffled(range(n), f"{seed}|{key}|{block}")
        found += rotations(base)
    return found[:count]


def single(n: int, places: int, *, seed: int) -> list[Order]:
    """One order for each of `places` probes: all 2n rotations in shuffled blocks, so that places even out over them."""
    found: list[Order] = []
    block = 0
    while len(found) < places:
        base = shuffled(range(n), f"{seed}|single|{block}")
        found += shuffled(rotations(base), f"{seed}|block|{block}")
        block += 1
    return found[:places]


def rotations(base: Sequence[int]) -> list[Order]:
    """The 2n cyclic orders of a base order: n forwards, then n backwards."""
    n = len(base)
    forwards = [tuple(base[(k + p) % n] for p in range(n)) for k in range(n)]
    backwards = [tuple(base[(k - p) % n] for p in range(n)) for k in range(n)]
    return forwards + backwards


def shuffled(things: Sequence[T], key: str) -> list[T]:
    """The things in an order that the key alone decides."""
    copy = list(things)
    random.Random(key).shuffle(copy)
    return copy
