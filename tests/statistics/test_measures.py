from __future__ import annotations

import pytest

from empathic.records import Estimate
from empathic.statistics.measures import decide, sequential
from empathic.statistics.multiplicity import adjust


def claim(metric: str, group: str, p: float | None, p_equivalence: float = 0.5, kind: str = "contrast") -> Estimate:
    details = {"p_equivalence": p_equivalence, "margin": 0.1}
    return Estimate(
        name=kind, value=0.2, method="m", p=p, labels={"metric": metric, "kind": kind, "group": group}, details=details
    )


def any_of(metric: str, p: float | None) -> Estimate:
    return Estimate(name="any", value=1.0, method="m", p=p, labels={"metric": metric, "kind": "any"})


def test_with_one_test_per_measure_it_is_holm() -> None:
    p = [0.01, 0.04, 0.03, 0.005]
    assert sequential([(str(place), each) for place, each in enumerate(p)]) == pytest.approx(adjust(p))


def test_a_measure_counts_until_all_its_groups_are_claimed() -> None:
    """By hand: .001 × 2, .01 × 2 (a still has a group left), then a is through: .04 × 1."""
    found = sequential([("a", 0.001), ("a", 0.01), ("b", 0.04)])
    assert found == pytest.approx([0.002, 0.02, 0.04])
    assert sequential([("a", 0.001), ("a", 0.2), ("b", 0.04)]) == pytest.approx([0.002, 0.2, 0.08])


def test_verdicts_are_different_equivalent_or_inconclusive() -> None:
    given = [claim("ce", "x", 0.001), claim("ce", "y", 0.5, 0.01), claim("ce", "z", 0.06, 0.3), any_of("ce", 0.001)]
    found = decide(given)
    assert [each.details["verdict"] for each in found] == ["different", "equivalent", "inconclusive", "different"]
    assert found[0].p_adjusted == pytest.approx(0.001)


def test_what_stands_alone_may_not_stand_among_many_measures() -> None:
    many = [claim(f"m{place}", "x", 0.6) for place in range(9)]
    (alone,), crowded = decide([claim("ce", "x", 0.01)]), decide([claim("ce", "x", 0.01), *many])
    assert alone.details["verdict"] == "different"
    assert crowded[0].details["verdict"] == "inconclusive"


def test_an_established_difference_within_the_margin_is_said_to_be_small() -> None:
    small, large = decide([claim("ce", "x", 0.001, 0.001), claim("ce", "y", 0.001, 0.7)])
    assert small.details["small"] is True
    assert "small" not in large.details


def test_a_measure_is_equivalent_only_if_every_group_is() -> None:
    found = decide([claim("ce", "x", 0.5, 0.01), claim("ce", "y", 0.5, 0.01), any_of("ce", 0.5)])
    assert found[-1].details["verdict"] == "equivalent"
    found = decide([claim("ce", "x", 0.5, 0.01), claim("ce", "y", 0.5, 0.2), any_of("ce", 0.5)])
    assert found[-1].details["verdict"] == "inconclusive"


def test_what_could_not_be_tested_stays_as_it_was() -> None:
    missing = Estimate(name="any", value=None, method="m", missing="why", labels={"metric": "ce", "kind": "any"})
    untested = claim("ae", "x", None)
    assert decide([missing, untested]) == [missing, untested]
