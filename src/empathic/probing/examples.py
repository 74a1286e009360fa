"""Measured values, probes and responses → what a report shows of each system beside its estimates.

Above all answers side by side: the same template told of two people, the reference and whoever is farthest from it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from empathic.probes.differences import spans
from empathic.probes.factors import UNSAID
from empathic.probes.measured import Measured
from empathic.probes.probe import Probe
from empathic.probing.analysis import CHOICE, measure
from empathic.records import Estimate, Response
from empathic.reports import Lost, Pair, SystemPart, Told

PAIRS = 12
TESTED = ("deviation", "contrast")


class _Answer(NamedTuple):
    """A free answer to a probe, and what was measured of it."""

    probe: Probe
    response: Response
    values: tuple[Measured, ...]


def parts(
    estimates: Sequence[Estimate], measured: Sequence[Measured], probes: Sequence[Probe], responses: Sequence[Response]
) -> list[SystemPart]:
    """One part of the report for each system."""
    by_id, texts = {probe.id: probe for probe in probes}, {each.id: each for each in responses}
    found = []
    for system in dict.fromkeys(each.system for each in measured):
        mine = [each for each in measured if each.system == system and each.control is None]
        own = [each for each in estimates if each.labels.get("system") in (system, None)]
        chosen = Counter(each.chosen for each in mine if each.metric == CHOICE and each.chosen is not None)
        answers = list(_answers(mine, by_id, texts))
        found.append(SystemPart(system, own, _lost(mine), list(_unread(mine)), chosen, list(_pairs(own, answers))))
    return found


def _lost(mine: Sequence[Measured]) -> list[Lost]:
    totals = Counter(each.metric for each in mine)
    reasons = Counter((each.metric, each.missing or "no reason given") for each in mine if each.value is None)
    return [Lost(metric, reason, hits, totals[metric]) for (metric, reason), hits in reasons.most_common()]


def _unread(mine: Sequence[Measured]) -> Iterator[tuple[str, int, int]]:
    """Everyone and every level: choices from which no answer could be read."""
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for each in mine:
        if each.metric == CHOICE:
            said = [f"{factor}={level}" for factor, level in each.levels.items() if level != UNSAID]
            for group in ("everyone", *said):
                totals[group] += 1
                hits[group] += each.value is None
    yield from ((group, hits[group], total) for group, total in totals.items())


def _answers(mine: Sequence[Measured], probes: Mapping[str, Probe], texts: Mapping[str, Response]) -> Iterator[_Answer]:
    by_response: dict[str, list[Measured]] = defaultdict(list)
    for each in mine:
        if each.response is not None and each.order is None:
            by_response[each.response].append(each)
    for response, values in by_response.items():
        if response in texts and values[0].probe in probes:
            yield _Answer(probes[values[0].probe], texts[response], tuple(values))


def _pairs(estimates: Sequence[Estimate], answers: Sequence[_Answer]) -> Iterator[Pair]:
    """In each template the two most alike people of whom one belongs to the farthest group and the other does not."""
    who = _farthest(estimates)
    if who is None:
        return
    templates: dict[str, list[_Answer]] = defaultdict(list)
    for answer in answers:
        templates[answer.probe.template].append(answer)
    for members in list(templates.values())[:PAIRS]:
        inside = [each for each in members if _is(each.probe, who)]
        outside = [each for each in members if not any(each.probe.levels.get(f) == level for f, level in who.items())]
        if inside and outside:
            both = ((one, other) for one in outside for other in inside)
            yield _pair(*min(both, key=lambda each: _apart(each[0].probe, each[1].probe)), who)


def _farthest(estimates: Sequence[Estimate]) -> dict[str, str] | None:
    """The group of the clearest finding, established ones first, intersections before levels."""
    tested = [each for each in estimates if each.labels.get("kind") in TESTED and each.value is not None]
    if not tested:
        return None
    best = max(tested, key=lambda each: (
        each.details.get("verdict") == "different", each.labels["kind"] == "deviation", abs(each.statistic or 0.0)))  # fmt: skip
    return dict(zip(best.labels["factors"], best.labels["levels"], strict=True))


def _is(probe: Probe, who: Mapping[str, str]) -> bool:
    return all(probe.levels.get(factor) == level for factor, level in who.items())


def _apart(one: Probe, other: Probe) -> tuple[int, str, str]:
    return sum(one.levels.get(factor) != level for factor, level in other.levels.items()), one.id, other.id


def _pair(one: _Answer, other: _Answer, who: Mapping[str, str]) -> Pair:
    before, after = one.response.text or "", other.response.text or ""
    runs = list(spans(before, after))
    scene = [(new, old == new) for old, new in spans(one.probe.context, other.probe.context)]
    return Pair(
        one.probe.template, scene,
        _told(one, who, [(old, old == new) for old, new in runs]), _told(other, who, [(new, old == new) for old, new in runs]),
    )  # fmt: skip


def _told(answer: _Answer, who: Mapping[str, str], runs: list[tuple[str, bool]]) -> Told:
    group = ", ".join(f"{factor}={answer.probe.levels.get(factor, UNSAID)}" for factor in who)
    values = [f"{measure(each.metric).short} {each.value:.3g}" for each in answer.values if each.value is not None]
    missing = (answer.response.missing or "no text") if answer.response.text is None else None
    return Told(group, runs, missing, values)
