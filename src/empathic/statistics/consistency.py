"""Answers of respondents to the items of a scale become its internal consistency; reliability becomes rater counts.

Cronbach's α = k / (k − 1) (1 − Σ s²_i / s²_total), interval by Feldt (1965), Psychometrika 30, 357–370.
McDonald's ω = (Σ λ)² / ((Σ λ)² + Σ ψ), λ and ψ from a one-factor maximum-likelihood model (McDonald 1999, Test theory),
interval by bootstrap over respondents. Spearman–Brown: m ρ / (1 + (m − 1) ρ).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.errors import SettingError
from empathic.records import Estimate
from empathic.statistics.bootstrap import draws, percentile
from empathic.statistics.estimates import Array, absent, estimate, vector

CRONBACH, OMEGA, TWO = "cronbach-alpha.v1", "mcdonald-omega.v1", "spearman-brown.v1"
STEPS, TOLERANCE = 5000, 1e-9


def cronbach_alpha(items: npt.ArrayLike, *, name: str = "Cronbach's α", level: float = 0.95) -> Estimate:
    """α of respondents × items, reversed items already turned."""
    array = np.asarray(items, dtype=np.float64)
    reason = _unfit(array)
    if reason:
        return absent(name, CRONBACH, reason, n=len(array) if array.ndim else 0)
    n, k = array.shape
    total = float(array.sum(axis=1).var(ddof=1))
    if total <= 0:
        return absent(name, CRONBACH, "the sum of the items does not vary", n=n)
    value = k / (k - 1) * (1 - float(array.var(axis=0, ddof=1).sum()) / total)
    df = (n - 1, (n - 1) * (k - 1))
    low, high = (1 - (1 - value) * float(stats.f.ppf((1 + side * level) / 2, *df)) for side in (1, -1))
    return estimate(name, value, CRONBACH, interval=(low, high), level=level, n=n, df=df, details={"items": k})


def mcdonald_omega(
    items: npt.ArrayLike, *, name: str = "McDonald's ω", level: float = 0.95, replicates: int = 500, seed: int = 1
) -> Estimate:
    """ω of respondents × items, from one common factor."""
    array = np.asarray(items, dtype=np.float64)
    reason = _unfit(array) or ("one factor needs at least 3 items" if array.shape[1] < 3 else "")
    if reason:
        return absent(name, OMEGA, reason, n=len(array) if array.ndim else 0, replicates=replicates, seed=seed)
    n, k = array.shape
    centred = array - array.mean(axis=0)
    loadings, unique, settled = one_factor((centred.T @ centred / n)[None])
    if not settled[0]:
        return absent(name, OMEGA, "the one-factor model did not converge", n=n, replicates=replicates, seed=seed)
    counts = draws(n, replicates=replicates, seed=seed)
    sampled, sampled_unique, ready = one_factor(_covariances(array, counts))
    replicated = np.where(ready, _omega(sampled, sampled_unique), np.nan)
    return estimate(
        name,
        float(_omega(loadings, unique)[0]),
        OMEGA,
        interval=percentile(replicated, level=level),
        level=level,
        n=n,
        details={"items": k, "loadings": loadings[0].tolist(), "unique": unique[0].tolist()},
        replicates=replicates,
        seed=seed,
    )


def two_items(first: npt.ArrayLike, second: npt.ArrayLike, *, name: str, level: float = 0.95) -> Estimate:
    """Reliability of the mean of two items or halves: 2 r / (1 + r), interval by Fisher's z of r."""
    one, other = vector(first), vector(second)
    array = np.column_stack([one, other]) if one.size == other.size else np.empty((0, 2))
    reason = _unfit(array) or ("Fisher's z needs at least 4 pairs" if len(array) < 4 else "")
    if reason:
        return absent(name, TWO, reason, n=len(array))
    r = float(np.corrcoef(one, other)[0, 1])
    if abs(r) > 1 - 1e-12:
        return estimate(name, spearman_brown(r, 2) if r > 0 else math.nan, TWO, n=len(array), details={"r": r})
    half = float(stats.norm.ppf((1 + level) / 2)) / (len(array) - 3) ** 0.5
    span = [spearman_brown(math.tanh(math.atanh(r) + side * half), 2) for side in (-1, 1)]
    return estimate(
        name, spearman_brown(r, 2), TWO, interval=(span[0], span[1]), level=level, n=len(array), details={"r": r}
    )


