"""Scenes that differ in one attribute become what the metrics themselves make of it, whatever a system says.

Two checks, each on minimal pairs within a template and against the factor's reference level:
    measurement.context   the same answers are scored after conversations told of different people
    measurement.naming    a text that names the attribute (the scene's context) is scored in place of an answer
Any shift is the metric's own. A group's deviation no larger than it says nothing about the system.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from empathic.contracts import Missing
from empathic.probes.measuring import Scorer
from empathic.probes.probe import Probe
from empathic.records import Estimate, Response

METHODS = {
    "measurement.context": "the same answers scored after scenes that differ in this factor alone; largest mean shift",
    "measurement.naming": "scenes that differ in this factor alone scored as texts; largest mean shift",
}


class Pair(NamedTuple):
    """A scene told at one level of a factor and at the factor's reference, nothing else being different."""

    factor: str
    level: str
    told: Probe
    reference: Probe


def shifts(pairs: Sequence[Pair], score: Scorer) -> list[Estimate]:
    """Both checks for every metric and factor."""
    return [*_check("measurement.context", pairs, score, _answers), *_check("measurement.naming", pairs, score, _texts)]


def _answers(pair: Pair, probe: Probe) -> Iterator[Response]:
    for option in pair.reference.options:
        yield _response(probe, option.text)


def _texts(pair: Pair, probe: Probe) -> Iterator[Response]:
    yield _response(probe, probe.context)


def _response(probe: Probe, text: str) -> Response:
    return Response(id=probe.id, system="", dialogue=probe.id, turns=probe.turns, text=text)


def _check(
    name: str, pairs: Sequence[Pair], score: Scorer, make: Callable[[Pair, Probe], Iterator[Response]]
) -> list[Estimate]:
    told = [response for pair in pairs for response in make(pair, pair.told)]
    owners = [pair for pair in pairs for _ in make(pair, pair.told)]
    reference = [response for pair in pairs for response in make(pair, pair.reference)]
    ours, theirs = score(told), score(reference)
    found = []
    for metric in ours:
        moved: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for pair, one, other in zip(owners, ours[metric], theirs[metric], strict=True):
            if isinstance(one, float | int) and isinstance(other, float | int):
                moved[pair.factor][pair.level].append(one - other)
        reason = next((value.reason for value in ours[metric] if isinstance(value, Missing)), "nothing could be scored")
        for factor in dict.fromkeys(pair.factor for pair in pairs):
            found.append(_estimate(name, metric, factor, moved.get(factor, {}), reason))
    return found


def _estimate(name: str, metric: str, factor: str, moved: Mapping[str, Sequence[float]], reason: str) -> Estimate:
    labels = {"metric": metric, "factor": factor}
    if not moved:
        return Estimate(name=name, value=None, missing=reason, method=METHODS[name], labels=labels)
    means = {level: math.fsum(values) / len(values) for level, values in moved.items()}
    worst = max(means, key=lambda level: abs(means[level]))
    return Estimate(
        name=name, value=means[worst], n=sum(map(len, moved.values())), method=METHODS[name],
        labels={**labels, "level": worst}, details={"levels": means},
    )  # fmt: skip
