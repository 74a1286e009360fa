"""Answers with the place at which their item was shown become the effect of that place; swapped names likewise.

value = (rater × target's item) + b · place: the slope within each target and item, over repeats that saw the items in
different orders (or the speakers under swapped names), errors clustered by target.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from empathic.records import Estimate
from empathic.statistics import linear
from empathic.statistics.effects import t_estimate
from empathic.statistics.estimates import absent
from empathic.statistics.inputs import Codes, Floats, codes
from empathic.statistics.observations import Observation, source

METHOD = "order-effect.v1"


By = Literal["place", "swapped"]
NAMES: dict[By, str] = {"place": "order effect", "swapped": "effect of swapped names"}


def order_effect(observations: Sequence[Observation], *, by: By = "place", level: float = 0.95) -> Estimate:
    """Points per place: how much higher an item is rated for standing one place later (or for swapped names)."""
    name = NAMES[by]
    found = [each for each in observations if getattr(each, by) is not None and each.value is not None]
    cells = codes([f"{source(each.rater)}\n{each.target}\n{each.measure}" for each in found])[1]
    values, places = (np.array([getattr(each, field) for each in found], float) for field in ("value", by))
    x, y = (_within(array, cells) for array in (places, values))
    moved = np.flatnonzero(np.abs(x) > 1e-12)
    targets = [found[place].target for place in moved]
    if len(set(targets)) < 2:
        reason = "no two targets were rated in both ways; rate with several permuted repeats"
        return absent(name, METHOD, reason, n=len(found))
    fit = linear.least_squares(x[moved, None], y[moved])
    error = float(linear.clustered(fit, targets)[0, 0] ** 0.5)
    if error <= 0:
        return absent(name, METHOD, "the same item always got the same value", n=len(moved))
    slope, df = float(fit.coefficients[0]), len(set(targets)) - 1
    return t_estimate(name, slope, error, df, method=METHOD, n=len(moved), level=level)


def _within(values: Floats, cells: Codes) -> Floats:
    """Values minus the mean of their cell."""
    if not len(values):
        return values
    sums, counts = np.bincount(cells, weights=values), np.bincount(cells)
    return np.asarray(values - (sums / counts)[cells])
