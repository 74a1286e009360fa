"""A judge's text becomes one answer per item, or the reason why it cannot be read; nothing is repaired.

Read is: one JSON object (alone, in a code fence, or with prose around it) whose keys are the item ids, each with a
number that is one of the item's points. Everything else (two objects, a word for a number, "7/7", an unknown item) is
refused with a reason, so that the caller asks again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from empathic.judges.prompts import points
from empathic.records import Instrument, Item, Json

QUOTE, REASON, SCORE = "quote", "reason", "score"
LONGEST_QUOTE, LONGEST_REASON = 100, 140
FIELDS = {QUOTE, REASON, SCORE}


class Answer(NamedTuple):
    """What the judge said to one item: a value, or why there is none."""

    value: float | None
    missing: str | None = None
    reason: str = ""
    quote: str = ""


class Sheet(NamedTuple):
    """All answers of one call, or why the text as a whole cannot be read."""

    answers: Mapping[str, Answer]
    missing: str | None = None

    @property
    def complete(self) -> bool:
        return self.missing is None and all(answer.value is not None for answer in self.answers.values())

    @property
    def read(self) -> int:
        return sum(answer.value is not None for answer in self.answers.values())


class _Unreadable(Exception):
    """The text is no answer; the message says why."""


def schema(instrument: Instrument, items: tuple[Item, ...]) -> Json:
    """The JSON schema of an answer: every item in the order shown, the scale in its own points."""
    properties = {item.id: _item_schema(instrument, item) for item in items}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _item_schema(instrument: Instrument, item: Item) -> Json:
    scale = [_number(point.value) for point in points(instrument, item)]
    fields = {
        QUOTE: {"type": "string", "maxLength": LONGEST_QUOTE},
        REASON: {"type": "string", "maxLength": LONGEST_REASON},
        SCORE: {"type": "integer" if all(isinstance(point, int) for point in scale) else "number", "enum": scale},
    }
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _number(value: float) -> float | int:
    return int(value) if float(value).is_integer() else value


def read(text: str | None, instrument: Instrument) -> Sheet:
    """The answers in a judge's text."""
    try:
        found = _object(text or "")
        _refuse_unknown(found, instrument)
    except _Unreadable as error:
        return Sheet({item.id: Answer(None, str(error)) for item in instrument.items}, str(error))
    return Sheet({item.id: _answer(found, item, instrument) for item in instrument.items})


def _object(text: str) -> dict[str, Any]:
    """The one JSON object in a text."""
    if not text.strip():
        raise _Unreadable("the answer is empty")
    found = list(_objects(text))
    if not found:
        raise _Unreadable("the answer holds no JSON object")
    if len(found) > 1:
        raise _Unreadable(f"there are {len(found)} JSON objects, one was asked for")
    return found[0]


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The outermost JSON objects in a text; a brace that starts no valid object makes the whole unreadable."""
    decoder = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)
    place = text.find("{")
    while place >= 0:
        if text[:place].rstrip().endswith("["):
            raise _Unreadable("the answer is a list, one JSON object was asked for")
        try:
            found, place = decoder.raw_decode(text, place)
        except (json.JSONDecodeError, RecursionError):
            raise _Unreadable("the answer is no valid JSON") from None
        yield found
        place = text.find("{", place)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise _Unreadable(f"'{key}' is answered {keys.count(key)} times")
    return dict(pairs)


def _no_constant(word: str) -> None:
    raise _Unreadable(f"{word} is no number")


def _refuse_unknown(found: Mapping[str, Any], instrument: Instrument) -> None:
    known = {item.id for item in instrument.items}
    if not known & found.keys():
        raise _Unreadable("the answer names none of the items")
    for key in found:
        if key not in known:
            raise _Unreadable(f"'{key}' is no item")


def _answer(found: Mapping[str, Any], item: Item, instrument: Instrument) -> Answer:
    if item.id not in found:
        return Answer(None, "the item is not answered")
    given = found[item.id]
    if not isinstance(given, dict):
        given = {SCORE: given}
    if unknown := sorted(given.keys() - FIELDS):
        return Answer(None, f"'{unknown[0]}' is no part of an answer")
    if SCORE not in given:
        return Answer(None, "there is no score")
    problem = _problem(given[SCORE], item, instrument)
    reason, quote = (given.get(field) for field in (REASON, QUOTE))
    words = [text if isinstance(text, str) else "" for text in (reason, quote)]
    return Answer(None if problem else float(given[SCORE]), problem, *words)


def _problem(value: object, item: Item, instrument: Instrument) -> str | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return f"{json.dumps(value, ensure_ascii=False)[:60]} is no number"
    allowed = [point.value for point in points(instrument, item)]
    if value not in allowed:
        return f"{value:.6g} is no point of the scale ({', '.join(f'{point:g}' for point in allowed)})"
    return None
