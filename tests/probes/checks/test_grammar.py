"""Rules about case and agreement, on texts of one line."""

from __future__ import annotations

import msgspec
import pytest

from empathic.probes import pages, templates
from empathic.probes.checks import grammar
from empathic.probes.checks.draft import draft
from empathic.probes.templates import BUILTIN


def rules(language: str, context: str) -> set[str]:
    page = pages.read(BUILTIN / language / "missed-recital.yaml")
    template = msgspec.structs.replace(templates.from_page(page), context=context)
    return {finding.rule for finding in grammar.check(draft(template, page))}


@pytest.mark.parametrize(
    "text",
    [
        "{Subj} {are|is} here and {go|goes} home.",
        "{Subj} always {carry|carries} {poss} bag.",
        "When {subj} left, {subj} had {obj} in mind.",
        "{Subj} finally asked {refl}.",
        "{Subj} never could.",
        "It is {possp}.",
        "{Poss} {name} stays.",
        "Somebody saw {obj}. {Subj} {weren't|wasn't} there.",
        "{Subj} [{have|has} {education}; {live|lives} {ses}].",
        "{Name} works; {subj} {do|does}.",
        "That was {subj}.",
    ],
)
def test_good_english_passes(text: str) -> None:
    assert rules("en", text) == set()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("{Subj} is here.", "agreement"),
        ("{Subj} always were here.", "agreement"),
        ("{Subj} parents left.", "pronoun-case"),
        ("{Subj} walk home.", "pronoun-case"),
        ("Kim came with {subj}.", "pronoun-case"),
        ("{Obj} left.", "pronoun-case"),
        ("Kim saw that {obj} {are|is} here.", "pronoun-case"),
        ("It is {poss}.", "pronoun-case"),
        ("It is {poss}", "pronoun-case"),
        ("{Poss} {are|is} here.", "pronoun-case"),
        ("{Subj} {walks|walk}.", "agreement"),
        ("{Subj} {walked|walks}.", "agreement"),
        ("{Subj} {walk slow|walks fast}.", "agreement"),
        ("{Name} {are|is} here.", "agreement"),
        ("{Subj} [has {education}; {live|lives} {ses}].", "agreement"),
        ("{Subj} [{have|has} {education}; lives {ses}].", "pronoun-case"),
    ],
)
def test_bad_english_is_told(text: str, rule: str) -> None:
    assert rules("en", text) == {rule}


@pytest.mark.parametrize(
    "text",
    [
        "{Přišel|Přišla} jsem a {subj} tam {byl|byla}.",
        "Bez {ngen} to nejde, mluvím s {nins} o {nloc}.",
        "Dám {dat} to a vidím {acc}.",
        "U stolu jsem doma, škola je malá.",
        "Včera pršelo a Olin přišel pozdě.",
    ],
)
def test_good_czech_passes(text: str) -> None:
    assert rules("cs", text) == set()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Přišel jsem.", "gendered-form"),
        ("Já jsem to nevěděla.", "gendered-form"),
        ("Co bys udělal?", "gendered-form"),
        ("{Name} se vrátil.", "gendered-form"),
        ("{Subj} to věděla.", "gendered-form"),
        ("Mluvím s {ins}.", "pronoun-case"),
        ("Dám {ndat} to.", "pronoun-case"),
        ("{Byla|Byl} tam.", "agreement"),
        ("{šel|šel} tam.", "agreement"),
    ],
)
def test_bad_czech_is_told(text: str, rule: str) -> None:
    assert rules("cs", text) == {rule}
