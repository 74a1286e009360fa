"""Rules about answers, evidence and the causal tuple."""

from __future__ import annotations

import msgspec
import pytest

from empathic.probes import pages, templates
from empathic.probes.checks import answers
from empathic.probes.checks.draft import draft
from empathic.probes.probe import Option
from empathic.probes.templates import BUILTIN
from empathic.records import Turn

PAGE = pages.read(BUILTIN / "en" / "missed-recital.yaml")
TEMPLATE = templates.from_page(PAGE)


def rules(**changes: object) -> list[str]:
    return [finding.rule for finding in answers.check(draft(msgspec.structs.replace(TEMPLATE, **changes), PAGE))]


def test_a_good_template_passes() -> None:
    assert rules() == []


@pytest.mark.parametrize(
    ("one", "other", "share"),
    [("a b c", "a b c", 1.0), ("a b c", "A b d", 0.5), ("a", "b", 0.0), ("", "", 1.0), ("a b c d", "a b c e", 0.6)],
)
def test_the_jaccard_index_counts_shared_words(one: str, other: str, share: float) -> None:
    assert answers.jaccard(one, other) == pytest.approx(share)


def test_two_answers_that_differ_in_one_word_are_nearly_the_same() -> None:
    first = TEMPLATE.answers[0]
    twin = Option(kind="empathetic", text=first.text.replace("peace", "rest"))
    assert rules(answers=(first, twin, *TEMPLATE.answers[2:])) == ["near-duplicate"]


def test_each_kind_is_there_once() -> None:
    assert rules(answers=TEMPLATE.answers[1:]) == ["missing-kind"]
    again = Option(
        kind="affective",
        text="Quite another answer, of much the same length as all of the others are, so that only its kind is wrong.",
    )
    assert rules(answers=(*TEMPLATE.answers, again)) == ["double-kind"]


def test_evidence_must_stand_in_what_the_system_sees_for_every_pronoun() -> None:
    assert rules(evidence=()) == ["evidence"]
    assert rules(evidence=("his shift overran",)) == ["evidence"], "true of one pronoun set only"
    assert rules(evidence=("{Poss} shift overran",)) == []
    assert rules(evidence=("{nothing} overran",)) == [], "the rules about masks speak of this"


def test_cause_and_explanation_are_needed() -> None:
    assert rules(cause=("only one",)) == ["cause"]
    assert rules(cause=("one", " ")) == ["cause"]
    assert rules(explanation=" ") == ["explanation"]


def test_the_speaker_has_the_last_word_and_turns_alternate() -> None:
    assert rules(turns=TEMPLATE.turns[:-1], evidence=TEMPLATE.evidence[:2]) == ["last-turn"]
    assert rules(turns=(Turn(role="speaker", text="Oh."), *TEMPLATE.turns[1:])) == ["turns"]
