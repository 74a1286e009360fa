"""Sentences' words become counts of named cues: a table of phrases, found in one pass over the whole batch.

The table is `phrases.toml`. A phrase is written in lower-case Penn-Treebank words (`i 'm`, `do n't`); `^` is the start
of a sentence, `(so|very|)` offers alternatives (an empty one makes it optional), `{so}` stands for a list under
`[lists]`. A cue may name other cues whose matches are taken off its own (`minus`): "not sorry" is no "sorry".
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from empathic.errors import InputError
from empathic.metrics.ragged import Floats, Ints, Ragged

TABLE = Path(__file__).parent / "phrases.toml"
START = "\x02"  # stands before the first word of every sentence; `^` in the table
REMAINDERS = 1 << 18  # of keys: nearly all that are no key are told by their remainder, without a search
_MARKS = "(){}|\\"


class Steps(NamedTuple):
    """The phrases as paths of states: from state 0 on, each word leads on to a state or nowhere."""

    keys: Ints  # sorted: state · (number of words + 1) + word
    states: Ints  # the state each key leads to
    ends: Ints  # per state the cues a phrase ending there belongs to, padded with -1


class Cues:
    """Compiled phrases; their words are numbered from 1 (0 is any other word)."""

    def __init__(
        self,
        names: tuple[str, ...],
        minus: tuple[tuple[int, tuple[int, ...]], ...],
        numbers: Mapping[str, int],
        steps: Steps,
    ) -> None:
        self.names, self.minus, self.numbers = names, minus, numbers
        self.keys, self.states, self.ends = steps
        self.maybe = np.zeros(REMAINDERS, dtype=np.bool_)
        self.maybe[self.keys % REMAINDERS] = True

    def number(self, word: str) -> int:
        """The number of a word."""
        return self.numbers.get(word, 0)

    def counts(self, texts: Ragged) -> Floats:
        """How often each cue occurs in each text: one row per text, one column per cue."""
        ends = [self._ends(owner, state) for owner, state in self._walk(texts)]
        rows, width = len(texts.starts) - 1, len(self.names)
        places = np.concatenate([np.empty(0, dtype=np.int64), *ends])
        found = np.bincount(places, minlength=rows * width).reshape(rows, width).astype(np.float64)
        for cue, others in self.minus:
            found[:, cue] = np.maximum(0.0, found[:, cue] - found[:, list(others)].sum(axis=1))
        return found

    def _walk(self, texts: Ragged) -> Iterator[tuple[Ints, Ints]]:
        """After 1, 2, … words: the texts and the states of all phrases still possible."""
        words, owner = np.append(texts.column(self.number, np.int64), 0), np.append(texts.owner(), -1)
        place = np.flatnonzero(words)
        state, start = np.zeros(len(place), dtype=np.int64), owner[place]
        while len(place):
            key = state * (len(self.numbers) + 1) + words[place]
            maybe = np.flatnonzero(self.maybe[key % REMAINDERS])
            at = np.minimum(np.searchsorted(self.keys, key[maybe]), len(self.keys) - 1)
            found = self.keys[at] == key[maybe]
            on, state = maybe[found], self.states[at[found]]
            place, start = place[on] + 1, start[on]
            yield start, state
            inside = (owner[place] == start) & (words[place] > 0)
            state, place, start = state[inside], place[inside], start[inside]

    def _ends(self, owner: Ints, state: Ints) -> Ints:
        """For each cue that a phrase ends, its cell (text · number of cues + cue); a state ends a few cues at most."""
        cues = self.ends[state]
        return (owner[:, None] * len(self.names) + cues)[cues >= 0]


@functools.cache
def names() -> tuple[str, ...]:
    """The names of the package's cues; their phrases are compiled when first looked for."""
    with TABLE.open("rb") as stream:
        return tuple(tomllib.load(stream)["cue"])


@functools.cache
def embedded() -> Cues:
    """The cues of the package."""
    return read(TABLE)


