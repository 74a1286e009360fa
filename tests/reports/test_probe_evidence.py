from __future__ import annotations

import msgspec

from empathic.reports import probe_evidence
from reports.probed import EVIL, asked, material, part, plain


def test_places_show_a_share_each_and_what_places_do() -> None:
    text = probe_evidence.places(part(), 0)
    assert text.count('class="dot"') == 5
    assert "No preference for a place is established: χ² = 2, p = .300 (A 5, B 4, C 3, D 2, E 1)." in text
    assert "Understanding if places did nothing: 0.800 [0.1, 0.3]; by chance 0.2." in text
    assert "Kinds of answer chosen: empathetic 80%, x 20%." in text


def test_without_choices_places_say_so() -> None:
    nothing = part()._replace(estimates=[])
    assert "No choice was made" in probe_evidence.places(nothing, 0)


def test_refusals_are_told_for_every_group_and_marked_where_they_differ() -> None:
    text = probe_evidence.refusals(part(), 0)
    assert "30.0%" in text
    assert text.count('class="verdict different"') == 1
    assert "2 of 50" in text
    assert "not measured" in probe_evidence.refusals(part()._replace(estimates=[]), 0)


def test_a_rate_that_is_the_same_in_every_template_has_no_interval() -> None:
    none = asked("mean", ["age"], ("30",), 0.0, "", "refusal")
    still = msgspec.structs.replace(none, low=0.0, high=0.0)
    text = probe_evidence.refusals(part()._replace(estimates=[still]), 0)
    assert '0.0% <span class="interval">of 20</span>' in text


def test_spread_leaves_out_what_is_not_tested_and_says_so() -> None:
    text = probe_evidence.spread(material(), part(), 0)
    assert "refusals is not tested: too few" in text
    assert text.count("<tr>") == 2
    assert "No difference in spread is established" in text
    assert "<table" not in probe_evidence.spread(material(), part()._replace(estimates=[]), 0)


def test_spread_that_differs_is_a_sentence() -> None:
    wide = [msgspec.structs.replace(plain("spread", 1.7, factor="age"), p_adjusted=0.01)]
    text = probe_evidence.spread(material(), part()._replace(estimates=wide), 0)
    assert "understanding by age: standard deviations differ by a factor of up to 1.7, p = .010." in text


def test_what_is_missing_is_counted_and_its_reason_escaped() -> None:
    text = probe_evidence.missing(material(), part(), 0)
    assert "3 of 100" in text
    assert EVIL not in text
    assert "No value is missing" in probe_evidence.missing(material(), part()._replace(lost=[]), 0)


def test_controls_stand_beside_the_mean_of_all_groups() -> None:
    assert "no attribute" in probe_evidence.controls(material(), part(), 0)
    assert "No controls" in probe_evidence.controls(material(), part()._replace(estimates=[]), 0)


def test_shifts_of_the_measures_are_shown() -> None:
    assert "0.02" in probe_evidence.shifts(material())
    assert "not looked at" in probe_evidence.shifts(material()._replace(shifts=[]))
    still = [
        material().shifts[0].__class__(name="m", value=0.0, method="how", labels={"metric": "ce", "factor": "age"})
    ]
    assert "No measure moves" in probe_evidence.shifts(material()._replace(shifts=still))


def test_two_answers_stand_side_by_side_with_their_differences_marked() -> None:
    text = probe_evidence.examples(part(), 0)
    assert "Oh <mark>no</mark> <mark>&lt;script&gt;alert(1)&lt;/script&gt;</mark>" in text
    assert "Rowan is <mark>70</mark>" in text
    assert "missing: timeout" in text
    assert "length 3" in text
    assert "No two answers" in probe_evidence.examples(part()._replace(pairs=[]), 0)
