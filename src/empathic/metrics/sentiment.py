"""Texts become VADER's compound sentiment, −1…1 (Hutto & Gilbert 2014), by its own rules and tables.

The package vaderSentiment gives lexicon and tables; its code lower-cases a whole text again for every rule and word.
Here each rule looks at the words it is about. The numbers are the same (a test compares thousands of texts).
"""

from __future__ import annotations

import functools
import string
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from vaderSentiment import vaderSentiment

from empathic.contracts import Column, Texts
from empathic.metrics.coded import Chunks, Memory, chunked, coded_responses, memory_of
from empathic.metrics.ragged import Floats, Ints, segment_sum
from empathic.registry import register

NEGATING: float = vaderSentiment.N_SCALAR
CAPITALS: float = vaderSentiment.C_INCR
NEGATIONS = frozenset(vaderSentiment.NEGATE)
BOOSTERS: dict[str, float] = vaderSentiment.BOOSTER_DICT
DISTANCE = (1.0, 0.95, 0.9)
STRENGTHENING = frozenset(("so", "this"))
# the longest word of each idiom: a text without any of them has no idiom
IDIOMATIC = frozenset(
    max(phrase.split(), key=len) for phrase in (*vaderSentiment.SPECIAL_CASES, *BOOSTERS) if " " in phrase
)
ACTIVE = IDIOMATIC | STRENGTHENING | {*BOOSTERS, "no", "or", "nor", "never", "without", "doubt", "least", "but", "kind"}
VALUED, ACTING, SHOUTED = 1, 2, 4
AROUND = 3  # words before and after one that can change its sentiment
REMEMBERED = 1 << 14


@register("metric", "sentiment")
class Sentiment:
    """VADER's compound sentiment of the response and of the utterance it answers, −1…1."""

    columns = (
        Column(name="response", low=-1, high=1),
        Column(name="prompt", low=-1, high=1),
    )

    def __init__(self) -> None:
        self._prompts: dict[str, float] = {}  # several systems answer the same

    def score(self, batch: Texts) -> Mapping[str, Sequence[float]]:
        """The compound score of each text."""
        plain, coded = list(map(_plain, batch.texts)), batch.view(coded_responses)
        chunks = coded.chunks if plain == batch.texts else chunked(plain, batch.view(memory_of))
        return {"response": _compounds(plain, chunks), "prompt": self._of_prompts(batch)}

    def _of_prompts(self, batch: Texts) -> list[float]:
        if len(self._prompts) > REMEMBERED:
            self._prompts.clear()
        new = [text for text in dict.fromkeys(batch.prompts) if text not in self._prompts]
        self._prompts |= zip(new, compounds(new, batch.view(memory_of)), strict=True)
        return list(map(self._prompts.__getitem__, batch.prompts))


def compounds(texts: Sequence[str], memory: Memory) -> list[float]:
    """S / √(S² + 15), S the sum of the words' sentiments and of what punctuation adds; rounded to 4 decimals."""
    plain = list(map(_plain, texts))
    return _compounds(plain, chunked(plain, memory))


class _Word(NamedTuple):
    """A chunk without punctuation around it, the same in lower case, and what it is: VALUED, ACTING, SHOUTED."""

    word: str
    lower: str
    kind: int


@functools.lru_cache(maxsize=REMEMBERED)
def _word(chunk: str) -> _Word:
    word = _bare(chunk)
    low = word.lower()
    acts = low in ACTIVE or _negates(low)
    return _Word(word, low, VALUED * (low in _rules().lexicon) + ACTING * acts + SHOUTED * word.isupper())


def _kind(chunk: str) -> int:
    return _word(chunk).kind


def _value(chunk: str) -> float:
    return float(_rules().lexicon.get(_word(chunk).lower, 0.0))


def _is_but(chunk: str) -> bool:
    return _word(chunk).lower == "but"


def _compounds(texts: Sequence[str], chunks: Chunks) -> list[float]:
    kinds = chunks.memory.chunks.column(_kind, np.int8)[chunks.ids]
    valued = np.flatnonzero(kinds & VALUED)
    owner = np.searchsorted(chunks.starts, valued, side="right") - 1
    values = chunks.memory.chunks.column(_value, np.float64)[chunks.ids[valued]].tolist()
    _change(values, valued, owner, kinds, chunks)
    bounds = np.searchsorted(owner, np.arange(len(texts) + 1)).tolist()
    _contrast(values, valued, bounds, chunks)
    totals = [float(sum(values[start:end])) for start, end in zip(bounds[:-1], bounds[1:], strict=True)]
    return [value and round(value, 4) for value in _normal(np.array(totals), texts).tolist()]


def _change(values: list[float], valued: Ints, owner: Ints, kinds: Ints, chunks: Chunks) -> None:
    """Change the values of words near one that acts on others or is shouted."""
    active = np.append(0, np.cumsum(kinds > VALUED))
    first = np.maximum(valued - AROUND, chunks.starts[owner])
    last = np.minimum(valued + AROUND, chunks.starts[owner + 1])
    shouted = segment_sum(kinds >= SHOUTED, chunks.starts)
    capitals = (shouted > 0) & (shouted < np.diff(chunks.starts))
    touched = np.flatnonzero(active[last] > active[first])
    columns = (touched, first[touched], valued[touched], last[touched], capitals[owner[touched]])
    for at, start, place, end, loud in zip(*(column.tolist() for column in columns), strict=True):
        values[at] = _changed(tuple(chunks.strings[start:end]), place - start, loud)


