"""A reply to a multiple-choice question becomes the place it chose, or the reason why none was: one rule for each case.

    ok          the letter alone, as asked: `C`, `(C)`, `C.`, `**C**`, or the letter with its own answer's text
    lenient     one letter, said otherwise: `c`, `C, because …`, `The answer is C`, reasoning first and the letter last,
                or the text of exactly one answer repeated
    ambiguous   two letters, or the letter of one answer with the text of another
    refusal     no letter, and the words of a refusal
    unparsed    anything else

What stands in <think> … </think> is not the answer. A reply that was never had has no outcome of these.
"""

from __future__ import annotations

import functools
import importlib.resources
import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import msgspec

from empathic.probes import conduct
from empathic.probes.asking import LETTERS
from empathic.records import Record

Outcome = Literal["ok", "lenient", "ambiguous", "refusal", "unparsed"]
OUTCOMES: tuple[Outcome, ...] = ("ok", "lenient", "ambiguous", "refusal", "unparsed")
SAME = 0.9  # share of an answer's words that must be there, in order, for its text to count as repeated
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)
_MARKS = re.compile(r"[*_`#>]+")
_SPACE = re.compile(r"[^\w]+")


class Parsed(NamedTuple):
    """What became of one reply."""

    outcome: Outcome
    place: int | None  # where the chosen answer stood, from 0
    rule: str  # which rule decided


class Ways(Record, frozen=True):
    """How a language names a chosen letter."""

    stated: tuple[str, ...]
    mentioned: tuple[str, ...]
    words: tuple[str, ...]
    because: str
    excluded: tuple[str, ...]
    several: tuple[str, ...]
    none: tuple[str, ...]


def parse(text: str, shown: Sequence[str], language: str = "en") -> Parsed:
    """The answer chosen in a reply; `shown` are the texts of the answers in the order they stood."""
    plain = _clean(text)
    for rule in (_alone, _lettered, _stated, _leading, _repeated, _mentioned):
        if (found := rule(plain, shown, language)) is not None:
            return found
    if conduct.has_rules(language) and (refused := conduct.find("refusal", plain, language)):
        return Parsed("refusal", None, refused.rule)
    return Parsed("unparsed", None, "no rule")


def _clean(text: str) -> str:
    """Without thoughts and marks of emphasis, wide letters as plain ones."""
    plain = unicodedata.normalize("NFKC", _THOUGHT.sub(" ", text)).replace("’", "'")
    return _MARKS.sub("", plain.replace("\\boxed{", "(").replace("}", ")")).strip()


def _alone(text: str, shown: Sequence[str], language: str) -> Parsed | None:
    match = re.fullmatch(rf"[\s\"'„“(\[]*([{_letters(shown)}])[\s\"'“”)\].:,!]*", text, re.IGNORECASE)
    if match is None:
        return None
    return Parsed("ok" if match[1].isupper() else "lenient", _place(match[1]), "letter alone")


def _lettered(text: str, shown: Sequence[str], language: str) -> Parsed | None:
    """`B) the text of an answer`: the letter and the text must be of one answer."""
    match = re.match(rf"[\s\"'(\[]*([{_letters(shown)}])[)\].:\s–—-]+(.+)", text, re.DOTALL)
    said = _said(match[2], shown) if match else set()
    if match is None or not said:
        return None
    if said != {match[1]}:
        return Parsed("ambiguous", None, "letter and text of different answers")
    place = _place(match[1])
    same = _plain(shown[place]) == _plain(match[2])
    return Parsed("ok" if same else "lenient", place, "letter with its text")


def _stated(text: str, shown: Sequence[str], language: str) -> Parsed | None:
    """What is said to be the choice, or a line with a letter alone (mostly the last one, after reasoning)."""
    letters = _letters(shown)
    ends = "" if _listing(text, shown) else r"[)\].:]?"  # in a list, `B)` with nothing behind it is no choice
    lines = re.findall(rf"^\s*(?:([{letters}])\.?{ends}|[(\[]([{letters}])[)\]])\s*$", text, re.MULTILINE)
    found = {*(one or other for one, other in lines), *_all(_ways(language).stated, text, shown, language)}
    return _one(found, "stated")