def spearman_brown(reliability: float, factor: float) -> float:
    """The reliability of a mean of `factor` times as many ratings."""
    return factor * reliability / (1 + (factor - 1) * reliability)


def raters_needed(single: Estimate, *, target: float, raters: float = 1) -> Estimate:
    """How many raters per unit until the reliability of their mean reaches `target`.

    `single` is the reliability of one rating (Krippendorff's α, an ICC(·,1)); m = target (1 − ρ) / (ρ (1 − target)),
    rounded up. The bounds come from those of `single`; `details["more"]` is what is wanted beyond `raters` there are.
    """
    if not 0 < target < 1:
        raise SettingError(f"The wanted reliability lies between 0 and 1; given {target}.")
    name, method = f"raters for reliability ≥ {target:g}", "raters-needed.v1"
    if single.value is None:
        return absent(name, method, single.missing or "the reliability is missing", n=single.n, target=target)
    if single.value <= 0:
        reason = f"the reliability of one rating is {single.value:.3f}: no number of raters helps"
        return absent(name, method, reason, n=single.n, target=target)
    needed = _count(single.value, target)
    low = None if single.high is None else float(_count(single.high, target))
    high = None if single.low is None or single.low <= 0 else float(_count(single.low, target))
    reached = spearman_brown(single.value, raters)
    details = {"more": max(0, needed - math.floor(raters)), "now": raters, "reliability_now": reached}
    return Estimate(
        name=name,
        value=float(needed),
        method=method,
        low=low,
        high=high,
        level=single.level,
        n=single.n,
        details=details,
        signature=absent(name, method, "", target=target).signature,
    )


def one_factor(covariances: Array) -> tuple[Array, Array, npt.NDArray[np.bool_]]:
    """Loadings and unique variances of many covariance matrices at once by EM (Rubin & Thayer 1982); which settled.

    Items are scaled to variance 1 while fitting. A unique variance is kept above 1e-6, so that a Heywood case settles.
    """
    scale = np.sqrt(np.einsum("bii->bi", covariances))
    usable = (scale > 0).all(axis=1)
    safe = np.where(scale > 0, scale, 1.0)
    s = covariances / safe[:, :, None] / safe[:, None, :]
    loadings = _first_component(s)
    unique = np.clip(1 - loadings**2, 0.05, None)
    settled = np.zeros(len(s), dtype=bool)
    for _ in range(STEPS):
        before = loadings
        loadings, unique = _em_step(s, loadings, unique)
        settled = np.abs(loadings - before).max(axis=1) < TOLERANCE
        if settled.all():
            break
    return loadings * safe, unique * safe**2, settled & usable


def _em_step(s: Array, loadings: Array, unique: Array) -> tuple[Array, Array]:
    weighted = loadings / unique
    beta = weighted / (1 + (weighted * loadings).sum(axis=1, keepdims=True))
    cross = np.einsum("bij,bj->bi", s, beta)
    second = 1 - (beta * loadings).sum(axis=1) + (beta * cross).sum(axis=1)
    new = cross / second[:, None]
    return new, np.clip(np.einsum("bii->bi", s) - new * cross, 1e-6, None)


def _first_component(s: Array) -> Array:
    values, vectors = np.linalg.eigh(s)
    first = vectors[:, :, -1] * np.sqrt(values[:, -1:])
    signs = np.where(first.sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    return np.asarray(np.clip(first * signs, -0.95, 0.95))


def _covariances(array: Array, counts: Array) -> Array:
    n = array.shape[0]
    means = counts @ array / n
    products = np.einsum("bn,ni,nj->bij", counts, array, array, optimize=True) / n
    return np.asarray(products - means[:, :, None] * means[:, None, :])


def _omega(loadings: Array, unique: Array) -> Array:
    common = loadings.sum(axis=1) ** 2
    return np.asarray(common / (common + unique.sum(axis=1)))


def _count(reliability: float, target: float) -> int:
    if reliability >= 1:
        return 1
    return max(1, math.ceil(target * (1 - reliability) / (reliability * (1 - target)) - 1e-9))


def _unfit(array: Array) -> str:
    if array.ndim != 2 or min(array.shape) < 2:
        return "at least 2 respondents and 2 items are needed"
    holes = int((~np.isfinite(array)).any(axis=1).sum())
    if holes:
        return f"{holes} of {len(array)} respondents lack an answer; drop them and say so"
    constant = np.flatnonzero(np.ptp(array, axis=0) == 0)
    if constant.size:
        return f"everybody gave the same answer to item {int(constant[0]) + 1}"
    return ""
