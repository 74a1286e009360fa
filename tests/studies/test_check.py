"""The look before people come: numbers by hand, and every finding once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from empathic.studies import check
from empathic.studies.design import Plan


def findings(plan: Plan) -> dict[str, str]:
    return {each.about: each.text for each in check.check(plan).findings}


def test_the_numbers_are_those_of_the_design(make_plan: Callable[..., Plan]) -> None:
    payment = {"amount": 2.0, "minutes": 10}
    numbers = check.check(make_plan(count=8, raters=3, payment=payment)).numbers
    assert numbers["participants"] == 2 * 4 * 3
    assert numbers["conditions"] == ["human", "model"]
    assert numbers["cost"] == 48.0
    assert numbers["pay_per_hour"] == pytest.approx(2.0 / numbers["minutes"] * 60, rel=0.05)


def test_a_counterbalance_that_cannot_come_out_is_said(make_plan: Callable[..., Plan]) -> None:
    plan = make_plan("ieval", count=4, raters=1)
    assert check.check(plan).numbers["orders"] == 12
    assert "cannot be divided evenly over 12 orders" in findings(plan)["raters"]
    assert "raters" not in findings(make_plan("ieval", count=4, raters=3))


def test_the_overlap_of_observers_is_shown(make_plan: Callable[..., Plan]) -> None:
    numbers = check.check(make_plan("observer", count=3, per_rater=6, raters=3)).numbers
    assert numbers["raters_per_pair"] == {"fewest": 3, "most": 3}


@pytest.mark.parametrize(
    ("changes", "about", "text"),
    [
        ({"debrief": ""}, "debrief", "is empty"),
        ({}, "consent.text", "has only 7 words"),
        ({"checks": [{"id": "a", "text": "?", "expect": 1, "page": 9}]}, "checks.a", "never shown"),
        ({"checks": [{"id": "a", "text": "?", "expect": 9, "page": 0}]}, "checks.a", "9 is no point"),
        ({"payment": {"amount": 1, "minutes": 0.5}}, "payment.minutes", "says 0.5 minutes"),
        ({"payment": {"amount": 1, "minutes": 50}, "lease_minutes": 20}, "lease_minutes", "waits 20 minutes"),
        ({"balance": {"gender": ["female", "male"]}}, "balance", "screened out"),
        ({"platform": {"kind": "url", "redirect": "https://x.example"}}, "platform.redirect", "no {code}"),
        (
            {"codes": {"complete": "A", "screened_out": "LONGER-1", "failed": "LONGER-2", "withdrawn": "LONGER-3"}},
            "codes.complete",
            "guessed",
        ),
    ],
)
def test_what_should_be_looked_at_is_found(
    make_plan: Callable[..., Plan], changes: dict[str, Any], about: str, text: str
) -> None:
    assert text in findings(make_plan(**changes))[about]


def test_the_reading_grade_is_that_of_the_formula() -> None:
    """Flesch–Kincaid by hand: 6 words, 1 sentence, 6 syllables: 0.39·6 + 11.8·1 − 15.59 = −1.45."""
    assert check.reading_grade("The cat sat on the mat.") == pytest.approx(-1.45)
    hard = "Participation necessitates comprehensive acknowledgement of institutional confidentiality obligations."
    assert check.reading_grade(hard) > 20
    assert check.reading_grade("") == 0.0


def test_a_longer_study_is_expected_to_take_longer(make_plan: Callable[..., Plan]) -> None:
    assert check.expected_minutes(make_plan(batch=4)) > check.expected_minutes(make_plan(batch=2))
    assert check.expected_minutes(make_plan("ieval", turns=9)) > check.expected_minutes(make_plan("ieval")) + 10


def test_what_is_compared_is_said_in_words(make_plan: Callable[..., Plan]) -> None:
    lines = [check.conditions_line(make_plan(design)) for design in ("between", "ieval", "observer")]
    assert lines == ["8 responses of human, model", "3 chatbots in 8 scenarios", "8 transcripts, each rated by 3"]
