"""Few values by people and many by a judge become one estimate that is unbiased like the few and sharper than they.

θ = mean(Y) + λ (mean over unrated targets of f − mean over rated targets of f), with Y people's values, f the judge's,
and λ = Cov(Y, f) / ((1 + n/N) Var(f)), cut to [0, 1]; variance Var(Y − λ f)/n + λ² Var(f)/N (Angelopoulos et al. 2023,
Science 382, 669–674; Angelopoulos, Duchi & Zrnic 2023, arXiv 2311.01453). λ = 0 is people alone, so a useless judge
does no harm. It holds if the targets that people rated are a random part of all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from scipy import stats

from empathic.records import Estimate, Json
from empathic.statistics.estimates import Array, absent, estimate
from empathic.statistics.observations import Observation, of_measure

METHOD = "prediction-powered.v1"
LEAST, FEW = 5, 30


def prediction_powered(
    people: Mapping[str, float],
    judge: Mapping[str, float],
    *,
    name: str,
    level: float = 0.95,
    labels: Json | None = None,
) -> Estimate:
    """The mean over all targets the judge rated, from people's values on some of them."""
    rated = [target for target in people if target in judge]
    rest = [target for target in judge if target not in people]
    if len(rated) < LEAST or len(rest) < 2:
        reason = f"{len(rated)} targets rated by both and {len(rest)} by the judge only; {LEAST} and 2 are needed"
        return absent(name, METHOD, reason, n=len(rated), labels=labels)
    y, f = (np.array([values[target] for target in rated]) for values in (people, judge))
    other = np.array([judge[target] for target in rest])
    weight = _weight(y, f, other)
    value = float(y.mean() + weight * (other.mean() - f.mean()))
    variance = float((y - weight * f).var(ddof=1)) / len(y) + weight**2 * float(other.var(ddof=1)) / len(other)
    alone = float(y.var(ddof=1)) / len(y)
    half = float(stats.t.ppf((1 + level) / 2, len(y) - 1)) * variance**0.5
    details: Json = {
        "weight": weight,
        "se": variance**0.5,
        "judged_only": len(rest),
        "people_alone": float(y.mean()),
        "people_alone_se": alone**0.5,
        "judge_alone": float(np.concatenate([f, other]).mean()),
        "worth": len(y) * alone / variance if variance > 0 else None,  # targets rated by people for the same error
    }
    if len(y) < FEW:
        details["caution"] = f"{len(y)} targets rated by people: the interval is likely too narrow below {FEW}"
    interval = (value - half, value + half)
    return estimate(
        name, value, METHOD, interval=interval, level=level, n=len(y), df=(len(y) - 1,), labels=labels, details=details
    )


def _weight(y: Array, f: Array, other: Array) -> float:
    spread = float(np.concatenate([f, other]).var(ddof=1))
    if spread <= 0:
        return 0.0
    share = float(np.cov(y, f)[0, 1]) / ((1 + len(y) / len(other)) * spread)
    return min(1.0, max(0.0, share))


def system_estimates(
    people: Sequence[Observation], judge: Sequence[Observation], measure: str, *, level: float = 0.95
) -> tuple[Estimate, ...]:
    """Per system the mean over its targets, and per pair of systems their difference over the dialogues of both."""
    human, model = (_means(of_measure(side, measure)) for side in (people, judge))
    systems = list(dict.fromkeys(system for system, _, _ in model))
    means = [
        prediction_powered(
            _of(human, system), _of(model, system), name=measure, level=level,
            labels={"system": system, "measure": measure},
        )
        for system in systems
    ]  # fmt: skip
    pairs = [
        (one, other)
        for place, one in enumerate(systems)
        for other in systems[place + 1 :]
        if _gaps(model, one, other)  # systems that answered no dialogue in common have no paired difference
    ]
    differences = [
        prediction_powered(
            _gaps(human, one, other), _gaps(model, one, other), name=f"{measure}: {one} − {other}", level=level,
            labels={"system": one, "baseline": other, "measure": measure},
        )
        for one, other in pairs
    ]  # fmt: skip
    return (*means, *differences)


Means = dict[tuple[str | None, str, str | None], float]  # system, target, dialogue → mean over raters


def _means(observations: Sequence[Observation]) -> Means:
    values: dict[tuple[str | None, str, str | None], list[float]] = {}
    for each in observations:
        if each.value is not None:
            values.setdefault((each.system, each.target, each.dialogue), []).append(each.value)
    return {key: float(np.mean(given)) for key, given in values.items()}


def _of(means: Means, system: str | None) -> dict[str, float]:
    return {target: value for (owner, target, _), value in means.items() if owner == system}


def _gaps(means: Means, one: str | None, other: str | None) -> dict[str, float]:
    """Dialogue → difference of two systems that both answered it."""
    sides: list[dict[str, list[float]]] = [{}, {}]
    for (owner, _, dialogue), value in means.items():
        for side, system in zip(sides, (one, other), strict=True):
            if owner == system and dialogue is not None:
                side.setdefault(dialogue, []).append(value)
    both = [dialogue for dialogue in sides[0] if dialogue in sides[1]]
    return {dialogue: float(np.mean(sides[0][dialogue]) - np.mean(sides[1][dialogue])) for dialogue in both}
