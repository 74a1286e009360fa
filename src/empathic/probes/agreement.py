"""Choices read from the text and choices by log-probability become how far the two agree.

Share of replies where both name the same answer, and Cohen's κ = (p_o − p_e) / (1 − p_e) with p_e from the places each
way chooses (Cohen 1960).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

from empathic.probes.letters import NOT_GIVEN
from empathic.probes.measured import Measured
from empathic.records import Estimate

METHOD = "share of replies whose text and log-probabilities choose the same answer; κ in the details"


def estimates(measured: Iterable[Measured]) -> list[Estimate]:
    """One estimate per system."""
    text: dict[str, dict[str, int]] = defaultdict(dict)
    letters: dict[str, dict[str, int]] = defaultdict(dict)
    for row in measured:
        if row.metric == "ce":
            text[row.system]  # a system whose every reply failed is told of too
        if row.position is not None and row.response is not None and row.metric in ("ce", "ce.logprob"):
            (text if row.metric == "ce" else letters)[row.system][row.response] = row.position
    return [_estimate(system, text[system], letters[system]) for system in text]


def _estimate(system: str, text: dict[str, int], letters: dict[str, int]) -> Estimate:
    labels = {"system": system, "metric": "ce"}
    both = [(text[response], letters[response]) for response in text if response in letters]
    if not both:
        why = "no reply was read both ways" if letters else NOT_GIVEN.reason
        return Estimate(name="ce.agreement", value=None, missing=why, method=METHOD, labels=labels)
    share = sum(one == other for one, other in both) / len(both)
    details = {"kappa": kappa(both)}
    return Estimate(name="ce.agreement", value=share, n=len(both), method=METHOD, labels=labels, details=details)


def kappa(pairs: list[tuple[int, int]]) -> float | None:
    """Cohen's κ; None where both always name one and the same place."""
    n = len(pairs)
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(first[place] * second[place] for place in first) / n**2
    observed = sum(one == other for one, other in pairs) / n
    return None if expected == 1 else (observed - expected) / (1 - expected)
