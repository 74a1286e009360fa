"""Sampling units become bootstrap weights: how often each unit is drawn in each replicate."""

from __future__ import annotations

import numpy as np

from empathic.statistics.estimates import Array


def draws(units: int, *, replicates: int, seed: int) -> Array:
    """Replicates × units: the number of times each unit is drawn with replacement.

    A statistic that is a function of sums over units needs one matrix product for all replicates.
    """
    rng = np.random.default_rng(seed)
    counts = np.empty((replicates, units))
    for row in counts:  # row by row, because a row's counts stay in the processor's cache
        row[:] = np.bincount(rng.integers(0, units, size=units), minlength=units)
    return counts


def percentile(replicated: Array, *, level: float) -> tuple[float, float] | None:
    """The percentile interval of the finite replicates; None if fewer than half are finite."""
    finite = replicated[np.isfinite(replicated)]
    if finite.size * 2 < replicated.size or finite.size < 2:
        return None
    low, high = np.quantile(finite, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
