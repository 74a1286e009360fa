"""Numbers of things, raters and things per rater become blocks with planned overlap (balanced incomplete blocks).

When raters per thing is a multiple of things per rater, the design is cyclic: base blocks developed modulo the number
of things (Bose, 1939), searched for the most even pair counts; otherwise each block takes the things rated least so
far that were together least, and things of two blocks are exchanged as long as that makes the pairs more even.
`concurrence` says how even the result is: all pairs equal means balanced.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator

TRIES = 4000
STARTS, EXCHANGES = 4, 4000
Block = tuple[int, ...]


def incomplete_blocks(things: int, raters: int, per_rater: int, *, seed: int) -> list[Block]:
    """Blocks of at most `per_rater` of the things, so that each is in exactly `raters` blocks, never twice in one."""
    size = min(per_rater, things)
    if size == things:
        return [tuple(range(things))] * raters
    rng = random.Random(seed)
    if raters % size == 0:
        bases = _best_bases(things, size, raters // size, rng)
        return [_shift(base, by, things) for base in bases for by in range(things)]
    designs = [_exchanged(_greedy(things, raters, size, rng), things, rng) for _ in range(STARTS)]
    return min(designs, key=lambda blocks: _unevenness(blocks, things))


def concurrence(blocks: list[Block], things: int) -> Counter[tuple[int, int]]:
    """How many blocks hold each pair of things."""
    counts = Counter(dict.fromkeys(itertools.combinations(range(things), 2), 0))
    for block in blocks:
        counts.update(itertools.combinations(sorted(block), 2))
    return counts


def _unevenness(blocks: list[Block], things: int) -> int:
    return sum(count**2 for count in concurrence(blocks, things).values())


def _best_bases(things: int, size: int, count: int, rng: random.Random) -> list[Block]:
    """Base blocks whose differences modulo `things` come out as evenly as the search finds."""
    candidates = (_sample_bases(things, size, count, rng) for _ in range(TRIES))
    best, lowest = None, None
    for bases in candidates:
        uneven = _difference_unevenness(bases, things)
        if lowest is None or uneven < lowest:
            best, lowest = bases, uneven
        if lowest == _perfect(things, size, count):
            break
    return best or []


def _sample_bases(things: int, size: int, count: int, rng: random.Random) -> list[Block]:
    return [(0, *sorted(rng.sample(range(1, things), size - 1))) for _ in range(count)]


def _difference_unevenness(bases: list[Block], things: int) -> int:
    differences = Counter((b - a) % things for base in bases for a, b in itertools.permutations(base, 2))
    return sum(count**2 for count in differences.values())


def _perfect(things: int, size: int, count: int) -> int | None:
    """The unevenness of a difference family, where one can exist at all."""
    pairs = count * size * (size - 1)
    return pairs**2 // (things - 1) if pairs % (things - 1) == 0 else None


def _shift(base: Block, by: int, things: int) -> Block:
    return tuple((each + by) % things for each in base)


def _greedy(things: int, raters: int, size: int, rng: random.Random) -> list[Block]:
    left, together = [raters] * things, Counter[tuple[int, int]]()
    return list(_fill(left, together, size, rng))


def _fill(left: list[int], together: Counter[tuple[int, int]], size: int, rng: random.Random) -> Iterator[Block]:
    while any(left):
        block: list[int] = []
        while len(block) < size and (open_ := [t for t, n in enumerate(left) if n and t not in block]):
            block.append(min(open_, key=lambda t: (-left[t], _met(t, block, together), rng.random())))
        together.update(itertools.combinations(sorted(block), 2))
        for thing in block:
            left[thing] -= 1
        yield tuple(block)


def _exchanged(blocks: list[Block], things: int, rng: random.Random) -> list[Block]:
    """Exchange a thing of one block for a thing of another wherever that lowers the sum of squared pair counts."""
    mutable, together = [set(block) for block in blocks], concurrence(blocks, things)
    for _ in range(EXCHANGES if len(blocks) > 1 else 0):
        one, other = rng.sample(mutable, 2)
        ours, theirs = sorted(one - other), sorted(other - one)
        if ours and theirs:
            _exchange(one, other, rng.choice(ours), rng.choice(theirs), together)
    return [tuple(sorted(block)) for block in mutable]


def _exchange(one: set[int], other: set[int], mine: int, yours: int, together: Counter[tuple[int, int]]) -> None:
    left, right = one - {mine}, other - {yours}
    lost = [_pair(mine, each) for each in left] + [_pair(yours, each) for each in right]
    won = [_pair(yours, each) for each in left] + [_pair(mine, each) for each in right]
    before = sum(together[pair] ** 2 for pair in {*lost, *won})
    together.subtract(lost)
    together.update(won)
    if sum(together[pair] ** 2 for pair in {*lost, *won}) > before:
        together.subtract(won)
        together.update(lost)
        return
    one.symmetric_difference_update({mine, yours})
    other.symmetric_difference_update({mine, yours})


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _met(thing: int, block: list[int], together: Counter[tuple[int, int]]) -> int:
    return sum(together[_pair(thing, other)] for other in block)
