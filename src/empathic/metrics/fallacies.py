"""A response becomes the credibility fallacies in it: claims of an own life that a system cannot have lived.

The tenth item of the ESHCC (Concannon & Tomalin, 2023) asks whether a system avoids claims about its own personal
experience that are blatantly implausible. "It often helps me when I can't sleep" is one, "Some people say it can help"
is not. The rules are data (`fallacies.toml`); each finding names the rule and the words that triggered it. A feeling
for the other ("I'm so happy for you") is no claim of experience and is never reported.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from empathic.contracts import Column, Texts
from empathic.metrics.coded import coded_responses
from empathic.metrics.ragged import segment_sum
from empathic.registry import register

_DATA = Path(__file__).with_suffix(".toml")
_SENTENCE = re.compile(r"[^.!?\n…]+[.!?…]*")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|‘[^’]*’(?!\w)|(?<!\w)'[^']*'(?!\w)")
_APOSTROPHE = re.compile(r"\s*['’`]\s*(?=(?:m|ve|d|ll|re|s|t)\b)|(?<=n)\s+(?=['’`]\s*t\b)")
_ROLE_COMMA = re.compile(r"(\bas an? [a-z -]{2,30}|\bhaving [a-z ]{2,60}), i ")
_FIRST_PERSON = re.compile(r"\b(?:i|my|me|we|our|us|myself|same|mine|been|tried|grew|lost|having)\b", re.IGNORECASE)
_OWN = re.compile(r"\b(?:my|i've|i had|me)\b")
_QUOTE, _MARK = re.compile("[“\"‘']"), re.compile("['’`]")  # without one of these nothing is quoted, or split
REMEMBERED = 20_000  # sentences: systems say many again and again
_MAY_SPLIT = re.compile("[,;:—–-]|but|though|however")  # without one of these a sentence is one clause
_CLAUSE = re.compile(r"\s*(?:[,;:—]|\s[-–]\s|\bbut\b|\bthough\b|\bhowever\b)\s*")


class Fallacy(NamedTuple):
    """One implausible claim: the sentence, the words that gave it away, and the rule."""

    sentence: str
    words: str
    rule: str


class _Rules(NamedTuple):
    rules: tuple[tuple[str, re.Pattern[str]], ...]
    some: re.Pattern[str]  # any of the rules: most clauses break none, and are looked at once instead of once per rule
    exceptions: tuple[re.Pattern[str], ...]  # a clause with one of these holds no claim
    harmless: re.Pattern[str]  # words taken out of a clause before it is judged


def find(text: str) -> tuple[Fallacy, ...]:
    """The fallacies of a response, at most one per sentence."""
    unquoted = _QUOTED.sub(_blank, text) if _QUOTE.search(text) else text
    if unquoted == text:
        found = [_judge(sentence, sentence) for sentence in map(str.strip, _SENTENCE.findall(text))]
    else:
        spans = [match.span() for match in _SENTENCE.finditer(unquoted)]
        found = [_judge(text[start:end].strip(), unquoted[start:end].strip()) for start, end in spans]
    return tuple(filter(None, found))


def _blank(quoted: re.Match[str]) -> str:
    return " " * len(quoted.group())


def speaks_of_itself(text: str) -> bool:
    """Whether a text has a word without which nothing in it can be a claim."""
    return _FIRST_PERSON.search(text) is not None


@functools.lru_cache(maxsize=REMEMBERED)
def _judge(sentence: str, unquoted: str) -> Fallacy | None:
    if not speaks_of_itself(unquoted) or (unquoted.endswith("?") and not _OWN.search(unquoted.lower())):
        return None
    for clause in _clauses(unquoted):
        claim = _claim(clause)
        if claim is not None:
            return Fallacy(sentence, *claim)
    return None


def _claim(clause: str) -> tuple[str, str] | None:
    """The words of a clause that claim something, and the rule that says so; what is reported or disclaimed is none."""
    rules = _rules()
    plain = rules.harmless.sub(" ", clause)
    if not rules.some.search(plain) or any(pattern.search(clause) for pattern in rules.exceptions):
        return None
    matches = ((rule, pattern.search(plain)) for rule, pattern in rules.rules)
    return next((match.group().strip(), rule) for rule, match in matches if match is not None)


def _clauses(sentence: str) -> list[str]:
    """The clauses of a sentence in lower case, clitics joined to their words."""
    plain = _APOSTROPHE.sub("'", sentence).replace("’", "'") if _MARK.search(sentence) else sentence
    plain = plain.lower()
    if not _MAY_SPLIT.search(plain):
        return [plain]
    return _CLAUSE.split(_ROLE_COMMA.sub(r"\1 i ", plain) if ", i " in plain else plain)


@functools.cache
def _rules() -> _Rules:
    content = tomllib.loads(_DATA.read_text(encoding="utf-8"))
    rules = tuple((rule["id"], re.compile(_filled(rule["pattern"], content["words"]))) for rule in content["rules"])
    some = re.compile("|".join(pattern.pattern for _, pattern in rules))
    exceptions = tuple(re.compile(_filled(rule["pattern"], content["words"])) for rule in content["exceptions"])
    harmless = re.compile("|".join(rule["pattern"] for rule in (*content["harmless"], *content["softened"])))
    return _Rules(rules, some, exceptions, harmless)


def _filled(pattern: str, words: dict[str, str]) -> str:
    for name, alternatives in words.items():
        pattern = pattern.replace(f"{{{name}}}", alternatives)
    return pattern


@register("metric", "fallacies")
class Fallacies:
    """How many sentences claim an own life that a system cannot have lived, and which words say so."""

    columns = (
        Column(name="count", low=0, better="lower", summary="sentences with an implausible claim"),
        Column(name="evidence", text=True, summary="the words that gave each away"),
    )

    def score(self, batch: Texts) -> Mapping[str, Sequence[float | str | None]]:
        """Counts and evidence per response."""
        chunks = batch.view(coded_responses).chunks
        telling = chunks.memory.chunks.column(speaks_of_itself, bool)[chunks.ids]
        asked = segment_sum(telling, chunks.starts).tolist()
        found = [find(text) if count else () for text, count in zip(batch.texts, asked, strict=True)]
        return {
            "count": [len(each) for each in found],
            "evidence": [_evidence(each) for each in found],
        }


def _evidence(found: tuple[Fallacy, ...]) -> str | None:
    return "; ".join(f"{fallacy.words} ({fallacy.rule})" for fallacy in found) or None
