"""Texts become VADER's compound sentiment, −1…1 (Hutto & Gilbert 2014), by its own rules and tables.

The package vaderSentiment gives lexicon and tables; its code lower-cases a whole text again for every rule and word.
Here each rule looks at the words it is about. The numbers are the same (a test compares thousands of texts).
"""

from __future__ import annotations

import functools
import math
import string
from collections.abc import Mapping, Sequence
from typing import Any

from vaderSentiment import vaderSentiment

from empathic.contracts import Column, Texts
from empathic.registry import register

NEGATING: float = vaderSentiment.N_SCALAR
CAPITALS: float = vaderSentiment.C_INCR
BOOSTERS: dict[str, float] = vaderSentiment.BOOSTER_DICT
DISTANCE = (1.0, 0.95, 0.9)
STRENGTHENING = frozenset(("so", "this"))
# the longest word of each idiom: a text without any of them has no idiom
IDIOMATIC = frozenset(
    max(phrase.split(), key=len) for phrase in (*vaderSentiment.SPECIAL_CASES, *BOOSTERS) if " " in phrase
)
ACTIVE = IDIOMATIC | STRENGTHENING | {*BOOSTERS, "no", "or", "nor", "never", "without", "doubt", "least", "but", "kind"}
VALUED, ACTING, SHOUTED = 1, 2, 4
UNVALUED, INERT = frozenset((0, ACTING, SHOUTED, ACTING + SHOUTED)), frozenset((0, VALUED))
LARGEST_MEMORY = 200_000


@register("metric", "sentiment")
class Sentiment:
    """VADER's compound sentiment of the response and of the utterance it answers, −1…1."""

    columns = (
        Column(name="response", low=-1, high=1),
        Column(name="prompt", low=-1, high=1),
    )

    def score(self, batch: Texts) -> Mapping[str, Sequence[float]]:
        """The compound score of each text."""
        return {
            "response": [compound(text) for text in batch.texts],
            "prompt": [compound(text) for text in batch.prompts],
        }


class _Memory(dict[str, tuple[str, str, int]]):
    """Chunk → the word, the same in lower case, and what it is: VALUED, ACTING on others, SHOUTED."""

    def __missing__(self, chunk: str) -> tuple[str, str, int]:
        if len(self) >= LARGEST_MEMORY:
            self.clear()
        word = _bare(chunk)
        low = word.lower()
        acts = low in ACTIVE or _negates(low)
        kind = VALUED * (low in _rules().lexicon) + ACTING * acts + SHOUTED * word.isupper()
        found = self[chunk] = (word, low, kind)
        return found


_memory = _Memory()


@functools.lru_cache(maxsize=1 << 16)
def compound(text: str) -> float:
    """S / √(S² + 15), S the sum of the words' sentiments and of what punctuation adds; rounded to 4 decimals."""
    plain = text if text.isascii() else _emoji_as_words(text, _rules().emojis)
    found = list(map(_memory.__getitem__, plain.split()))
    kinds = [kind for _, _, kind in found]
    present = set(kinds)
    if present <= UNVALUED:
        return 0.0
    if present <= INERT:
        lexicon = _rules().lexicon
        return float(round(_normal(sum(lexicon[low] for _, low, kind in found if kind), plain), 4))
    total = _total([word for word, _, _ in found], [low for _, low, _ in found], kinds)
    return float(round(_normal(total, plain), 4))


def _total(words: list[str], lower: list[str], kinds: list[int]) -> float:
    """The sum of the words' sentiments, each changed by the words around it that act on others."""
    lexicon, values = _rules().lexicon, [0.0] * len(words)
    shouted = sum(kind >= SHOUTED for kind in kinds)
    capitals = 0 < shouted < len(kinds)
    for place in [place for place, kind in enumerate(kinds) if kind & VALUED]:
        if lower[place] in BOOSTERS or lower[place : place + 2] == ["kind", "of"]:
            continue
        alone = INERT.issuperset(kinds[max(0, place - 3) : place + 3])
        values[place] = lexicon[lower[place]] if alone else _word(place, words, lower, capitals)
    return float(sum(_rules()._but_check(words, values) if "but" in lower else values))


def _normal(total: float, text: str) -> float:
    if total:
        total += math.copysign(_emphasis(text.count("!"), text.count("?")), total)
    return total / math.sqrt(total * total + 15)


def _emphasis(exclamations: int, questions: int) -> float:
    """What punctuation adds: .292 per exclamation mark up to four, .18 per question mark from two on, at most .96."""
    asked = 0.0 if questions < 2 else questions * 0.18 if questions <= 3 else 0.96
    return min(exclamations, 4) * 0.292 + asked


def _word(place: int, words: list[str], lower: list[str], capitals: bool) -> float:
    """The sentiment of one word, given the three before it."""
    lexicon = _rules().lexicon
    value: float = _own(place, lower, lexicon)
    if capitals and words[place].isupper():
        value += CAPITALS if value > 0 else -CAPITALS
    for back in range(min(place, 3)):
        if lower[place - back - 1] not in lexicon:
            value = _boosted(value, back, words[place - back - 1], lower[place - back - 1], capitals)
            value = _negated(value, back, place, lower)
            if back == 2 and not IDIOMATIC.isdisjoint(lower[place - 3 : place + 3]):
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


@functools.lru_cache(maxsize=1 << 14)
def _negates(word: str) -> bool:
    return bool(vaderSentiment.negated([word]))


@functools.cache
def _rules() -> Any:
    return vaderSentiment.SentimentIntensityAnalyzer()


def _bare(word: str) -> str:
    """A word without the punctuation around it; if no more than two letters remain, it may be an emoticon and stays."""
    stripped = word.strip(string.punctuation)
    return word if len(stripped) <= 2 else stripped


def _emoji_as_words(text: str, emojis: Mapping[str, str]) -> str:
    """Emoji as their descriptions, spaced as VADER spaces them."""
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
