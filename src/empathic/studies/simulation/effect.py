"""Ratings of simulated people become the effect they were given, recovered with an interval, and its power."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.errors import SettingError, UnknownName
from empathic.records import Estimate, Instrument, Item, Rating, Record
from empathic.studies.design import AnyStudy, Between, Ieval, Plan
from empathic.studies.plan import instrument
from empathic.studies.simulation.people import Behaviour, cuts, expected

RUNS = 500
ALPHA = 0.05
Floats = npt.NDArray[np.float64]


class Compare(Protocol):
    """Two samples become the difference of their means with an interval."""

    def __call__(self, first: Floats, second: Floats, /) -> Estimate: ...


class Recovered(Record, frozen=True):
    """One system against the reference: what was simulated, what was found, how often it would be found."""

    system: str
    reference: str
    effect: float
    simulated: float  # in points of the instrument
    recovered: Estimate
    covered: bool | None
    power: float | None
    runs: int


class _Cell(NamedTuple):
    """One rating: who, about which system, on which points."""

    rater: int
    system: str
    points: tuple[float, ...]
    value: float


def systems(plan: Plan) -> list[str]:
    """The systems a study compares, in its order."""
    if isinstance(plan.study, Ieval):
        return [bot.name for bot in plan.study.bots]
    return list(dict.fromkeys(thing.system for thing in plan.things.values() if thing.system))


def effects(words: Sequence[str], names: Sequence[str]) -> dict[str, float]:
    """`NAME=0.5` for a system, or `0.5` for the first one, in standard deviations of a single latent rating."""
    found: dict[str, float] = {}
    for word in words:
        name, _, number = word.rpartition("=")
        if name and name not in names:
            raise UnknownName("system", name, names)
        try:
            found[name or names[0]] = float(number)
        except ValueError:
            raise SettingError(f"--effect {word}: give a number or NAME=NUMBER.") from None
    return found


def main_instrument(study: AnyStudy) -> str:
    """The instrument that compares the systems."""
    return study.ranking if isinstance(study, Ieval) else study.instrument


def recover(
    plan: Plan, ratings: Iterable[Rating], behaviour: Behaviour, *, groups: Compare, pairs: Compare
) -> list[Recovered]:
    """Every system against the first one without an effect, on the means of each rater.

    `groups` compares different raters (between groups), `pairs` the same ones (iEval, observers).
    """
    names = systems(plan)
    reference = next((name for name in names if not behaviour.effects.get(name)), names[0])
    cells = _cells(ratings, instrument(plan, main_instrument(plan.study)))
    apart = isinstance(plan.study, Between)
    chances = _power(cells, names, reference, behaviour, apart=apart)
    return [
        _one(cells, name, reference, behaviour, groups if apart else pairs, chances[name], apart=apart)
        for name in names
        if name != reference
    ]


def _cells(ratings: Iterable[Rating], asked: Instrument) -> list[_Cell]:
    items = {item.id: item for item in asked.items if not item.reversed and not item.nominal}
    raters: dict[str, int] = {}
    return [
        _Cell(raters.setdefault(each.rater, len(raters)), each.system, _points(asked, items[each.item]), each.value)
        for each in ratings
        if each.instrument == asked.id and each.item in items and each.system and each.value is not None
    ]


def _points(asked: Instrument, item: Item) -> tuple[float, ...]:
    return tuple(point.value for point in (item.points if item.points is not None else asked.points))


def _one(
    cells: Sequence[_Cell],
    name: str,
    reference: str,
    behaviour: Behaviour,
    compare: Compare,
    power: float | None,
    *,
    apart: bool,
) -> Recovered:
    effect = behaviour.effects.get(name, 0.0)
    base = behaviour.effects.get(reference, 0.0)
    scales = [cell.points for cell in cells if cell.system == name]
    true = float(np.mean([_gain(points, effect, base, behaviour) for points in scales])) if scales else 0.0
    means = _means(cells, np.array([[cell.value for cell in cells]]))
    found = compare(*(sample[0] for sample in _samples(means, name, reference, apart=apart)))
    covered = None if found.low is None or found.high is None else found.low <= true <= found.high
    return Recovered(
        system=name,
        reference=reference,
        effect=effect - base,
        simulated=true,
        recovered=found,
        covered=covered,
        power=power,
        runs=RUNS,
    )


def _gain(points: tuple[float, ...], effect: float, base: float, behaviour: Behaviour) -> float:
    return expected(points, effect, behaviour.sd_rater) - expected(points, base, behaviour.sd_rater)


def _means(cells: Sequence[_Cell], values: Floats) -> dict[str, dict[int, Floats]]:
    """System → rater → mean rating, one number per row of `values`."""
    places: dict[str, dict[int, list[int]]] = {}
    for place, cell in enumerate(cells):
        places.setdefault(cell.system, {}).setdefault(cell.rater, []).append(place)
    return {
        system: {rater: values[:, chosen].mean(axis=1) for rater, chosen in raters.items()}
        for system, raters in places.items()
    }


def _samples(
    means: Mapping[str, Mapping[int, Floats]], name: str, reference: str, *, apart: bool
) -> tuple[Floats, Floats]:
    first, second = means.get(name, {}), means.get(reference, {})
    both = [rater for rater in first if rater in second]
    chosen = (list(first), list(second)) if apart else (both, both)
    return _stack([first[rater] for rater in chosen[0]]), _stack([second[rater] for rater in chosen[1]])


def _stack(samples: Sequence[Floats]) -> Floats:
    return np.stack(samples, axis=1) if samples else np.empty((1, 0))


def _power(
    cells: Sequence[_Cell], names: Sequence[str], reference: str, behaviour: Behaviour, *, apart: bool
) -> dict[str, float | None]:
    """The share of redrawn studies with the same people and places in which a t test finds the difference."""
    means = _means(cells, _redrawn(cells, behaviour))
    found: dict[str, float | None] = {}
    for name in names:
        first, second = _samples(means, name, reference, apart=apart)
        enough = min(first.shape[1], second.shape[1]) >= 2 and name != reference
        with np.errstate(all="ignore"):
            found[name] = float(np.mean(_p_values(first, second, apart=apart) < ALPHA)) if enough else None
    return found


def _p_values(first: Floats, second: Floats, *, apart: bool) -> Floats:
    """Two-sided, of Welch's t or of the paired t, per row; a row without any spread tells nothing and gives NaN."""
    if not apart:
        first, second = first - second, np.zeros((first.shape[0], 1))
    shares = [sample.var(axis=1, ddof=1) / sample.shape[1] for sample in ((first, second) if apart else (first,))]
    error = np.sum(shares, axis=0)
    degrees = sum(share**2 / (n - 1) for share, n in zip(shares, (first.shape[1], second.shape[1]), strict=False))
    t = (first.mean(axis=1) - second.mean(axis=1)) / np.sqrt(error)
    return np.asarray(2 * stats.t.sf(np.abs(t), error**2 / degrees))


def _redrawn(cells: Sequence[_Cell], behaviour: Behaviour) -> Floats:
    rng = np.random.default_rng(behaviour.seed)
    raters = np.array([cell.rater for cell in cells], dtype=np.intp)
    lenient = rng.normal(0, behaviour.sd_rater, (RUNS, raters.max(initial=0) + 1))
    shift = np.array([behaviour.effects.get(cell.system, 0.0) for cell in cells])
    latent = shift + lenient[:, raters] + rng.normal(size=(RUNS, len(cells)))
    values = np.empty_like(latent)
    for place, cell in enumerate(cells):
        cut = np.searchsorted(cuts(len(cell.points), behaviour.sd_rater), latent[:, place])
        values[:, place] = np.array(sorted(cell.points))[cut]
    return values