def _leading(text: str, shown: Sequence[str], language: str) -> Parsed | None:
    """A letter at the beginning, then something else; more letters right behind it make several."""
    letters = _letters(shown)
    second = rf"[)\]]?\s*(?:,|/|&|\+|or|and|nebo|anebo|a|či)\s*[(\[]?([{letters}])\b"
    both = re.match(rf"[\s\"'(\[]*([{letters}])(?:[)\].:]\s*\1)?{second}", text)
    if (both is not None and both[1] != both[2]) or _listing(text, shown):
        return Parsed("ambiguous", None, "two letters" if both else "several answers listed")
    match = re.match(rf"[\s\"'(\[]*([{letters}])([)\].:,;]|\s*[–—-]|\s*\n|\s)", text)
    if match is None or (match[1] in _ways(language).words and match[2].isspace() and "\n" not in match[2]):
        return None
    return Parsed("lenient", _place(match[1]), "letter first")


def _listing(text: str, shown: Sequence[str]) -> bool:
    """Whether the answers are listed again, each behind its letter."""
    return len(set(re.findall(rf"^\s*[(\[]?([{_letters(shown)}])[)\].:]", text, re.MULTILINE))) > 1


def _repeated(text: str, shown: Sequence[str], language: str) -> Parsed | None:
    return _one(_said(text, shown), "text repeated")


def _said(text: str, shown: Sequence[str]) -> set[str]:
    """The letters of the answers whose text is repeated."""
    said = f" {_plain(text)} "
    return {LETTERS[place] for place, option in enumerate(shown) if _contained(_plain(option).split(), said)}


def _contained(words: Sequence[str], said: str) -> bool:
    """Whether a run of nearly all the words is said; an answer that was cut off at the end still counts."""
    kept = max(1, round(len(words) * SAME))
    return len(words) > 2 and (f" {' '.join(words[:kept])} " in said or f" {' '.join(words[-kept:])} " in said)


def _mentioned(text: str, shown: Sequence[str], language: str) -> Parsed | None:
    ways = _ways(language)
    found = set(_all(ways.mentioned, text, shown, language))
    found -= set(_all(ways.excluded, text, shown, language))
    if found and any(re.search(pattern, text, re.IGNORECASE) for pattern in (*ways.several, *ways.none)):
        return Parsed("ambiguous" if len(found) > 1 else "unparsed", None, "all or none of them")
    return _one(found, "mentioned")


def _one(letters: set[str], rule: str) -> Parsed | None:
    if len(letters) > 1:
        return Parsed("ambiguous", None, "two letters")
    return Parsed("lenient", _place(letters.pop()), rule) if letters else None


def _all(patterns: Iterable[str], text: str, shown: Sequence[str], language: str) -> list[str]:
    """The letters that these patterns find; a letter that is also a word must not go on as one ("A friend …")."""
    ways = _ways(language)
    group = rf"(?-i:([{_letters(shown)}])(?:(?<![{''.join(ways.words)}])|(?!\s+\w)|(?=\s+(?:{ways.because})\b)))"
    found: list[str] = []
    for pattern in patterns:
        found += re.findall(pattern.replace("{x}", group), text, re.IGNORECASE | re.MULTILINE)
    return found


def _letters(shown: Sequence[str]) -> str:
    return LETTERS[: len(shown)]


def _place(letter: str) -> int:
    return LETTERS.index(letter.upper())


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text.casefold()).strip()


@functools.cache
def _ways(language: str) -> Ways:
    data = importlib.resources.files("empathic.probes").joinpath("choice.toml").read_bytes()
    known = msgspec.toml.decode(data, type=dict[str, Ways])
    return known.get(language, known["en"])
