"""Responses of one system and their scores become what goes wrong: how often, and examples.

Stands with `pipeline` above the rooms: it reads the columns of several metrics. A pathology is flagged where its share
passes the threshold beside it; the thresholds are rules of thumb, the counts are what counts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from empathic.records import Response
from empathic.reports import Pathology

Row = Mapping[str, Any]
Rows = Mapping[tuple[str, str], Row]  # system and response → its scores
SHORTEST = 3  # words
COLUMNS = ("questions.generic", "miti.self_disclose", "fallacies.count", "miti.advise_without_permission")
_ROLE = re.compile(
    r"\bas an? (?:ai|artificial|language model|chatbot|virtual assistant)\b"
    r"|\bi(?:'m| am) (?:just )?an? (?:ai|language model|chatbot)\b"
    r"|^\s*(?:listener|assistant|bot|ai|system|speaker|user)\s*:"
    r"|\bhere(?:'s| is) (?:a|one) (?:possible )?(?:response|reply|rewording|revised)\b"
    r"|^\s*\*[^*]+\*|\bthe (?:listener|speaker|user) (?:would|says|responds)\b",
    re.IGNORECASE,
)


class Kind(NamedTuple):
    """One pathology: what it is called, why it matters, from which share on it is flagged, and the test of a response."""

    name: str
    meaning: str
    threshold: float
    holds: Callable[[Response, Row], bool]


def find(system: str, responses: Sequence[Response], rows: Rows) -> Iterator[Pathology]:
    """Every pathology of one system, also those that never occur (count 0)."""
    said = [each for each in responses if each.text]
    yield _repeated(system, said)
    for kind in KINDS:
        hits = [each for each in said if kind.holds(each, rows.get((system, each.id), {}))]
        flagged = bool(said) and len(hits) / len(said) > kind.threshold
        shown = [_short(each.text or "") for each in hits[:3]]
        yield Pathology(kind.name, kind.meaning, system, len(hits), len(said), flagged, shown)


def _repeated(system: str, said: Sequence[Response]) -> Pathology:
    """Responses whose exact words were said elsewhere too."""
    counts = Counter(_plain(each.text or "") for each in said)
    hits = sum(count for count in counts.values() if count > 1)
    words = {_plain(each.text or ""): each.text or "" for each in said}
    shown = [f"{count} × {_short(words[text])}" for text, count in counts.most_common(3) if count > 1]
    meaning = "the same words to different people: nobody is answered"
    return Pathology("repeats itself", meaning, system, hits, len(said), bool(said) and hits / len(said) > 0.25, shown)


def _number(row: Row, name: str) -> float:
    value = row.get(name)
    return float(value) if isinstance(value, int | float) else 0.0


def _generic_question(response: Response, row: Row) -> bool:
    return _number(row, "questions.generic") > 0


def _self_disclosure(response: Response, row: Row) -> bool:
    return response.polarity == "negative" and _number(row, "miti.self_disclose") > 0


def _fallacy(response: Response, row: Row) -> bool:
    return _number(row, "fallacies.count") > 0


def _advice(response: Response, row: Row) -> bool:
    return _number(row, "miti.advise_without_permission") > 0


def _copies(response: Response, row: Row) -> bool:
    last = response.turns[-1].text if response.turns else ""
    return bool(last) and _plain(response.text or "") == _plain(last)


def _too_short(response: Response, row: Row) -> bool:
    return len((response.text or "").split()) < SHORTEST


def _role_break(response: Response, row: Row) -> bool:
    return _ROLE.search(response.text or "") is not None


def _copies_reference(response: Response, row: Row) -> bool:
    return response.reference is not None and _plain(response.text or "") == _plain(response.reference)


COPIES, FALLACY = "equals the reference", "credibility fallacy"
KINDS = (
    Kind("says the prompt back", "an echo is no answer", 0.02, _copies),
    Kind(COPIES, "the reference itself, or a copy of it: overlap says nothing here", 0.1, _copies_reference),
    Kind("hardly says anything", f"fewer than {SHORTEST} words", 0.05, _too_short),
    Kind("generic question", "“What kind of …?” fits anything", 0.1, _generic_question),
    Kind("speaks of itself to someone in distress", "self-disclosure in a negative context turns the talk away", 0.2,
         _self_disclosure),
    Kind(FALLACY, "claims of an own life that a system cannot have lived", 0.02, _fallacy),
    Kind("advice without permission", "advising before understanding", 0.2, _advice),
    Kind("leaves its role", "speaks as an assistant or about the conversation instead of in it", 0.02, _role_break),
)  # fmt: skip


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= 140 else flat[:139] + "…"
