"""Ratings of subjects under every combination of within-subject factors become F tests with their own error strata.

For a term T, orthonormal contrasts of its factors (and the scaled mean of the others) turn each subject's ratings into
a score vector z of df₁ numbers. SS_T = n |z̄|², SS_error = Σ |z − z̄|², F = MS_T / MS_error with df₁ and (n − 1) df₁.
Sphericity: ε̂ = (tr S)² / (df₁ tr S²), S = cov z (Greenhouse & Geisser 1959, Psychometrika 24, 95–112), both df times ε̂.
Generalised η² = SS_T / (SS_T + SS_subjects + Σ SS_error) (Olejnik & Algina 2003, Psychological Methods 8, 434–447).
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.errors import SettingError
from empathic.records import Estimate, Json
from empathic.registry import signature
from empathic.statistics import effects, eta
from empathic.statistics.estimates import Array, absent, estimate

METHOD = "repeated-anova.v1"
POOLED = "repeated-anova-pooled.v1"
TINY = 1e-12


class Stratum(NamedTuple):
    """One term with its own error: sums of squares and the subjects' contrast scores."""

    term: tuple[int, ...]
    scores: Array
    effect: float
    error: float

    @property
    def df1(self) -> int:
        return int(self.scores.shape[1])


def repeated_measures(
    values: npt.ArrayLike, *, factors: Sequence[str], error: str = "own", level: float = 0.95
) -> tuple[Estimate, ...]:
    """One estimate (generalised η², F, p) per term of the factors; `values` is subjects × levels × levels × …

    `error="own"` tests each term against its interaction with subjects, Greenhouse–Geisser corrected;
    `error="pooled"` against all within-subject error together, as a model with one random intercept does.
    """
    array = np.asarray(values, dtype=np.float64)
    _check(array, factors, error)
    terms = [term for size in range(1, len(factors) + 1) for term in itertools.combinations(range(len(factors)), size)]
    method = METHOD if error == "own" else POOLED
    reason = _unfit(array)
    if reason:
        return tuple(
            absent(_name(term, factors), method, reason, n=array.shape[0], labels={"term": _join(term, factors)})
            for term in terms
        )
    found = strata(array, terms)
    between = float(np.prod(array.shape[1:]) * np.var(array.reshape(len(array), -1).mean(axis=1)) * len(array))
    test = _own if error == "own" else _pooled
    return tuple(test(stratum, found, between, factors, len(array), level) for stratum in found)


def strata(array: Array, terms: Sequence[tuple[int, ...]]) -> list[Stratum]:
    """The sums of squares of each term and of its own error."""
    result = []
    for term in terms:
        scores = _scores(array, term)
        centre = scores.mean(axis=0)
        effect = len(array) * float(centre @ centre)
        result.append(Stratum(term, scores, effect, float(np.sum((scores - centre) ** 2))))
    return result


def complete(values: npt.ArrayLike) -> tuple[Array, list[int]]:
    """The subjects that have every cell, and the positions of those that have not."""
    array = np.asarray(values, dtype=np.float64)
    whole = np.isfinite(array.reshape(len(array), -1)).all(axis=1)
    return array[whole], np.flatnonzero(~whole).tolist()


def greenhouse_geisser(scores: Array) -> float:
    """ε̂ = (tr S)² / (d tr S²): 1 under sphericity, 1/d at worst."""
    covariance = np.atleast_2d(np.cov(scores, rowvar=False))
    trace_of_square = float(np.sum(covariance * covariance))
    return float(np.trace(covariance)) ** 2 / (len(covariance) * trace_of_square) if trace_of_square > 0 else 1.0


def huynh_feldt(scores: Array) -> float:
    """ε̃ = (n d ε̂ − 2) / (d (n − 1 − d ε̂)), at most 1 (Huynh & Feldt 1976)."""
    n, d = scores.shape
    epsilon = greenhouse_geisser(scores)
    below = d * (n - 1 - d * epsilon)
    return min(1.0, (n * d * epsilon - 2) / below) if below > 0 else 1.0


def mauchly(scores: Array) -> tuple[float, float] | None:
    """W = det S / (tr S / d)^d (Mauchly 1940), p by Box's second-order χ²; None for d < 2 or too few subjects."""
    n, d = scores.shape
    if d < 2 or n <= d + 1:
        return None
    covariance = np.cov(scores, rowvar=False)
    sign, logarithm = np.linalg.slogdet(covariance)
    if sign <= 0:
        return None
    log_w = float(logarithm - d * np.log(np.trace(covariance) / d))
    rho = 1 - (2 * d * d + d + 2) / (6 * d * (n - 1))
    second = (d + 2) * (d - 1) * (d - 2) * (2 * d**3 + 6 * d**2 + 3 * d + 2) / (288 * ((n - 1) * d * rho) ** 2)
    chi2, df = -(n - 1) * rho * log_w, d * (d + 1) / 2 - 1
    first_order, correction = float(stats.chi2.sf(chi2, df)), float(stats.chi2.sf(chi2, df + 4))
    return float(np.exp(log_w)), first_order + second * (correction - first_order)


