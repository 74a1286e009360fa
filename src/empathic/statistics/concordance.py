"""Subjects who each order (rate) the same things become Friedman's test and Kendall's W, corrected for ties.

With midranks R within subjects, n subjects and k things: χ² = 12 Σ (R̄_j − (k+1)/2)² n / (k (k+1)) / C,
C = 1 − Σ (t³ − t) / (n (k³ − k)); W = χ² / (n (k − 1)) (Kendall & Babington Smith 1939; Friedman 1937).
F = (n − 1) W / (1 − W) holds its size better than χ² (Iman & Davenport 1980, Communications in Statistics A9, 571–595).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.records import Estimate, Json
from empathic.statistics.bootstrap import draws, percentile
from empathic.statistics.estimates import Array, absent, estimate

METHOD = "friedman.v1"


def friedman(
    values: npt.ArrayLike, *, name: str = "Kendall's W", level: float = 0.95, replicates: int = 1000, seed: int = 1
) -> Estimate:
    """Kendall's W of subjects × things with a bootstrap interval over subjects; p is Iman and Davenport's F test."""
    array = np.asarray(values, dtype=np.float64)
    n, k = array.shape if array.ndim == 2 else (0, 0)
    reason = _unfit(array, n, k)
    if reason:
        return absent(name, METHOD, reason, n=n, replicates=replicates, seed=seed)
    ranks = stats.rankdata(array, axis=1)
    spread = _spread(ranks)
    w = float(_w(ranks.sum(axis=0), spread.sum(), n, k))
    chi2 = w * n * (k - 1)
    f, df = _iman_davenport(w, n, k)
    counts = draws(n, replicates=replicates, seed=seed)
    sampled = _w(counts @ ranks, counts @ spread, n, k)
    details: Json = {"chi2": chi2, "chi2_df": k - 1, "chi2_p": float(stats.chi2.sf(chi2, k - 1)), "f": f}
    p = details["chi2_p"] if f is None else float(stats.f.sf(f, *df))
    interval = percentile(sampled, level=level)
    return estimate(
        name,
        w,
        METHOD,
        interval=interval,
        level=level,
        n=n,
        statistic=f,
        df=df,
        p=p,
        details=details,
        replicates=replicates,
        seed=seed,
    )


def _unfit(array: Array, n: int, k: int) -> str:
    if n < 2 or k < 2:
        return f"{n} subjects and {k} things; at least 2 of each are needed"
    if not np.isfinite(array).all():
        return f"{int((~np.isfinite(array)).any(axis=1).sum())} of {n} subjects lack a value"
    if not np.ptp(array, axis=1).any():
        return "every subject gave all things the same value"
    return ""


def _spread(ranks: Array) -> Array:
    """Each subject's Σ (rank − mean rank)², which is (k³ − k) / 12 less Σ (t³ − t) / 12 of its ties."""
    return np.asarray(((ranks - ranks.mean(axis=1, keepdims=True)) ** 2).sum(axis=1))


def _w(sums: Array, spread: Array, n: int, k: int) -> Array:
    """W = variation of the rank sums over the largest it could be, n times the subjects' own."""
    variation = ((sums - n * (k + 1) / 2) ** 2).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(variation / (n * spread))


def _iman_davenport(w: float, n: int, k: int) -> tuple[float | None, tuple[float, float]]:
    df = (float(k - 1), float((k - 1) * (n - 1)))
    return (None if w >= 1 - 1e-12 else (n - 1) * w / (1 - w)), df
