"""Responses of a reference system become the references of others, matched by what was said before them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from empathic.records import Response, Turn

_EXPANSIONS = (
    (re.compile(r"\b(wo|sha) ?n ?['’]? ?t\b"), r"\1"),
    (re.compile(r"\bcan ?['’] ?t\b|\bca n['’]t\b|\bcannot\b"), "can not"),
    (re.compile(r" ?n ?['’] ?t\b"), " not"),
    (re.compile(r" ?['’] ?m\b"), " am"),
    (re.compile(r" ?['’] ?re\b"), " are"),
    (re.compile(r" ?['’] ?ve\b"), " have"),
    (re.compile(r" ?['’] ?ll\b"), " will"),
    (re.compile(r" ?['’] ?d\b"), " would"),
    (re.compile(r"\b(it|that|what|he|she|there|here|who|how|where|when|why|let) ?['’] ?s\b"), r"\1 is"),
)
_NOT_A_WORD = re.compile(r"[\W_]+")


def prompt_key(turns: Iterable[Turn]) -> str:
    """The same for the same turns, however they are spaced, cased, punctuated and contracted."""
    return "\n".join(_bare(turn.text) for turn in turns)


def _bare(text: str) -> str:
    text = text.lower()
    if "'" in text or "’" in text:
        for pattern, expanded in _EXPANSIONS:
            text = pattern.sub(expanded, text)
    return _NOT_A_WORD.sub("", text)


class References:
    """What one system said, by prompt: all turns, or the last one for files that keep only that.

    A prompt that comes several times is matched in the order of its coming.
    """

    def __init__(self, responses: Iterable[Response]) -> None:
        self.by_prompt: dict[str, list[str | None]] = {}
        self.by_last: dict[str, list[str | None]] = {}
        for response in responses:
            self.by_prompt.setdefault(prompt_key(response.turns), []).append(response.text)
            self.by_last.setdefault(prompt_key(response.turns[-1:]), []).append(response.text)

    def attach(self, responses: Iterable[Response], system: str) -> Iterator[Response]:
        """Responses with their reference filled in; those of the reference system itself get none."""
        seen: Counter[tuple[str, str]] = Counter()
        for response in responses:
            found = None if response.system == system else self._next(response, seen)
            yield response if found is None else msgspec.structs.replace(response, reference=found)

    def _next(self, response: Response, seen: Counter[tuple[str, str]]) -> str | None:
        key = prompt_key(response.turns)
        answers = self.by_prompt.get(key)
        if answers is None:
            key = prompt_key(response.turns[-1:])
            answers = self.by_last.get(key, [])
        place = seen[response.system, key]
        seen[response.system, key] += 1
        return answers[place] if place < len(answers) else None
