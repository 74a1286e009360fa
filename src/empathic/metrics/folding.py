"""Token sequences become templates: repeated spans are folded into placeholders, heaviest first, exactly.

The procedure of Lee et al. (2024, §5.4): among all n-grams (n ≥ 2) that occur at least twice (overlapping occurrences
count), the one with the greatest length × count is replaced everywhere, left to right, by a new placeholder; ties go to
the shortest, then to the first response, then to the first position; until nothing repeats.

How it is fast and still exact:

- Identical responses are one string with a weight; each token is one code point, so searching runs in C.
- Only closed n-grams (see `repeats`) can win. They wait in a queue by weight. A count can only fall, so a key can
  only get worse: take the best, count it again, fold it if nothing changed, else put it back (lazy greedy).
- *Cover*: every repeated n-gram lies in a queued n-gram whose recorded count is at least its own. When a count turns
  out to have fallen from r to c, the two n-grams one token shorter take over for counts in (c, r].
- After a fold only n-grams around the new placeholder are new: found by growing its occurrences to both sides.
- When that upkeep has cost more than finding all closed repeats afresh would, they are found afresh: this bounds the
  cost of long near-duplicates, whose every sub-passage would otherwise be visited.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from empathic.errors import InputError
from empathic.metrics.pause import collector_paused
from empathic.metrics.repeats import Ints, closed_repeats, encode

PATIENCE = 4  # look-ups per token of upkeep before the closed repeats are found afresh
BLOCK = 4096
NO_KEY = (0, 0, 0, 0)
Row = tuple[int, ...]
SYMBOLS = 0x110000  # code points there are


@dataclass(frozen=True, slots=True)
class Span:
    """One fold: what was replaced (tokens, or the numbers of earlier spans) and how often it occurred."""

    content: tuple[str | int, ...]
    count: int

    @property
    def weight(self) -> int:
        """What the fold was chosen by."""
        return len(self.content) * self.count


class Folded(NamedTuple):
    """The result: spans in the order of their folds, and each response as tokens and numbers of spans."""

    spans: list[Span]
    templates: list[tuple[str | int, ...]]


def fold(responses: Sequence[Sequence[str]]) -> Folded:
    """Fold token sequences; the templates are in the order of the responses."""
    groups: dict[tuple[str, ...], int] = {}
    member = [groups.setdefault(tuple(response), len(groups)) for response in responses]
    tokens = dict.fromkeys(token for group in groups for token in group)
    if len(tokens) >= SYMBOLS:
        raise InputError(f"there are more than {SYMBOLS:,} different words; fold fewer responses at a time")
    symbols = {token: chr(code) for code, token in enumerate(tokens)}
    strings = ["".join(map(symbols.__getitem__, group)) for group in groups]
    folding = Folding(strings, np.bincount(member, minlength=len(groups)).astype(np.int64), len(symbols))
    with collector_paused():
        folding.run()
    names: list[str | int] = [*symbols, *range(len(folding.spans))]
    spans = [Span(tuple(names[ord(sign)] for sign in gram), count) for gram, count in folding.spans]
    templates = [tuple(names[ord(sign)] for sign in string) for string in folding.strings]
    return Folded(spans, [templates[group] for group in member])


class _Entry:
    """A queued n-gram: the strings that may hold it, its count when last counted, and what it covers."""

    __slots__ = ("count", "covers", "groups", "key")

    def __init__(self, count: int, groups: list[int], key: tuple[int, int, int, int]) -> None:
        self.count, self.groups, self.key = count, groups, key
        self.covers = count  # sub-n-grams with a count up to this are covered, by it or by shorter entries

    def forget(self) -> None:
        """It repeats no more; what it covers is kept."""
        self.count, self.groups, self.key = 0, [], NO_KEY


class Folding:
    """The strings while they are folded; `replace` may be overridden by a procedure that replaces otherwise."""

    def __init__(self, strings: list[str], weights: Ints, used: int) -> None:
        self.strings, self.weights = strings, weights
        self.weight: list[int] = weights.tolist()
        self.used = used  # code points taken
        self.size: dict[str, int] = defaultdict(lambda: 1)  # placeholder → tokens it stands for
        self.spans: list[tuple[str, int]] = []
        self.refresh()

    def refresh(self) -> None:
        """Find all closed repeats of the strings as they are, and forget what was queued."""
        vars(self).pop("closed", None)  # the old ones must be gone before the new ones are made: memory
        self.upcoming: Iterator[Row] = iter(())
        self.entries: dict[str, _Entry] = {}
        self.heap: list[tuple[int, int, int, int, str]] = []
        self.pairs: dict[str, list[int]] = {}
        self.spent = 0
        self.closed = _Closed(self)
        self.limit = PATIENCE * len(self.closed.text.ranks)
        self.upcoming = self.closed.keys()
        self.next = next(self.upcoming, None)

    def run(self) -> None:
        """Fold until nothing repeats."""
        while (gram := self._best()) is not None:
            self._fold(gram, self.entries[gram])

    def _best(self) -> str | None:
        """The n-gram to fold next, or None when nothing repeats."""
        while True:
            if self.spent > self.limit:
                self.refresh()
            elif self.next is not None and (not self.heap or self.next[:4] < self.heap[0][:4]):
                self._take_closed(self.next)
            elif self.heap:
                *key, gram = heapq.heappop(self.heap)
                entry = self.entries[gram]
                if entry.key == tuple(key) and self._unchanged(gram, entry):
                    return gram
            else:
                return None

    def _take_closed(self, found: Row) -> None:
        """Queue the next closed repeat under its recorded key."""
        *key, count, first, low, high = found
        self.next = next(self.upcoming, None)
        gram, groups = self.closed.repeat(found[1], first, low, high)
        if gram in self.entries:
            self._cover(gram, count)
            return
        entry = self.entries[gram] = _Entry(count, groups, (key[0], key[1], key[2], key[3]))
        heapq.heappush(self.heap, (*entry.key, gram))

    def _unchanged(self, gram: str, entry: _Entry) -> bool:
        """Count again; what has fallen is put back, and shorter n-grams take over what it no longer covers."""
        before = entry.count
        entry.count, entry.groups = self._count(gram, entry.groups)
        if entry.count >= 2:
            key = self._key(gram, entry)
            if key == entry.key:
                return True
            entry.key = key
            heapq.heappush(self.heap, (*key, gram))
        else:
            entry.forget()
        if entry.count < before:
            self._cover_shorter(gram, before)
        return False

    def _count(self, gram: str, groups: list[int]) -> tuple[int, list[int]]:
        """How often an n-gram occurs (overlaps included), and in which of the strings."""
        self.spent += len(groups) + len(gram) // 16
        strings, weight, total, kept = self.strings, self.weight, 0, []
        overlaps = gram[0] in gram[1:]
        for group in groups:
            found = _overlapping(strings[group], gram) if overlaps else strings[group].count(gram)
            if found:
                total += found * weight[group]
                kept.append(group)
        return total, kept

    def _key(self, gram: str, entry: _Entry) -> tuple[int, int, int, int]:
        """Heaviest, then shortest, then first response, then first position (in tokens of the original)."""
        group = entry.groups[0]
        string = self.strings[group]
        offset = sum(map(self.size.__getitem__, string[: string.find(gram)]))
        return -len(gram) * entry.count, len(gram), group, offset

    def _cover_shorter(self, gram: str, bound: int) -> None:
        if len(gram) > 2:
            self._cover(gram[:-1], bound)
            self._cover(gram[1:], bound)

    def _cover(self, gram: str, bound: int) -> None:
        """See that everything in `gram` with a count up to `bound` is covered."""
        waiting = [gram]
        while waiting and self.spent <= self.limit:
            gram = waiting.pop()
            self.spent += len(gram) // 4
            entry = self.entries.get(gram) or self._queue(gram, *self._count(gram, self._candidates(gram)))
            if entry.covers < bound:
                entry.covers = bound
                if len(gram) > 2:
                    waiting += (gram[:-1], gram[1:])

    def _queue(self, gram: str, count: int, groups: list[int]) -> _Entry:
        entry = self.entries[gram] = _Entry(count, groups, NO_KEY)
        if count >= 2:
            entry.key = self._key(gram, entry)
            heapq.heappush(self.heap, (*entry.key, gram))
        else:
            entry.forget()
        return entry

    def _candidates(self, gram: str) -> list[int]:
        """Strings that may hold an n-gram: those that held its rarest pair of tokens."""
        return min((self._pair(gram[place : place + 2]) for place in range(len(gram) - 1)), key=len)

    def _pair(self, pair: str) -> list[int]:
        found = self.pairs.get(pair)
        if found is None:
            found = self.pairs[pair] = self.closed.pair(pair)
        return found

    def _fold(self, gram: str, entry: _Entry) -> None:
        """Replace an n-gram by a new placeholder and queue what is new around it."""
        if self.used >= SYMBOLS:
            raise InputError(f"more than {SYMBOLS:,} words and spans are needed; fold fewer responses at a time")
        mark = chr(self.used)
        self.used += 1
        self.size[mark] = sum(map(self.size.__getitem__, gram))
        self.spans.append((gram, entry.count))
        count, groups = entry.count, entry.groups
        entry.forget()
        new = self.replace(gram, mark, groups)
        if gram[0] in gram[1:]:  # overlapping occurrences leave parts behind
            self._cover_shorter(gram, count)
        for sign, holders in new.items():
            self._grow(sign, holders)

    def replace(self, gram: str, mark: str, groups: list[int]) -> dict[str, list[int]]:
        """Put the placeholder in place of the n-gram; returns what is new and in which strings."""
        for group in groups:
            self.strings[group] = self.strings[group].replace(gram, mark)
        return {mark: groups}

    def _grow(self, mark: str, groups: list[int]) -> None:
        """Queue every closed n-gram that holds the new placeholder."""
        places = _Places(mark, groups, self.strings, self.weight)
        for group, pairs in places.pairs():
            for pair in pairs:
                found = self.pairs.setdefault(pair, [])
                if not found or found[-1] != group:
                    found.append(group)
        for gram, count, holders in places.closed():
            self.spent += len(holders)
            self._queue(gram, count, holders)
            if self.spent > self.limit:
                return


def _overlapping(string: str, gram: str) -> int:
    found, start = 0, string.find(gram)
    while start >= 0:
        found += 1
        start = string.find(gram, start + 1)
    return found


class _Closed:
    """All closed repeats of the strings at one moment, in the order of their keys."""

    def __init__(self, folding: Folding) -> None:
        index = [number for number, string in enumerate(folding.strings) if len(string) >= 2]
        strings = [folding.strings[number] for number in index]
        self.numbers = np.array(index, np.int32)
        self.text = encode(strings)
        self.repeats = closed_repeats(self.text, folding.weights[self.numbers])
        self.holders = self.numbers[self.text.group[self.repeats.suffixes]]
        self.joined = "\0".join(strings)
        self.offsets = self._offsets(folding)
        self._sort_pairs()

    def _offsets(self, folding: Folding) -> Ints:
        """Position → tokens of the original before it in its string."""
        used = folding.used
        sizes = np.ones(used + 1, np.int64)
        for mark, size in folding.size.items():
            sizes[ord(mark)] = size
        codes = self._codes()
        before = np.concatenate(([0], np.cumsum(sizes[np.minimum(codes, used)])))[:-1]
        return (before - before[self.text.starts][self.text.group[: len(codes)]]).astype(np.int32)

    def _codes(self) -> Ints:
        return np.frombuffer(self.joined.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)

    def _sort_pairs(self) -> None:
        codes = self._codes()
        within = self.text.group[1 : len(codes)] == self.text.group[: max(0, len(codes) - 1)]
        ends = np.append(self.text.starts[1:] - 1, len(codes))
        inside = np.ones(len(codes) + 1, bool)
        inside[ends] = False
        keep = np.flatnonzero(within & inside[: len(within)] & inside[1 : len(within) + 1])
        keys = codes[keep] * SYMBOLS + codes[keep + 1]
        order = np.argsort(keys, kind="stable")
        self.pair_keys = keys[order]
        self.pair_groups = self.numbers[self.text.group[keep[order]]]

    def pair(self, pair: str) -> list[int]:
        """The strings that held a pair of tokens, in order."""
        key = ord(pair[0]) * SYMBOLS + ord(pair[1])
        low, high = np.searchsorted(self.pair_keys, (key, key + 1))
        return list(dict.fromkeys(self.pair_groups[low:high].tolist()))

    def keys(self) -> Iterator[Row]:
        """(−weight, length, first string, first position; count, place in the text, range of suffixes), best first."""
        found = self.repeats
        for start in range(0, len(found.length), BLOCK):
            block = slice(start, start + BLOCK)
            length, count, first = found.length[block], found.count[block], found.first[block]
            groups = self.numbers[self.text.group[first]]
            key: tuple[Ints, ...] = (-length * count, length, groups, self.offsets[first])
            columns = (*key, count, first, found.low[block], found.high[block])
            yield from zip(*(column.tolist() for column in columns), strict=True)

    def repeat(self, length: int, first: int, low: int, high: int) -> tuple[str, list[int]]:
        """An n-gram and the strings that hold it."""
        return self.joined[first : first + length], sorted(set(self.holders[low:high].tolist()))


class _Places:
    """Where a new placeholder stands, with what is to its left (reversed) and to its right."""

    def __init__(self, mark: str, groups: list[int], strings: list[str], weight: list[int]) -> None:
        self.mark = mark
        self.left: list[str] = []
        self.right: list[str] = []
        self.group: list[int] = []
        for group in groups:
            string = strings[group]
            place = string.find(mark)
            while place >= 0:
                self.left.append(string[:place][::-1])
                self.right.append(string[place + 1 :])
                self.group.append(group)
                place = string.find(mark, place + 1)
        self.weight = [weight[group] for group in self.group]
        self.repeated = any(one > 1 for one in self.weight)

    def pairs(self) -> Iterator[tuple[int, list[str]]]:
        """The pairs of tokens the placeholder is in, string by string."""
        for group, left, right in zip(self.group, self.left, self.right, strict=True):
            found = [left[0] + self.mark] if left else []
            yield group, [*found, self.mark + right[0]] if right else found

    def closed(self) -> Iterator[tuple[str, int, list[int]]]:
        """Every closed n-gram around the placeholder: n-gram, count, strings.

        Places are parted by what follows; within each part, by what precedes. A part that shares more to the right
        than was parted by is met again further down, so it is left out here: each n-gram is met once.
        """
        waiting = [list(range(len(self.group)))]
        while waiting:
            places = waiting.pop()
            ahead = _common(self.right, places)
            yield from self._backwards(places, ahead)
            if self._several(places):
                waiting += self._parted(self.right, ahead, places)

    def _backwards(self, places: list[int], ahead: int) -> Iterator[tuple[str, int, list[int]]]:
        waiting = [places]
        while waiting:
            places = waiting.pop()
            if len(places) < 2 or _common(self.right, places) == ahead:
                back, first = _common(self.left, places), places[0]
                gram = self.left[first][:back][::-1] + self.mark + self.right[first][:ahead]
                count = sum(map(self.weight.__getitem__, places))
                if len(gram) >= 2 and count >= 2:
                    yield gram, count, sorted({self.group[place] for place in places})
                if self._several(places):
                    waiting += self._parted(self.left, back, places)

    def _several(self, places: list[int]) -> bool:
        """Whether a part of the places can still repeat."""
        return len(places) > 2 or (len(places) == 2 and self.repeated)

    def _parted(self, sides: list[str], shared: int, places: list[int]) -> list[list[int]]:
        """The places by the next token on one side; only those that still repeat."""
        parts: dict[str, list[int]] = {}
        for place in places:
            side = sides[place]
            if len(side) > shared:
                parts.setdefault(side[shared], []).append(place)
        return [part for part in parts.values() if len(part) > 1 or self.weight[part[0]] > 1]


def _common(sides: list[str], places: list[int]) -> int:
    """How many tokens all places share on one side: those the first and the last in order share."""
    if len(places) == 1:
        return len(sides[places[0]])
    chosen = [sides[place] for place in places]
    low, high = min(chosen), max(chosen)
    for index, sign in enumerate(low):
        if sign != high[index]:
            return index
    return len(low)
