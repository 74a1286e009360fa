"""A judge's and people's values about the same targets become their agreement, beside that of people among themselves.

Single against single: κ over all pairs of a judge's and a person's rating; the ceiling is κ over all pairs of people.
Single against the others: in turn each person is left out; ICC(2,1) and Spearman's ρ of the judge with the mean of the
remaining people, and the ceiling of the person left out with the same means: the judge takes that person's place.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from empathic.records import Estimate, Record
from empathic.statistics.effects import t_estimate
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.krippendorff import krippendorff_alpha
from empathic.statistics.observations import Observation, of_measure, table
from empathic.statistics.paired import USUAL, How, Pairs, figure, gap

Kind = Literal["ordinal", "nominal", "interval"]
ALONE = "no target was rated by two people, so people's own agreement is unknown"


class Agreement(Record, frozen=True, omit_defaults=False):
    """How far a judge agrees with people on one measure, and people among themselves."""

    measure: str
    targets: int
    people_per_target: float
    kappa: Estimate
    kappa_people: Estimate
    gap: Estimate  # κ of the judge minus κ among people
    alpha: Estimate  # with the judge as one more rater
    alpha_people: Estimate
    icc: Estimate
    icc_people: Estimate
    rank: Estimate
    rank_people: Estimate
    bias: Estimate  # judge minus people, in points
    needed: Estimate  # targets for an interval of κ of ± the wanted width


class _Shared(NamedTuple):
    judge: dict[str, list[float]]
    people: dict[str, list[float]]


def agreement(
    judge: Sequence[Observation],
    people: Sequence[Observation],
    measure: str,
    kind: Kind,
    *,
    width: float = 0.1,
    how: How = USUAL,
) -> Agreement:
    """The agreement of one judge (all its repeats) with people on one measure, over the targets both rated."""
    shared = _share(of_measure(judge, measure), of_measure(people, measure))
    cross, among = _cross(shared), _among(shared)
    weighting = "nominal" if kind == "nominal" else "quadratic"
    kappa = figure(weighting, cross, name="κ", how=how)
    icc, icc_people = _against_others(shared, "icc", "ICC(2,1)", kind, how)
    rank, rank_people = _against_others(shared, "spearman", "ρ", kind, how)
    alpha, alpha_people = _alphas(judge, people, measure, kind, shared, how)
    return Agreement(
        measure=measure,
        targets=len(cross),
        people_per_target=float(np.mean([len(each) for each in shared.people.values()])) if cross else 0.0,
        kappa=kappa,
        kappa_people=_ceiling(figure(weighting, among, name="κ", how=how)),
        gap=_ceiling(gap(weighting, cross, among, name="κ gap", how=how)),
        alpha=alpha,
        alpha_people=alpha_people,
        icc=icc,
        icc_people=icc_people,
        rank=rank,
        rank_people=rank_people,
        bias=bias(shared.judge, shared.people, kind, level=how.level),
        needed=targets_needed(kappa, width=width),
    )


def _share(judge: Sequence[Observation], people: Sequence[Observation]) -> _Shared:
    grouped: list[dict[str, list[float]]] = []
    for side in (judge, people):
        values: dict[str, list[float]] = {}
        for each in side:
            if each.value is not None:
                values.setdefault(each.target, []).append(each.value)
        grouped.append(values)
    both = [target for target in grouped[0] if target in grouped[1]]
    return _Shared(*({target: values[target] for target in both} for values in grouped))


def _cross(shared: _Shared) -> Pairs:
    return {
        target: [(one, other) for one in values for other in shared.people[target]]
        for target, values in shared.judge.items()
    }


def _among(shared: _Shared) -> Pairs:
    return {
        target: [(one, other) for i, one in enumerate(values) for j, other in enumerate(values) if i != j]
        for target, values in shared.people.items()
        if len(values) > 1
    }


def _ceiling(found: Estimate) -> Estimate:
    if found.value is None and found.n is not None and found.n < 2:
        return absent(found.name, found.method, ALONE, n=found.n)
    return found


def _against_others(shared: _Shared, figure_kind: str, name: str, kind: Kind, how: How) -> tuple[Estimate, Estimate]:
    """The judge, and the person left out, against the mean of the remaining people."""
    if kind == "nominal":
        reason = "the points are names, they have no order"
        return (absent(name, f"paired-{figure_kind}.v1", reason), absent(name, f"paired-{figure_kind}.v1", reason))
    several = {target: values for target, values in shared.people.items() if len(values) > 1}
    rest = {target: [(sum(v) - one) / (len(v) - 1) for one in v] for target, v in several.items()}
    single = {target: list(values) for target, values in shared.people.items()}
    base = rest if len(several) > 1 else single
    of_judge = {
        target: [(one, mean) for one in shared.judge[target] for mean in means] for target, means in base.items()
    }
    of_people = {target: list(zip(several[target], means, strict=True)) for target, means in rest.items()}
    one = figure(figure_kind, of_judge, name=name, how=how)
    return one, _ceiling(figure(figure_kind, of_people, name=name, how=how))


def _alphas(
    judge: Sequence[Observation],
    people: Sequence[Observation],
    measure: str,
    kind: Kind,
    shared: _Shared,
    how: How,
) -> tuple[Estimate, Estimate]:
    """Krippendorff's α with the judge's first repeat as one more rater, and of people alone, over shared targets."""
    first = min((each.rater for each in judge), default="")
    own = [each for each in people if each.target in shared.people]
    added = [each for each in judge if each.rater == first and each.target in shared.people]
    with_judge, alone = (table([*own, *more], measure).values for more in (added, []))
    both = [
        krippendorff_alpha(values, scale=kind, name="α", level=how.level, replicates=how.replicates, seed=how.seed)
        for values in (with_judge, alone)
    ]
    return both[0], both[1]


def bias(judge: dict[str, list[float]], people: dict[str, list[float]], kind: Kind, *, level: float = 0.95) -> Estimate:
    """The judge's mean minus people's, per target, in points of the scale; t over targets."""
    method = "judge-bias.v1"
    if kind == "nominal":
        return absent("bias", method, "the points are names, they have no mean")
    gaps = np.array([np.mean(values) - np.mean(people[target]) for target, values in judge.items()])
    if len(gaps) < 2:
        return absent("bias", method, f"{len(gaps)} shared target(s), at least 2 are needed", n=len(gaps))
    error = float(gaps.std(ddof=1)) / math.sqrt(len(gaps))
    if error <= 0:
        return estimate("bias", float(gaps.mean()), method, n=len(gaps))
    return t_estimate("bias", float(gaps.mean()), error, len(gaps) - 1, method=method, n=len(gaps), level=level)


def targets_needed(kappa: Estimate, *, width: float = 0.1) -> Estimate:
    """How many targets rated by people make the interval of κ ± width: n (h / width)², h half its width now."""
    name, method = f"targets for κ ± {width:g}", "targets-needed.v1"
    if kappa.value is None or kappa.low is None or kappa.high is None or kappa.n is None:
        return absent(name, method, kappa.missing or "κ has no interval", n=kappa.n, width=width)
    half = (kappa.high - kappa.low) / 2
    needed = max(2, math.ceil(kappa.n * (half / width) ** 2 - 1e-9))
    details = {"half_width": half, "more": max(0, needed - kappa.n)}
    return estimate(name, float(needed), method, n=kappa.n, details=details, width=width)
