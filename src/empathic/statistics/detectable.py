"""The size of a probe design → the smallest difference it can find, before anything is asked: power with templates as units.

A design is simulated as its table of template × intersection means, each with variance sd²/n + template_sd²: n probes per
intersection and template, and a difference that itself varies from situation to situation. The same studentised
statistics as in the analysis (`maxt.py`) are computed; their largest over all groups without a difference gives the
critical value at α divided by the number of measures, and the planted intersection how often it is exceeded.
"""

from __future__ import annotations

import itertools
import math
from typing import NamedTuple

import numpy as np
from scipy import optimize

from empathic.errors import SettingError
from empathic.records import Estimate, Record
from empathic.statistics.estimates import estimate
from empathic.statistics.groups import Layout, layout, means, observations
from empathic.statistics.inputs import Floats
from empathic.statistics.maxt import studentise

METHOD = "power_of_probes.v1"


class Size(Record, frozen=True):
    """How much is asked: templates, the levels of the two factors of interest, probes per intersection and template."""

    templates: int
    levels: tuple[int, int]
    repeats: int = 1
    orders: int = 1  # how often each probe is asked
    sd: float = 0.4  # of one ask: √(p(1−p)) for a share p
    icc: float = 0.0  # how alike the asks of one probe are
    template_sd: float = 0.0  # how much a group's difference varies between templates
    measures: int = 1
    alpha: float = 0.05

    @property
    def asks(self) -> int:
        """How many answers that is."""
        return self.templates * self.levels[0] * self.levels[1] * self.repeats * self.orders

    @property
    def variance(self) -> float:
        """Of the mean of one intersection in one template, apart from `template_sd`."""
        return self.sd**2 * (self.icc + (1 - self.icc) / self.orders) / self.repeats


class Power(NamedTuple):
    """What a design can find: the power at a difference, and the smallest difference with the power wanted."""

    at: Estimate
    smallest: Estimate


class _Noise(NamedTuple):
    """The planted intersection's deviation and its divisor in data sets without a difference, and the critical value."""

    values: Floats
    divisors: Floats
    critical: float

    def power(self, effect: float) -> float:
        """How often an intersection that differs by `effect` in every template is claimed."""
        return float((np.abs(self.values + effect) > self.critical * self.divisors).mean())


def power(size: Size, effect: float, *, wanted: float = 0.8, runs: int = 2000, seed: int) -> Power:
    """The power to claim one intersection that differs by `effect`, and what is found with the power wanted."""
    _check(size, wanted)
    noise = _noise(size, runs, seed)
    reached = noise.power(effect)
    half = 1.96 * math.sqrt(max(reached * (1 - reached), 1 / runs) / runs)
    at = estimate(
        "power", reached, METHOD, interval=(max(0.0, reached - half), min(1.0, reached + half)), n=size.asks,
        details={"effect": effect, "critical": noise.critical}, runs=runs, seed=seed,
    )  # fmt: skip
    return Power(at, _smallest(size, noise, wanted, runs, seed))


def share_sd(share: float) -> float:
    """√(p(1−p)): the standard deviation of one yes or no."""
    if not 0 < share < 1:
        raise SettingError(f"A share lies between 0 and 1, not {share}. Type e.g. --accuracy 0.8")
    return math.sqrt(share * (1 - share))


def _smallest(size: Size, noise: _Noise, wanted: float, runs: int, seed: int) -> Estimate:
    unit = math.sqrt(size.variance + size.template_sd**2)
    high = unit
    while noise.power(high) < wanted:
        high *= 2
    value = float(optimize.bisect(lambda effect: noise.power(effect) - wanted, 0.0, high, xtol=high * 1e-4))
    return estimate(
        "smallest difference",
        value,
        METHOD,
        n=size.asks,
        details={"power": wanted, "asks": size.asks},
        runs=runs,
        seed=seed,
    )


def _noise(size: Size, runs: int, seed: int) -> _Noise:
    found = _table(size)
    random = np.random.default_rng(seed)
    spread = math.sqrt(size.variance + size.template_sd**2)
    rows = random.normal(0, spread, (runs, size.templates * size.levels[0] * size.levels[1]))
    shown = studentise(found, means(found, rows))
    largest = np.sort(np.abs(shown.statistics).max(axis=1))
    critical = float(largest[min(runs - 1, math.ceil((1 - size.alpha / size.measures) * runs))])
    cell = next(
        place for place, each in enumerate(found.contrasts) if each.kind == "deviation" and len(each.group.factors) == 2
    )
    return _Noise(shown.values[:, cell], shown.divisors[:, cell], critical)


def _table(size: Size) -> Layout:
    """The layout of one number per intersection and template."""
    cells = list(itertools.product(*(range(count) for count in size.levels)))
    factors = {name: np.tile([f"{cell[side]:03d}" for cell in cells], size.templates) for side, name in enumerate("ab")}
    names = np.repeat([f"{place:05d}" for place in range(size.templates)], len(cells))
    made = observations(np.zeros(len(names)), names, factors, references={"a": "000", "b": "000"}, crossed=("a", "b"))
    found = layout(made)
    inside, count = found.members[0], found.counts[0]
    squares = ((inside / np.maximum(count, 1) @ found.weights.T) ** 2).sum(axis=0)
    return found._replace(expected=squares * size.variance)


def _check(size: Size, wanted: float) -> None:
    for name, value, least in (
        ("templates", size.templates, 2), ("levels", min(size.levels), 2), ("repeats", size.repeats, 1),
        ("orders", size.orders, 1), ("measures", size.measures, 1),
    ):  # fmt: skip
        if value < least:
            raise SettingError(f"{name} must be at least {least}, not {value}.")
    if not (size.sd > 0 and 0 <= size.icc <= 1 and size.template_sd >= 0):
        raise SettingError(f"sd > 0, 0 ≤ icc ≤ 1, template_sd ≥ 0; given {size.sd}, {size.icc}, {size.template_sd}.")
    if not (0 < size.alpha < 1 and 0 < wanted < 1):
        raise SettingError(f"alpha and power lie between 0 and 1; given {size.alpha} and {wanted}.")
