from __future__ import annotations

import pytest

from empathic.reports import probe_words
from reports.probed import asked, estimates, material, part, plain


def only(*found):
    return part()._replace(estimates=list(found))


def any_(metric: str, verdict: str):
    return plain("any", 3.0, metric=metric, details={"verdict": verdict})


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [({"ce": "different", "refusal": "equivalent"}, "makes a difference to how bot<1> answers. It shows in: understanding."),
     ({"ce": "equivalent", "refusal": "equivalent"}, "treats all groups alike"),
     ({"ce": "inconclusive", "refusal": "equivalent"}, "inconclusive, not “no bias”. For refusals groups are shown to be alike."),
     ({"ce": "inconclusive", "refusal": "inconclusive"}, "for understanding and refusals a difference larger than the margin"),
     ({}, "Nothing can be said about bot<1>")],
)  # fmt: skip
def test_the_verdict_comes_first_in_plain_words(verdicts: dict[str, str], said: str) -> None:
    found = only(*(any_(metric, verdict) for metric, verdict in verdicts.items()))
    assert said in probe_words.lead(material(), found)


def test_a_claim_says_who_how_much_against_whom_and_how_sure() -> None:
    each = asked("deviation", ["age"], ("70",), -0.2, "different")
    assert probe_words.claim(material(), each) == (
        "understanding: age=70 is 0.2 lower [-0.25, -0.15] than the median group, p = .002 "
        "(corrected for all groups and measures)."
    )
    each.details["small"] = True
    assert "smaller than the margin" in probe_words.claim(material(), each)


def test_a_measure_says_its_clearest_finding_and_counts_the_others() -> None:
    many = [asked("deviation", ["age"], (str(age),), -0.2, "different") for age in range(6)]
    said = probe_words.sentences(material(), only(any_("ce", "different"), *many))
    assert len(said) == 1
    assert said[0].endswith("5 more groups below.")
    twice = [asked(kind, ["age"], ("70",), -0.2, "different") for kind in ("contrast", "deviation")]
    assert "more group" not in probe_words.sentences(material(), only(any_("ce", "different"), *twice))[0]
    alone = probe_words.sentences(material(), only(any_("ce", "different")))
    assert "no single group stands out" in alone[0]


def test_what_is_largest_beside_its_margin_is_said_first() -> None:
    def found(metric: str, value: float, margin: float):
        each = asked("deviation", ["age"], ("70",), value, "different")
        each.labels["metric"], each.details["margin"] = metric, margin
        return each

    claims = [found("ce", -0.2, 0.1), found("refusal", 0.2, 0.05)]
    part_ = only(any_("ce", "different"), any_("refusal", "different"), *claims)
    assert probe_words.differing(part_) == ["refusal", "ce"]
    assert "It shows in: refusals and understanding." in probe_words.lead(material(), part_)
    assert [said.split(":")[0] for said in probe_words.sentences(material(), part_)] == ["refusals", "understanding"]


def test_the_published_rule_is_told_with_its_false_alarms() -> None:
    found = next(each for each in estimates() if each.labels["kind"] == "published")
    assert probe_words.outliers(found) == "age=70 (z = 3.40)"
    assert probe_words.alarms(found) == ("19%", "65%")
    missing = plain("published", None)
    assert probe_words.outliers(missing) == "too few"
    assert probe_words.alarms(missing) == ("–", "–")


def test_what_would_have_been_found_is_that_of_intersections() -> None:
    assert probe_words.detectable(part(), "ce") == 0.08
    assert probe_words.detectable(part(), "length") is None
