"""What was said becomes a question by keywords and patterns, after Weizenbaum (1966); the script is eliza.toml.

Weizenbaum, J. (1966). ELIZA: a computer program for the study of natural language communication between man and
machine. Communications of the ACM 9(1), 36–45. Keywords are ranked, the best one's patterns take the sentence apart,
and the parts are put together anew with persons exchanged.
"""

from __future__ import annotations

import importlib.resources
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from empathic import files
from empathic.contracts import Reply, Request
from empathic.records import Record
from empathic.registry import register
from empathic.systems.base import Simple

_WORD = re.compile(r"[a-z']+")
_CLAUSE = re.compile(r"[.!?;,:]+|\bbut\b")
_PART = re.compile(r"\((\d)\)")


class Pattern(Record, frozen=True):
    """How a clause is taken apart, and the answers made of its parts, used in turn."""

    match: str
    say: tuple[str, ...]


class Keyword(Record, frozen=True):
    """Words that call up patterns; `@group` stands for the words of a group."""

    words: tuple[str, ...]
    rank: int
    patterns: tuple[Pattern, ...]


class Script(Record, frozen=True):
    """The whole script: substitutions before and after, groups of words, keywords, and what to say when none fits."""

    greeting: tuple[str, ...]
    fallback: tuple[str, ...]
    before: dict[str, str]
    after: dict[str, str]
    groups: dict[str, tuple[str, ...]]
    keyword: tuple[Keyword, ...]


@register("system", "builtin/eliza")
class Eliza(Simple):
    """An ELIZA written for this project: keywords, patterns, exchanged persons, no memory beyond the dialogue."""

    name = "builtin/eliza"

    def __init__(self, script: Script | None = None) -> None:
        self.script = script or load_script()
        self._rules = [(keyword, self._words(keyword)) for keyword in self.script.keyword]
        self._patterns = {
            pattern.match: self._compile(pattern.match) for keyword, _ in self._rules for pattern in keyword.patterns
        }

    def settings(self) -> Mapping[str, Any]:
        return {"system": self.name, "version": 1, "script": files.content_hash(self.script)}

    async def respond(self, request: Request) -> Reply:
        said = [turn.text for turn in request.turns if turn.role == "speaker"]
        return Reply(text=self.talk(said)[-1])

    def talk(self, said: Sequence[str]) -> list[str]:
        """The answers to what a speaker said, turn by turn; a rule's answers are used in turn within a dialogue."""
        used: Counter[str] = Counter()
        return [self._answer(text, used) for text in said]

    def _answer(self, text: str, used: Counter[str]) -> str:
        if not _WORD.search(text.lower()):
            return _next("greeting", self.script.greeting, used)
        for _, clause, keyword in self._candidates(text):
            for pattern in keyword.patterns:
                match = self._patterns[pattern.match].fullmatch(clause)
                if match and _fills(pattern, match):
                    answer = _next(pattern.match + pattern.say[0], pattern.say, used)
                    return self._assembled(answer, match)
        return _next("fallback", self.script.fallback, used)

    def _candidates(self, text: str) -> list[tuple[int, str, Keyword]]:
        """Clauses with the keywords they hold, the highest rank first, earlier clauses before later ones."""
        found = [
            (keyword.rank, clause, keyword)
            for clause in self._clauses(text)
            for keyword, words in self._rules
            if words.intersection(clause.split())
        ]
        return sorted(found, key=lambda candidate: -candidate[0])

    def _clauses(self, text: str) -> Iterator[str]:
        for clause in _CLAUSE.split(text.lower().replace("’", "'")):
            words = _WORD.findall(clause)
            if words:
                yield " ".join(self.script.before.get(word, word) for word in words)

    def _words(self, keyword: Keyword) -> frozenset[str]:
        groups = self.script.groups
        return frozenset(
            word for name in keyword.words for word in (groups[name[1:]] if name.startswith("@") else (name,))
        )

    def _compile(self, match: str) -> re.Pattern[str]:
        parts = []
        for word in match.split():
            if word == "*":
                parts.append(r"(.*?)")
            elif word.startswith("@"):
                parts.append("(" + "|".join(map(re.escape, self.script.groups[word[1:]])) + ")")
            else:
                parts.append(rf"\b{re.escape(word)}\b")
        return re.compile(r"\s*".join(parts))

    def _assembled(self, answer: str, match: re.Match[str]) -> str:
        return _PART.sub(lambda part: self._exchanged(match.group(int(part[1]))), answer)

    def _exchanged(self, words: str) -> str:
        return " ".join(self.script.after.get(word, word) for word in words.split())


def load_script() -> Script:
    """The script that comes with the package."""
    data = importlib.resources.files("empathic.systems").joinpath("eliza.toml").read_bytes()
    return msgspec.toml.decode(data, type=Script)


def _fills(pattern: Pattern, match: re.Match[str]) -> bool:
    """Whether every part that an answer of the pattern repeats has words in it."""
    return all(match.group(int(part)).strip() for answer in pattern.say for part in _PART.findall(answer))


def _next(rule: str, answers: Sequence[str], used: Counter[str]) -> str:
    answer = answers[used[rule] % len(answers)]
    used[rule] += 1
    return answer
