from __future__ import annotations

import pytest

from empathic.errors import SettingError, UnknownName
from empathic.records import Estimate
from empathic.statistics.gates import Rule, judge


def change(value: float | None, low: float | None, high: float | None, metric: str = "m") -> Estimate:
    missing = "3 dialogues in common" if value is None else None
    return Estimate(
        name=metric, value=value, low=low, high=high, method="x", labels={"metric": metric}, n=9, missing=missing
    )


def verdict(rule: Rule, difference: Estimate, sd: float = 2.0):
    (found,) = judge([rule], [difference], deviations={"m": sd}, directions={"m": "higher"})
    return found


@pytest.mark.parametrize(
    ("better", "difference", "tolerance", "passed"),
    [
        ("higher", (-0.5, -0.7, -0.3), 0.2, False),
        ("higher", (-0.5, -0.7, -0.3), 0.3, True),
        ("higher", (-0.5, -1.2, 0.2), 0.1, True),
        ("higher", (+0.5, 0.3, 0.7), 0.0, True),
        ("lower", (+0.5, 0.3, 0.7), 0.2, False),
        ("lower", (-0.5, -0.7, -0.3), 0.0, True),
        ("either", (+0.5, 0.3, 0.7), 0.2, False),
        ("either", (-0.5, -0.7, -0.3), 0.2, False),
        ("either", (+0.1, -0.3, 0.5), 0.0, True),
    ],
)
def test_a_rule_fails_only_when_the_whole_interval_of_the_loss_is_beyond_the_tolerance(
    better: str, difference: tuple[float, float, float], tolerance: float, passed: bool
) -> None:
    rule = Rule(metric="m", tolerance=tolerance, better=better)  # type: ignore[arg-type]
    assert verdict(rule, change(*difference)).passed is passed


def test_a_tolerance_may_be_given_in_standard_deviations_of_the_base() -> None:
    rule = Rule(metric="m", tolerance=0.1, unit="sd")
    assert verdict(rule, change(-0.5, -0.7, -0.3), sd=2.0).tolerance == pytest.approx(0.2)
    assert not verdict(rule, change(-0.5, -0.7, -0.3), sd=2.0).passed
    assert verdict(rule, change(-0.5, -0.7, -0.3), sd=4.0).passed


def test_the_direction_is_the_metrics_own_unless_the_rule_says_otherwise() -> None:
    assert verdict(Rule(metric="m"), change(1, 0.5, 1.5)).better == "higher"
    assert not verdict(Rule(metric="m", better="lower"), change(1, 0.5, 1.5)).passed


def test_a_pass_that_is_not_sure_says_what_would_tell() -> None:
    assert "more dialogues would tell" in verdict(Rule(metric="m"), change(-0.1, -0.5, 0.3)).reason
    assert verdict(Rule(metric="m"), change(0.5, 0.2, 0.8)).reason == "not worse beyond the tolerance"


def test_what_cannot_be_judged_does_not_pass() -> None:
    found = verdict(Rule(metric="m"), change(None, None, None))
    assert not found.passed
    assert found.reason == "cannot be judged: 3 dialogues in common"


def test_an_unknown_metric_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'specificity'"):
        judge([Rule(metric="specifity")], [change(1, 0, 2, "specificity")], deviations={}, directions={})


def test_a_negative_tolerance_is_refused() -> None:
    with pytest.raises(SettingError, match="must not be negative"):
        verdict(Rule(metric="m", tolerance=-1), change(1, 0, 2))
