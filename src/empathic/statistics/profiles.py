"""Component values by raters about targets become means with intervals that know both: per target, per system.

Per target: mean over its raters ± t · s_w / √m, with s²_w the variance within targets, pooled over all of them
(one-way random model); two or three raters alone would say too little of it. Per system: the mean of the target means,
error clustered by target and by source of rating (Cameron, Gelbach & Miller 2011): V = V_target + V_source − V_both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from empathic.records import Estimate, Json
from empathic.statistics.estimates import Array, absent, estimate
from empathic.statistics.inputs import Codes, codes
from empathic.statistics.linear import crossed, summed_by
from empathic.statistics.observations import Observation, of_measure, source

TARGET, SYSTEM = "target-mean.v1", "system-mean.v1"


def target_means(observations: Sequence[Observation], measure: str, *, level: float = 0.95) -> tuple[Estimate, ...]:
    """The mean of each target over its raters."""
    found = of_measure(observations, measure)
    grouped: dict[str, list[Observation]] = {}
    for each in found:
        grouped.setdefault(each.target, []).append(each)
    values = {target: np.array([each.value for each in given], float) for target, given in grouped.items()}
    df = sum(len(given) - 1 for given in values.values())
    squares = sum(float(((given - given.mean()) ** 2).sum()) for given in values.values())
    variance = squares / df if df else None
    return tuple(_target_mean(measure, given, values[target], variance, df, level) for target, given in grouped.items())


def _target_mean(
    measure: str, given: Sequence[Observation], values: Array, variance: float | None, df: int, level: float
) -> Estimate:
    half = None
    if variance is not None:
        half = float(stats.t.ppf((1 + level) / 2, df)) * (variance / len(values)) ** 0.5
    mean = float(values.mean())
    labels = {"target": given[0].target, "system": given[0].system, "measure": measure}
    details: Json = {"sources": len({source(each.rater) for each in given})}
    if variance is None:
        details["caution"] = "no target was rated twice, so the error of a rating is unknown"
    return estimate(
        measure,
        mean,
        TARGET,
        interval=None if half is None else (mean - half, mean + half),
        level=level,
        n=len(values),
        df=() if half is None else (df,),
        labels=labels,
        details=details,
    )


def system_means(observations: Sequence[Observation], measure: str, *, level: float = 0.95) -> tuple[Estimate, ...]:
    """The mean of each system over its targets, in the order of first appearance."""
    found = of_measure(observations, measure)
    systems = dict.fromkeys(each.system for each in found)
    return tuple(
        _system_mean([each for each in found if each.system == system], measure, system, level) for system in systems
    )


def _system_mean(found: Sequence[Observation], measure: str, system: str | None, level: float) -> Estimate:
    labels = {"system": system, "measure": measure}
    values = np.array([each.value for each in found], float)
    targets, sources = codes([each.target for each in found]), codes([source(each.rater) for each in found])
    size = np.bincount(targets[1])
    weights = 1 / size[targets[1]] / len(size)
    mean = float(weights @ values)
    influence = weights * (values - mean)
    details: Json = {"targets": len(targets[0]), "sources": len(sources[0]), "ratings": len(values)}
    if len(targets[0]) < 2:
        return absent(measure, SYSTEM, "one target cannot show how targets differ", n=len(values), labels=labels)
    variance, df = _variance(influence, targets, sources)
    if len(sources[0]) < 2:
        details["caution"] = "one source of ratings: the interval holds for this rater only"
    half = float(stats.t.ppf((1 + level) / 2, df)) * variance**0.5
    return estimate(
        measure,
        mean,
        SYSTEM,
        interval=(mean - half, mean + half),
        level=level,
        n=len(targets[0]),
        df=(df,),
        labels=labels,
        details={**details, "se": variance**0.5},
    )


def _variance(
    influence: Array, targets: tuple[Array, Codes], sources: tuple[Array, Codes]
) -> tuple[float, float]:  # fmt: skip
    one, other = (_clustered(influence, places, len(levels)) for levels, places in (targets, sources))
    if len(sources[0]) < 2:
        return one, float(len(targets[0]) - 1)
    both = crossed(targets[1], sources[1])
    together = one + other - _clustered(influence, both, int(both.max()) + 1)
    df = float(min(len(targets[0]), len(sources[0])) - 1)
    # the difference can be negative in small samples; the larger single way is then the safer error
    return (together if together > 0 else max(one, other)), df


def _clustered(influence: Array, places: Codes, count: int) -> float:
    sums = summed_by(influence[:, None], places, count)
    return float((sums**2).sum()) * count / max(1, count - 1)