def contrast(values: npt.ArrayLike, *, weights: npt.ArrayLike, name: str, level: float = 0.95) -> Estimate:
    """A weighted sum of each subject's cells, tested against 0 by its own error: t(n − 1), with d_z in the details."""
    array, weighting = np.asarray(values, dtype=np.float64), np.asarray(weights, dtype=np.float64)
    if array.shape[1:] != weighting.shape:
        raise SettingError(f"The weights have shape {weighting.shape}; one subject's cells have {array.shape[1:]}.")
    method = "contrast.v1"
    if not np.isfinite(array).all():
        return absent(name, method, "a subject lacks a cell of the contrast", n=len(array))
    scores = np.tensordot(array, weighting, axes=weighting.ndim)
    spread = float(np.std(scores, ddof=1)) if len(scores) > 1 else 0.0
    if spread <= TINY * max(1.0, float(np.abs(scores).max(initial=0.0))):
        return absent(name, method, "the contrast does not vary between subjects", n=len(scores))
    mean, standard_error, df = float(scores.mean()), spread / len(scores) ** 0.5, len(scores) - 1
    half = float(stats.t.ppf((1 + level) / 2, df)) * standard_error
    t = mean / standard_error
    p = 2 * float(stats.t.sf(abs(t), df))
    details: Json = {"d_z": mean / spread, "standard_error": standard_error}
    span = (mean - half, mean + half)
    return estimate(
        name, mean, method, interval=span, level=level, n=len(scores), statistic=t, df=(df,), p=p, details=details
    )


def _check(array: Array, factors: Sequence[str], error: str) -> None:
    if error not in ("own", "pooled"):
        raise SettingError(f"error='{error}' is not known: choose 'own' or 'pooled'.")
    if array.ndim != len(factors) + 1 or not factors:
        raise SettingError(f"{len(factors)} factors need an array of {len(factors) + 1} dimensions, not {array.ndim}.")


def _unfit(array: Array) -> str:
    if len(array) < 2:
        return f"there are {len(array)} subjects, at least 2 are needed"
    if min(array.shape[1:]) < 2:
        return "a factor has fewer than two levels"
    holes = int((~np.isfinite(array.reshape(len(array), -1))).any(axis=1).sum())
    if holes:
        return f"{holes} of {len(array)} subjects lack a cell; drop them or fit a mixed model"
    return ""


def _scores(array: Array, term: tuple[int, ...]) -> Array:
    scores = array
    for axis in range(1, array.ndim):
        levels = array.shape[axis]
        mean = np.full((1, levels), levels**-0.5)
        matrix = contrasts(levels) if axis - 1 in term else mean
        scores = np.moveaxis(np.tensordot(scores, matrix, axes=([axis], [1])), -1, axis)
    return scores.reshape(len(array), -1)


def contrasts(levels: int) -> Array:
    """Orthonormal Helmert contrasts: (levels − 1) × levels."""
    matrix = np.tril(np.ones((levels - 1, levels)))
    rows = np.arange(1, levels)
    matrix[rows - 1, rows] = -rows
    return np.asarray(matrix / np.sqrt(rows * (rows + 1))[:, None])


def _own(
    stratum: Stratum, found: list[Stratum], between: float, factors: Sequence[str], n: int, level: float
) -> Estimate:
    name, labels = _name(stratum.term, factors), {"term": _join(stratum.term, factors)}
    df1, df2 = stratum.df1, (n - 1) * stratum.df1
    noise = between + sum(other.error for other in found)
    if stratum.error <= TINY * (noise + stratum.effect):
        return absent(name, METHOD, "there is no variation to test against", n=n, labels=labels)
    f = stratum.effect / df1 / (stratum.error / df2)
    epsilon = greenhouse_geisser(stratum.scores)
    size = effects.eta_squared(f, df1, df2, ss_error=stratum.error, ss_others=[noise - stratum.error], level=level)
    sphericity = mauchly(stratum.scores)
    details: Json = {
        "epsilon_gg": epsilon,
        "epsilon_hf": huynh_feldt(stratum.scores),
        "df_uncorrected": [df1, df2],
        "p_uncorrected": float(stats.f.sf(f, df1, df2)),
        "partial_eta2": eta.partial_eta(f, df1, df2),
        "mauchly_w": sphericity[0] if sphericity else None,
        "mauchly_p": sphericity[1] if sphericity else None,
    }
    df = (epsilon * df1, epsilon * df2)
    return msgspec.structs.replace(
        size,
        name=name,
        method=METHOD,
        n=n,
        df=df,
        p=float(stats.f.sf(f, *df)),
        labels=labels,
        details=details,
        signature=signature(METHOD),
    )


def _pooled(
    stratum: Stratum, found: list[Stratum], between: float, factors: Sequence[str], n: int, level: float
) -> Estimate:
    name, labels = _name(stratum.term, factors), {"term": _join(stratum.term, factors)}
    df1, df2 = stratum.df1, (n - 1) * sum(other.df1 for other in found)
    error = sum(other.error for other in found)
    if error <= TINY * (between + error + stratum.effect):
        return absent(name, POOLED, "there is no variation to test against", n=n, labels=labels)
    f = stratum.effect / df1 / (error / df2)
    details: Json = {"ms_subjects_over_mse": between / (n - 1) / (error / df2)}
    span = eta.partial_eta_interval(f, df1, df2, level=level)
    share, p = eta.partial_eta(f, df1, df2), float(stats.f.sf(f, df1, df2))
    return estimate(
        name,
        share,
        POOLED,
        interval=span,
        level=level,
        n=n,
        statistic=f,
        df=(df1, df2),
        p=p,
        labels=labels,
        details=details,
    )


def _join(term: tuple[int, ...], factors: Sequence[str]) -> str:
    return ":".join(factors[index] for index in term)


def _name(term: tuple[int, ...], factors: Sequence[str]) -> str:
    return f"effect of {_join(term, factors)}"
