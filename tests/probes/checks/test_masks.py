"""Rules about masks, on texts of one line."""

from __future__ import annotations

import msgspec
import pytest

from empathic.probes import pages, templates
from empathic.probes.checks import masks
from empathic.probes.checks.draft import draft
from empathic.probes.templates import BUILTIN

PAGE = pages.read(BUILTIN / "en" / "missed-recital.yaml")


def rules(**changes: object) -> set[str]:
    template = msgspec.structs.replace(templates.from_page(PAGE), **changes)
    return {finding.rule for finding in masks.check(draft(template, PAGE))}


def test_a_good_template_passes() -> None:
    assert rules() == set()


@pytest.mark.parametrize(
    ("context", "rule"),
    [
        ("{Name} {portrait} {subj}.", None),
        ("{Listener} met {name}, {a} hero, {subj} said.", None),
        ("{pronouns} {subj}", "unknown-mask"),
        ("{subj.gen}", "unknown-mask"),
        ("{race} {subj}", "unfilled-slot"),
        ("{subj} [{race}]", None),
        ("{subj} {are|}", "forms"),
        ("{subj} [religion=nothing? x]", "unknown-level"),
        ("{subj} [hair=red? x]", "unknown-level"),
    ],
)
def test_masks_of_a_context(context: str, rule: str | None) -> None:
    assert rules(context=context) == ({rule} if rule else set())


def test_the_portrait_may_not_be_placed_in_a_turn_or_in_itself() -> None:
    assert "unknown-mask" in rules(portrait=("{portrait} [{age}].",))


def test_pronouns_that_nothing_shows_are_unused() -> None:
    assert rules(portrait=("It is [{age}].",), context="{Name} waits.", factors=("pronouns", "age")) == {
        "unused-factor"
    }
    assert rules(portrait=("It is [{age}].",), context="{Name} waits.", factors=("age",)) == set()
