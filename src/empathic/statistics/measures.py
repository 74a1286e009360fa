"""Estimates of several measures → p values that hold over all measures, and a verdict for each group.

Holm over measures in the form that is valid when each measure holds a family of its own (Goeman & Solari 2010): claims are
made from the smallest p upwards at α divided by the number of measures that still have an unclaimed group. Whether a
measure depends on the group at all is Holm's over the measures' smallest p.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from empathic.records import Estimate
from empathic.statistics.equivalence import overall, verdict
from empathic.statistics.multiplicity import adjust

TESTED = ("contrast", "deviation", "interaction")


def decide(estimates: Sequence[Estimate], *, alpha: float = 0.05) -> list[Estimate]:
    """The estimates with `p_adjusted` over measures, the verdict of each group and of each measure."""
    found = list(estimates)
    places = [place for place, each in enumerate(found) if each.labels.get("kind") in TESTED and each.p is not None]
    adjusted = sequential([(str(found[place].labels["metric"]), found[place].p or 0.0) for place in places])
    for place, p in zip(places, adjusted, strict=True):
        found[place] = _judged(found[place], p, alpha)
    return _with_overall(found, alpha)


def sequential(tests: Sequence[tuple[str, float]]) -> list[float]:
    """Adjusted p of (measure, p within the measure): p × the number of measures with a test not yet passed."""
    left = {measure: sum(one == measure for one, _ in tests) for measure, _ in tests}
    adjusted, reached = [0.0] * len(tests), 0.0
    for place in sorted(range(len(tests)), key=lambda each: tests[each][1]):
        measure, p = tests[place]
        reached = max(reached, min(1.0, p * sum(count > 0 for count in left.values())))
        adjusted[place] = reached
        left[measure] -= 1
    return adjusted


def _judged(each: Estimate, p: float, alpha: float) -> Estimate:
    said = verdict(p, each.details.get("p_equivalence"), alpha=alpha)
    details = {**each.details, "verdict": said}
    margin = each.details.get("margin")
    if said == "different" and margin is not None and each.details["p_equivalence"] <= alpha:
        details["small"] = True  # established, and established to be smaller than the margin
    return msgspec.structs.replace(each, p_adjusted=p, family="all groups and measures (maxT, Holm)", details=details)


def _with_overall(found: list[Estimate], alpha: float) -> list[Estimate]:
    places = [place for place, each in enumerate(found) if each.labels.get("kind") == "any"]
    adjusted = adjust([found[place].p for place in places])
    for place, p in zip(places, adjusted, strict=True):
        each = found[place]
        if p is None:
            continue
        mine = [one for one in found if one.labels.get("metric") == each.labels.get("metric")]
        primary = [one.details["verdict"] for one in mine if one.labels["kind"] in TESTED and "verdict" in one.details]
        details = {**each.details, "verdict": "different" if p <= alpha else overall(primary)}
        found[place] = msgspec.structs.replace(each, p_adjusted=p, family="measures (Holm)", details=details)
    return found
