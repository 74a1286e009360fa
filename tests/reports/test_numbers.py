from __future__ import annotations

from empathic.records import Estimate
from empathic.reports.numbers import interval, number, p_value, spoken


def test_numbers_have_three_digits_and_missing_is_a_dash() -> None:
    assert [number(value) for value in (0.12345, 12.345, 37925.0, 0.0, None)] == ["0.123", "12.3", "37925", "0", "–"]


def test_an_interval_is_printed_whole_or_not_at_all() -> None:
    assert interval(Estimate(name="x", value=1, low=0.5, high=1.5, method="m")) == "[0.5, 1.5]"
    assert interval(Estimate(name="x", value=1, method="m")) == ""


def test_p_values_are_as_journals_print_them() -> None:
    assert [p_value(p) for p in (0.0001, 0.0312, 1.0, None)] == ["< .001", ".031", "1", "–"]


def test_a_metric_is_spoken_in_words() -> None:
    assert spoken("word_choice.no_word") == "word choice: no word"
    assert spoken("specificity") == "specificity"