def read(path: Path) -> Cues:
    """Compile a table of phrases."""
    with path.open("rb") as stream:
        table = tomllib.load(stream)
    lists: dict[str, list[str]] = table.get("lists", {})
    cues: dict[str, Any] = table["cue"]
    phrases = {name: sorted(_expand_all(cue["phrases"], lists, name, path)) for name, cue in cues.items()}
    return _compile(phrases, {name: cue.get("minus", []) for name, cue in cues.items()})


def _expand_all(phrases: Sequence[str], lists: Mapping[str, list[str]], cue: str, path: Path) -> set[tuple[str, ...]]:
    found = {words for phrase in phrases for words in expand(phrase, lists, cue=cue, path=path)}
    if () in found:
        raise InputError(f"a phrase of '{cue}' can be empty", path=path, field=cue)
    return found


def expand(
    phrase: str, lists: Mapping[str, Sequence[str]], *, cue: str = "", path: Path = TABLE
) -> Iterator[tuple[str, ...]]:
    """`(i am|i 'm) {so} glad` → every sequence of words it stands for; groups nest, `\\` takes a mark as it is."""
    texts, rest = _alternatives(phrase, 0, lists, f"{path.name}: '{phrase}' of '{cue}'")
    if rest < len(phrase):
        raise InputError(f"'{phrase}' closes a group that is not open", path=path, field=cue)
    return (tuple(START if word == "^" else word for word in text.split()) for text in texts)


def _alternatives(phrase: str, at: int, lists: Mapping[str, Sequence[str]], where: str) -> tuple[list[str], int]:
    """What a group starting at `at` stands for, and where it ends."""
    done: list[str] = []
    open_ = [""]
    while at < len(phrase) and phrase[at] != ")":
        mark = phrase[at]
        if mark == "|":
            done, open_, at = done + open_, [""], at + 1
            continue
        pieces, at = _piece(phrase, at, lists, where)
        open_ = [left + piece for left in open_ for piece in pieces]
    return done + open_, at


def _piece(phrase: str, at: int, lists: Mapping[str, Sequence[str]], where: str) -> tuple[Sequence[str], int]:
    if phrase[at] == "(":
        inner, end = _alternatives(phrase, at + 1, lists, where)
        if end == len(phrase):
            raise InputError(f"{where} does not close a group")
        return inner, end + 1
    if phrase[at] == "{":
        name, _, _ = phrase[at + 1 :].partition("}")
        if name not in lists:
            raise InputError(f"{where} asks for '{{{name}}}', which is not under [lists]")
        return lists[name], at + len(name) + 2
    if phrase[at] == "\\":
        return [phrase[at + 1]], at + 2
    end = next((place for place in range(at, len(phrase)) if phrase[place] in _MARKS), len(phrase))
    return [phrase[at:end]], end


def _compile(phrases: Mapping[str, list[tuple[str, ...]]], minus: Mapping[str, list[str]]) -> Cues:
    names = tuple(phrases)
    words = sorted({word for group in phrases.values() for phrase in group for word in phrase})
    numbers = {word: place for place, word in enumerate(words, 1)}
    steps: dict[tuple[int, int], int] = {}
    ends: dict[int, set[int]] = {}
    for cue, group in enumerate(phrases.values()):
        for phrase in group:
            state = 0
            for word in phrase:
                state = steps.setdefault((state, numbers[word]), len(steps) + 1)
            ends.setdefault(state, set()).add(cue)
    ordered = sorted((state * (len(words) + 1) + word, target) for (state, word), target in steps.items())
    keys, states = (np.array(column, dtype=np.int64) for column in zip(*ordered, strict=True))
    less = tuple((names.index(cue), tuple(map(names.index, others))) for cue, others in minus.items() if others)
    table = np.full((len(steps) + 1, max(map(len, ends.values()))), -1, dtype=np.int64)
    for state, cues in ends.items():
        table[state, : len(cues)] = sorted(cues)
    return Cues(names, less, numbers, Steps(keys, states, table))
