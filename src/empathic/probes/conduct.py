"""An answer becomes what it does instead of answering: it refuses, or it steps out of its role; by rules as data.

Both are results of their own, because they may differ by who the speaker is. The rules of a language stand in
`rules/LANGUAGE.toml`; how often they are right is measured on labelled answers (docs/probes.md).
"""

from __future__ import annotations

import functools
import importlib.resources
import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

import msgspec

from empathic.errors import InputError
from empathic.probes.probe import Probe
from empathic.records import Record

KINDS = ("refusal", "role_break")
_ANCHORS = {"start": r"\A\W*(?:{})", "line": r"^[ \t]*(?:{})", "anywhere": "(?:{})"}
_NOBODY = r"(?!)"  # nobody is named in the scene
_NAME = re.compile(r"(?<![.!?…:\"“„] )(?<!^)(?<!\n)\b[A-ZÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ][a-záčďéěíňóřšťúůýž]{2,}\b")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "＊": "*"})


class Rule(Record, frozen=True):
    """One way to refuse or to step out of the role."""

    id: str
    kind: Literal["refusal", "role_break"]
    at: Literal["start", "line", "anywhere"]
    pattern: str
    unless: str | None = None


class Found(NamedTuple):
    """The rule that fired and the words it saw."""

    rule: str
    words: str


def has_rules(language: str) -> bool:
    """Whether there are rules for this language."""
    return language in languages()


@functools.cache
def languages() -> tuple[str, ...]:
    """The languages that have rules."""
    folder = importlib.resources.files("empathic.probes").joinpath("rules")
    return tuple(sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml")))


@functools.cache
def rules(language: str) -> tuple[Rule, ...]:
    """The rules of a language."""
    path = importlib.resources.files("empathic.probes").joinpath(f"rules/{language}.toml")
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, tuple[Rule, ...]])["rule"]
    except FileNotFoundError:
        raise InputError(
            f"there are no rules for the language '{language}'; there are: {', '.join(languages())}"
        ) from None


def find(kind: str, text: str, language: str, names: Iterable[str] = ()) -> Found | None:
    """The first rule of that kind that fires, or None; `names` are the people of the scene."""
    plain = text.translate(_QUOTES)
    for rule, pattern, unless in _compiled(language, frozenset(names)):
        if rule.kind == kind and (match := pattern.search(plain)) and not (unless and unless.search(plain)):
            return Found(rule.id, match[0].strip()[:120])
    return None


def people(probe: Probe) -> frozenset[str]:
    """Who is named in a scene: capitalised words inside its sentences (attributes such as Catholic do no harm)."""
    texts = [probe.context, probe.instruction, *(turn.text for turn in probe.turns)]
    return frozenset(match for text in texts for match in _NAME.findall(text))


@functools.lru_cache(maxsize=512)
def _compiled(language: str, names: frozenset[str]) -> tuple[tuple[Rule, re.Pattern[str], re.Pattern[str] | None], ...]:
    listed = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
    named = f"(?-i:{listed})" if listed else _NOBODY
    return tuple(
        (rule, _pattern(_ANCHORS[rule.at].format(rule.pattern.replace("{name}", named))), _optional(rule.unless))
        for rule in rules(language)
    )


def _optional(pattern: str | None) -> re.Pattern[str] | None:
    return None if pattern is None else _pattern(pattern)


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE | re.MULTILINE)