def _contrast(values: list[float], valued: Ints, bounds: list[int], chunks: Chunks) -> None:
    """Halve what stands before the first "but" of a text, and add half to what comes after."""
    places = np.flatnonzero(chunks.memory.chunks.column(_is_but, bool)[chunks.ids])
    owners = np.searchsorted(chunks.starts, places, side="right") - 1
    firsts = dict(zip(owners[::-1].tolist(), places[::-1].tolist(), strict=True))
    for owner, but in firsts.items():
        at = [at for at in range(bounds[owner], bounds[owner + 1]) if values[at]]
        found = [values[place] for place in at]
        for turn in range(len(found)):
            # as in VADER, of equal values the first is changed, again if need be
            first = found.index(found[turn])
            found[first] *= 0.5 if valued[at[first]] < but else 1.5
        for place, value in zip(at, found, strict=True):
            values[place] = value


def _normal(totals: Floats, texts: Sequence[str]) -> Floats:
    marks = np.array([(text.count("!"), text.count("?")) for text in texts]).reshape(-1, 2)
    totals = np.where(totals, totals + np.copysign(_emphasis(*marks.T), totals), 0.0)
    return np.asarray(totals / np.sqrt(totals * totals + 15))


def _emphasis(exclamations: Ints, questions: Ints) -> Floats:
    """What punctuation adds: .292 per exclamation mark up to four, .18 per question mark from two on, at most .96."""
    asked = np.where(questions < 2, 0.0, np.where(questions <= 3, questions * 0.18, 0.96))
    return np.minimum(exclamations, 4) * 0.292 + asked


@functools.lru_cache(maxsize=REMEMBERED)
def _changed(chunks: tuple[str, ...], place: int, capitals: bool) -> float:
    """The sentiment of one word, given the words around it."""
    words, lower, _ = map(list, zip(*map(_word, chunks), strict=True))
    if lower[place] in BOOSTERS or lower[place : place + 2] == ["kind", "of"]:
        return 0.0
    lexicon = _rules().lexicon
    value: float = _own(place, lower, lexicon)
    if capitals and words[place].isupper():
        value += CAPITALS if value > 0 else -CAPITALS
    for back in range(place):
        if lower[place - back - 1] not in lexicon:
            value = _boosted(value, back, words[place - back - 1], lower[place - back - 1], capitals)
            value = _negated(value, back, place, lower)
            if back == 2 and not IDIOMATIC.isdisjoint(lower):
                value = _rules()._special_idioms_check(value, words, place)
    if place and lower[place - 1] == "least" and lower[max(0, place - 2)] not in ("at", "very"):
        value *= NEGATING
    return value


def _own(place: int, lower: list[str], lexicon: Mapping[str, float]) -> float:
    """A word's value in the lexicon, turned by a "no" before it; "no" is nothing before a word that has a value."""
    before = lower[max(0, place - 3) : place]
    refused = "no" in before[-2:] or (len(before) == 3 and before[0] == "no" and before[2] in ("or", "nor"))
    if refused:
        return lexicon[lower[place]] * NEGATING
    if lower[place] == "no" and place + 1 < len(lower) and lower[place + 1] in lexicon:
        return 0.0
    return lexicon[lower[place]]


def _boosted(value: float, back: int, word: str, low: str, capitals: bool) -> float:
    """ "very", "hardly" and the like, the weaker the further back."""
    scalar = BOOSTERS.get(low, 0.0)
    if not scalar:
        return value
    scalar = -scalar if value < 0 else scalar
    if capitals and word.isupper():
        scalar += CAPITALS if value > 0 else -CAPITALS
    return value + scalar * DISTANCE[back]


def _negated(value: float, back: int, place: int, lower: list[str]) -> float:
    """ "not good" turns the sentiment, "never so good" strengthens it, "without doubt good" leaves it."""
    before, between = lower[place - back - 1], lower[place - back : place]
    if (before == "never" and between and between[0] in STRENGTHENING) or (back == 2 and between[1] in STRENGTHENING):
        return value * 1.25
    if before == "without" and "doubt" in between:
        return value
    return value * NEGATING if _negates(before) else value


def _negates(word: str) -> bool:
    return word in NEGATIONS or "n't" in word


@functools.cache
def _rules() -> Any:
    return vaderSentiment.SentimentIntensityAnalyzer()


def _bare(word: str) -> str:
    """A word without the punctuation around it; if no more than two letters remain, it may be an emoticon and stays."""
    stripped = word.strip(string.punctuation)
    return word if len(stripped) <= 2 else stripped


def _plain(text: str) -> str:
    """A text, emoji as their descriptions, spaced as VADER spaces them."""
    if text.isascii():
        return text
    emojis: Mapping[str, str] = _rules().emojis
    pieces: list[str] = []
    spaced = True
    for mark in text:
        if mark in emojis:
            pieces.append(emojis[mark] if spaced else f" {emojis[mark]}")
            spaced = False
        else:
            pieces.append(mark)
            spaced = mark == " "
    return "".join(pieces).strip()
