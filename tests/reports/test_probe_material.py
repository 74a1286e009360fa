from __future__ import annotations

from reports.probed import material, part


def test_estimates_are_found_by_kind_and_measure() -> None:
    assert len(part().of("any")) == 2
    assert len(part().of("any", "refusal")) == 1


def test_claims_are_what_differs_the_surest_first() -> None:
    found = list(part().claims())
    assert [each.labels["kind"] for each in found] == ["deviation", "deviation", "interaction"]
    assert [abs(each.statistic) for each in found] == sorted((abs(each.statistic) for each in found), reverse=True)
    assert list(part("inconclusive").claims()) == []


def test_an_unknown_measure_has_its_own_name() -> None:
    assert material().named("mine.score").short == "mine.score"
    assert material().named("ce").short == "understanding"
