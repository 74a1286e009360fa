"""Ratings of units by raters, with gaps, become Krippendorff's α with a bootstrap interval over units.

α = 1 − D_o / D_e = 1 − (n − 1) Σ o_ck δ²_ck / Σ n_c n_k δ²_ck, where o_ck counts the pairs of values within units, each
unit's pairs weighted by 1 / (m_u − 1), n_c how often value c is used in units with two or more ratings, n their sum.
δ² is 1 for unequal values (nominal), the squared difference of midranks (ordinal) or of values (interval)
(Krippendorff 2011, "Computing Krippendorff's alpha-reliability"; 2004, Content analysis, ch. 11).

All sums run over units, so one product of the bootstrap counts with the units' sums gives every replicate at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empathic.errors import UnknownName
from empathic.records import Estimate
from empathic.statistics.bootstrap import draws, percentile
from empathic.statistics.estimates import Array, absent, estimate

METHOD = "krippendorff-alpha.v1"


class Units(NamedTuple):
    """What α needs of the units with two or more ratings."""

    values: Array  # the distinct values, ascending
    counts: Array  # units × values: how often each value was given
    sizes: Array  # ratings per unit


def krippendorff_alpha(
    ratings: npt.ArrayLike,
    *,
    scale: str = "ordinal",
    name: str = "Krippendorff's α",
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 1,
) -> Estimate:
    """α of units × raters (None or NaN where a rater did not rate); `scale` is nominal, ordinal or interval."""
    if scale not in SCALES:
        raise UnknownName("scale", scale, SCALES)
    array = np.asarray(ratings, dtype=np.float64)
    units = read_units(array) if array.ndim == 2 else None
    reason = "a table of units × raters is needed" if units is None else _unfit(array, units)
    if units is None or reason:
        return absent(name, METHOD, reason, n=0, scale=scale, replicates=replicates, seed=seed)
    n = len(units.sizes)
    value = float(SCALES[scale](units, np.ones((1, n)))[0])
    sampled = SCALES[scale](units, draws(n, replicates=replicates, seed=seed)) if n > 1 and replicates else np.empty(0)
    span = percentile(sampled, level=level) if sampled.size else None
    details = {
        "ratings": int(units.sizes.sum()),
        "ratings_per_unit": float(units.sizes.mean()),
        "units_without_pairs": int(len(array) - n),
        "values": units.values.tolist()[:50],
    }
    return estimate(
        name,
        value,
        METHOD,
        interval=span,
        level=level,
        n=n,
        details=details,
        scale=scale,
        replicates=replicates,
        seed=seed,
    )


def read_units(array: Array) -> Units:
    """The units with at least two ratings, as counts of each value."""
    given = np.isfinite(array)
    pairable = given & (given.sum(axis=1, keepdims=True) >= 2)
    kept = pairable.any(axis=1)
    values, codes = np.unique(array[pairable], return_inverse=True)
    rows = np.cumsum(kept)[np.nonzero(pairable)[0]] - 1
    flat = np.bincount(rows * len(values) + codes, minlength=int(kept.sum()) * len(values))
    counts = flat.reshape(int(kept.sum()), len(values)).astype(np.float64)
    return Units(values, counts, counts.sum(axis=1))


def _unfit(array: Array, units: Units) -> str:
    if array.shape[1] < 2:
        return f"there are ratings by {array.shape[1]} rater(s), at least 2 are needed"
    if not len(units.sizes):
        return "no unit was rated by two raters"
    if len(units.values) < 2:
        return "all ratings are equal, so agreement cannot be told from habit"
    return ""


def _nominal(units: Units, draw: Array) -> Array:
    own = (units.sizes**2 - (units.counts**2).sum(axis=1)) / (units.sizes - 1)
    summed = draw @ np.column_stack([own, units.counts])
    totals = summed[:, 1:]
    n = totals.sum(axis=1)
    return _alpha(summed[:, 0], n**2 - (totals**2).sum(axis=1), n)


def _interval(units: Units, draw: Array) -> Array:
    centred = units.values - units.values.mean()
    sums, squares = units.counts @ centred, units.counts @ centred**2
    own = 2 * (units.sizes * squares - sums**2) / (units.sizes - 1)
    observed, n, total, square = (draw @ np.column_stack([own, units.sizes, sums, squares])).T
    return _alpha(observed, 2 * (n * square - total**2), n)


def _ordinal(units: Units, draw: Array) -> Array:
    """Σ o_ck (R_c − R_k)² = 2 Σ n_c R_c² − 2 Σ R_c o_ck R_k, with R the midranks of the replicate."""
    totals = draw @ units.counts
    n = totals.sum(axis=1)
    ranks = np.cumsum(totals, axis=1) - totals / 2
    ranks -= n[:, None] / 2
    squares = (totals * ranks**2).sum(axis=1)
    expected = 2 * (n * squares - (totals * ranks).sum(axis=1) ** 2)
    return _alpha(2 * squares - 2 * _products(units, draw, ranks), expected, n)


def _products(units: Units, draw: Array, ranks: Array) -> Array:
    """Σ R_c o_ck R_k for every replicate; o_ck = Σ over units (counts_c counts_k − [c = k] counts_c) / (m − 1)."""
    width, upper = len(units.values), np.triu_indices(len(units.values))
    weighted = units.counts / (units.sizes - 1)[:, None]
    pairs = weighted[:, upper[0]] * units.counts[:, upper[1]]
    diagonal = upper[0] == upper[1]
    pairs[:, diagonal] -= weighted
    pairs[:, ~diagonal] *= 2
    result = np.zeros(len(draw))
    step = max(1, 2**24 // max(1, len(draw)))
    for start in range(0, width * (width + 1) // 2, step):
        part = slice(start, start + step)
        ranked = ranks[:, upper[0][part]] * ranks[:, upper[1][part]]
        result += ((draw @ pairs[:, part]) * ranked).sum(axis=1)
    return result


def _alpha(observed: Array, expected: Array, n: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(expected > 0, 1 - (n - 1) * observed / expected, np.nan))


SCALES: dict[str, Callable[[Units, Array], Array]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "interval": _interval,
}
