"""Paired differences and rules become verdicts: a gate fails only where the whole interval of the loss is beyond it.

A loss is how far the new system is worse: base − new where higher is better, new − base where lower is, the absolute
change where neither is. With a tolerance τ a rule fails if the lower bound of the loss exceeds τ: noise alone cannot
fail a build more often than the level allows, and a loss smaller than τ never does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from empathic.errors import SettingError, UnknownName
from empathic.records import Estimate, Record

Direction = Literal["higher", "lower", "either"]


class Rule(Record, frozen=True):
    """What may not get worse, and by how much it may."""

    metric: str
    tolerance: float = 0.0
    unit: Literal["score", "sd"] = "score"  # sd: standard deviations of the base system
    better: Direction | None = None  # None: as the metric declares


class Verdict(Record, frozen=True, omit_defaults=False):
    """What one rule found."""

    metric: str
    passed: bool
    better: Direction
    tolerance: float
    loss: float | None
    low: float | None
    high: float | None
    reason: str
    n: int | None = None


def judge(
    rules: Sequence[Rule],
    differences: Sequence[Estimate],
    *,
    deviations: Mapping[str, float],
    directions: Mapping[str, Direction],
) -> list[Verdict]:
    """One verdict per rule. `differences` are new − base; `deviations` the base system's SD per metric."""
    found = {each.labels["metric"]: each for each in differences}
    for rule in rules:
        if rule.metric not in found:
            raise UnknownName("metric in both runs", rule.metric, found)
    return [_verdict(rule, found[rule.metric], deviations, directions) for rule in rules]


def _verdict(
    rule: Rule, difference: Estimate, deviations: Mapping[str, float], directions: Mapping[str, Direction]
) -> Verdict:
    better: Direction = rule.better or directions.get(rule.metric, "either")
    tolerance = _tolerance(rule, deviations)
    if difference.value is None or difference.low is None or difference.high is None:
        reason = f"cannot be judged: {difference.missing or 'there is no interval'}"
        return Verdict(
            metric=rule.metric, passed=False, better=better, tolerance=tolerance,
            loss=None, low=None, high=None, reason=reason, n=difference.n,
        )  # fmt: skip
    loss, low, high = _loss(better, difference.value, difference.low, difference.high)
    passed = low <= tolerance
    return Verdict(
        metric=rule.metric, passed=passed, better=better, tolerance=tolerance,
        loss=loss, low=low, high=high, reason=_reason(passed, low, high, tolerance), n=difference.n,
    )  # fmt: skip


def _tolerance(rule: Rule, deviations: Mapping[str, float]) -> float:
    if rule.tolerance < 0:
        raise SettingError(f"The tolerance of '{rule.metric}' is {rule.tolerance:g}; it must not be negative.")
    return rule.tolerance * deviations.get(rule.metric, 0.0) if rule.unit == "sd" else rule.tolerance


def _loss(better: Direction, value: float, low: float, high: float) -> tuple[float, float, float]:
    if better == "higher":
        return -value, -high, -low
    if better == "lower":
        return value, low, high
    inside = low <= 0.0 <= high
    return abs(value), 0.0 if inside else min(abs(low), abs(high)), max(abs(low), abs(high))


def _reason(passed: bool, low: float, high: float, tolerance: float) -> str:
    if not passed:
        return f"worse by at least {low:.4g}, which is beyond the tolerance of {tolerance:.4g}"
    if high > tolerance:
        return f"not shown to be worse than the tolerance (it may be, up to {high:.4g}: more dialogues would tell)"
    return "not worse beyond the tolerance"
