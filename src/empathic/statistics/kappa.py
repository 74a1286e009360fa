"""Two raters' categories become Cohen's κ, plain or weighted by distance, with its interval.

κ = (p_o − p_e) / (1 − p_e), agreement weighted by w = 1 − d (linear) or 1 − d² (quadratic), d = |a − b| / range
of the values themselves, so that a level nobody used does no harm (Cohen 1968, Psychological Bulletin 70, 213–220).
Standard error: Fleiss, Cohen & Everitt (1969), Psychological Bulletin 72, 323–327.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.errors import UnknownName
from empathic.records import Estimate
from empathic.statistics.estimates import Array, absent, estimate, vector

METHOD = "weighted-kappa.v1"
WEIGHTS = {"none": 0, "linear": 1, "quadratic": 2}


def weighted_kappa(
    first: npt.ArrayLike,
    second: npt.ArrayLike,
    *,
    weights: str = "quadratic",
    name: str = "κ",
    level: float = 0.95,
) -> Estimate:
    """κ over the things both raters rated (None or NaN where one did not)."""
    if weights not in WEIGHTS:
        raise UnknownName("weighting", weights, WEIGHTS)
    one, other = vector(first), vector(second)
    both = np.isfinite(one) & np.isfinite(other) if one.size == other.size else np.zeros(0, dtype=bool)
    n = int(both.sum())
    reason = _unfit(one, other, both)
    if reason:
        return absent(name, METHOD, reason, n=n, weights=weights)
    table, agreement = _table(one[both], other[both], WEIGHTS[weights])
    value, error, null_error = _kappa(table, agreement, n)
    half = float(stats.norm.ppf((1 + level) / 2)) * error
    z = value / null_error if null_error > 0 else None
    return estimate(
        name,
        value,
        METHOD,
        interval=(max(-1.0, value - half), min(1.0, value + half)),
        level=level,
        n=n,
        statistic=z,
        p=None if z is None else 2 * float(stats.norm.sf(abs(z))),
        details={"standard_error": error, "left_out": int(both.size - n)},
        weights=weights,
    )


def _unfit(one: Array, other: Array, both: npt.NDArray[np.bool_]) -> str:
    if one.size != other.size:
        return f"the raters gave {one.size} and {other.size} values; one pair per thing is needed"
    if both.sum() < 2:
        return f"both raters rated {int(both.sum())} thing(s) in common, at least 2 are needed"
    if len(np.unique(np.concatenate([one[both], other[both]]))) < 2:
        return "both raters gave one and the same value throughout"
    return ""


def _table(one: Array, other: Array, power: int) -> tuple[Array, Array]:
    values = np.unique(np.concatenate([one, other]))
    table = np.zeros((len(values), len(values)))
    np.add.at(table, (np.searchsorted(values, one), np.searchsorted(values, other)), 1 / len(one))
    if power == 0:
        return table, np.eye(len(values))
    return table, 1 - (np.abs(values[:, None] - values) / np.ptp(values)) ** power


def _kappa(table: Array, w: Array, n: int) -> tuple[float, float, float]:
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    chance = np.outer(rows, columns)
    observed, expected = float((w * table).sum()), float((w * chance).sum())
    value = (observed - expected) / (1 - expected)
    mean = (w @ columns)[:, None] + (rows @ w)[None, :]
    spread = (table * (w - mean * (1 - value)) ** 2).sum() - (value - expected * (1 - value)) ** 2
    null = (chance * (w - mean) ** 2).sum() - expected**2
    scale = n * (1 - expected) ** 2
    return value, float(np.sqrt(max(0.0, spread) / scale)), float(np.sqrt(max(0.0, null) / scale))
