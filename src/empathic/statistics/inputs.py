"""Whatever a caller passes becomes clean arrays, or the reason why nothing can be estimated from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]


def numbers(values: ArrayLike) -> Floats:
    """One-dimensional floats; None becomes NaN, which every estimate refuses by name."""
    given = np.asarray(values)
    if given.dtype.kind in "fiub":
        return np.ravel(given).astype(np.float64)
    return np.array([np.nan if value is None else value for value in np.ravel(np.asarray(values, dtype=object))], float)


def codes(labels: ArrayLike | Sequence[Any]) -> tuple[NDArray[Any], Codes]:
    """Sorted distinct labels, and for each element the place of its label among them."""
    levels, places = np.unique(np.asarray(labels), return_inverse=True)
    return levels, np.ravel(places)


def split(values: ArrayLike, groups: ArrayLike) -> list[Floats]:
    """The values of each group, groups in sorted order."""
    numeric, (levels, places) = numbers(values), codes(groups)
    return [numeric[places == place] for place in range(len(levels))]


def reason_against(*samples: Floats, least: int = 1) -> str | None:
    """Why these samples cannot be used: values that are not finite, or fewer than `least` in one of them."""
    for place, sample in enumerate(samples, 1):
        bad = int(np.count_nonzero(~np.isfinite(sample)))
        if bad:
            return f"{bad} of {len(sample)} values of sample {place} are not numbers; leave them out and say so"
        if len(sample) < least:
            return f"sample {place} has {len(sample)} values, at least {least} are needed"
    return None


def lengths_differ(**arrays: Sequence[Any] | NDArray[Any]) -> str | None:
    """The reason, if parallel arrays have different lengths."""
    lengths = {name: len(array) for name, array in arrays.items()}
    return f"the lengths differ: {lengths}" if len(set(lengths.values())) > 1 else None


def constant(*samples: Floats) -> bool:
    """Whether no sample varies beyond the rounding of its own mean."""
    return all(np.ptp(sample) <= 1e-12 * max(1.0, float(np.abs(sample).max(initial=0.0))) for sample in samples)
