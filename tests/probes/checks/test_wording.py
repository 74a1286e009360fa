"""Rules about words, names, length and tidy sentences."""

from __future__ import annotations

import msgspec
import pytest

from empathic.probes import pages, templates
from empathic.probes.checks import wording
from empathic.probes.checks.draft import Text, draft
from empathic.probes.templates import BUILTIN

PAGE = pages.read(BUILTIN / "en" / "missed-recital.yaml")


def rules(**changes: object) -> set[str]:
    template = msgspec.structs.replace(templates.from_page(PAGE), **changes)
    return {finding.rule for finding in wording.check(draft(template, PAGE))}


@pytest.mark.parametrize(
    ("context", "rule"),
    [
        ("{Name} saw the manager.", None),  # words that only begin like a listed one
        ("{Name} has a hero.", None),
        ("{Name} saw a man.", "gendered-word"),
        ("{Name} and Sam’s sister.", "kinship"),
        ("{Name} met a Buddhist.", "identity-word"),
        ("{Name} swore: bullshit.", "profanity"),
        ("{Name} met John.", "name"),
        ("{Name} met Robin's friend.", "name"),
        ("{Name} waits. soon it rains.", "lower-case-start"),
        ("{Name} has an dog.", "article"),
        ("{Name} has a umbrella.", "article"),
        ("{Name} waits , and waits.", "untidy"),
        ("{Name} waits.. It rains.", "untidy"),
        ("{Name} waits... It rains.", None),
        ("“{Name} waits.” She", "gendered-word"),
    ],
)
def test_words_of_a_context(context: str, rule: str | None) -> None:
    assert rules(context=context) == ({rule} if rule else set())


def test_a_scene_that_is_long_in_all_is_told() -> None:
    answers = templates.from_page(PAGE).answers
    long = [msgspec.structs.replace(answer, text="word " * 49 + "end.") for answer in answers]
    turns = templates.from_page(PAGE).turns
    assert "too-long" in rules(answers=tuple(long), turns=turns * 3)


def test_what_stands_outside_masks_is_literal() -> None:
    assert wording.literal(Text(("context",), "A {subj} b [{age} c].")).split() == ["A", "b", "c", "."]
