"""Answer sheets of a scale become a check of its factors: how many there are, and whether the claimed ones fit better.

Parallel analysis (Horn 1965, Psychometrika 30, 179–185), with columns permuted instead of drawn from a normal, so that
the items keep their own distributions (Buja & Eyuboglu 1992). Confirmatory model by maximum likelihood:
Σ = Λ Φ Λ' + Ψ, F = ln|Σ| + tr(S Σ⁻¹) − ln|S| − p, χ² = n F (Jöreskog 1969, Psychometrika 34, 183–202); CFI (Bentler
1990), RMSEA with its 90 % interval (Browne & Cudeck 1993), SRMR (Bentler 1995).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import optimize, stats

from empathic.records import Json, Record
from empathic.statistics.estimates import Array

Mask = npt.NDArray[np.bool_]
LEAST_UNIQUE = 1e-4
SETTINGS: Any = {"maxiter": 5000, "maxfun": 50000, "ftol": 1e-14, "gtol": 1e-8}


class Parallel(Record, frozen=True, omit_defaults=False):
    """How many factors stand out of what permuted columns give."""

    factors: int | None
    eigenvalues: tuple[float, ...]
    thresholds: tuple[float, ...]  # the 95th percentile of each eigenvalue with columns permuted
    n: int
    missing: str | None = None


class FactorModel(Record, frozen=True, omit_defaults=False):
    """A confirmatory factor model and how it fits."""

    name: str
    n: int
    chi2: float | None = None
    df: int | None = None
    p: float | None = None
    cfi: float | None = None
    rmsea: float | None = None
    rmsea_low: float | None = None
    rmsea_high: float | None = None
    srmr: float | None = None
    aic: float | None = None
    bic: float | None = None
    loadings: dict[str, dict[str, float]] = {}  # factor → item → standardised loading
    correlations: dict[str, float] = {}  # "one, other" → correlation of the factors
    cautions: tuple[str, ...] = ()
    missing: str | None = None


class _Shape(NamedTuple):
    mask: Mask  # items × factors: which loadings are free
    pairs: tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]


def parallel_analysis(values: Array, *, replicates: int = 500, quantile: float = 0.95, seed: int = 1) -> Parallel:
    """The number of leading eigenvalues of the correlations that exceed those of independent columns."""
    n = len(values)
    if reason := _unfit(values):
        return Parallel(factors=None, eigenvalues=(), thresholds=(), n=n, missing=reason)
    rng = np.random.default_rng(seed)
    observed = _eigenvalues(values)
    permuted = np.array([_eigenvalues(rng.permuted(values, axis=0)) for _ in range(replicates)])
    thresholds = np.quantile(permuted, quantile, axis=0)
    below = observed <= thresholds
    factors = int(np.argmax(below)) if below.any() else len(observed)
    return Parallel(factors=factors, eigenvalues=tuple(observed), thresholds=tuple(thresholds.tolist()), n=n)


def _eigenvalues(values: Array) -> list[float]:
    found: list[float] = np.linalg.eigvalsh(_correlations(values))[::-1].tolist()
    return found


def _correlations(values: Array) -> Array:
    return np.asarray(np.corrcoef(values.T), dtype=np.float64)


def _unfit(values: Array) -> str | None:
    n, k = values.shape
    if k < 3 or n <= k + 1:
        return f"{n} complete sheets of {k} items; at least 3 items and more sheets than items are needed"
    if constant := np.flatnonzero(np.ptp(values, axis=0) == 0).tolist():
        return f"everybody gave the same answer to item {constant[0] + 1}"
    if np.linalg.eigvalsh(_correlations(values))[0] < 1e-10:
        return "some items follow exactly from others"
    return None


def confirmatory(name: str, values: Array, items: Sequence[str], factors: dict[str, Sequence[str]]) -> FactorModel:
    """The model in which each factor loads on its items, factors correlated, fitted to answer sheets × items."""
    if reason := _unfit(values):
        return FactorModel(name=name, n=len(values), missing=reason)
    mask = np.array([[item in members for members in factors.values()] for item in items])
    return fit_correlations(name, _correlations(values), len(values), items, list(factors), mask)


def fit_correlations(
    name: str, observed: Array, n: int, items: Sequence[str], factors: Sequence[str], mask: Mask
) -> FactorModel:
    """The same from a correlation matrix (the fit does not depend on the items' units)."""
    shape = _Shape(mask, np.triu_indices(mask.shape[1], 1))
    free = int(mask.sum()) + len(shape.pairs[0]) + len(items)
    df = len(items) * (len(items) + 1) // 2 - free
    if df < 0:
        return FactorModel(name=name, n=n, df=df, missing="the model has more parameters than there are correlations")
    start = np.concatenate([np.full(int(mask.sum()), 0.5), np.full(len(shape.pairs[0]), 0.5), np.full(len(items), 0.5)])
    bounds = [(-3.0, 3.0)] * int(mask.sum()) + [(-0.999, 0.999)] * len(shape.pairs[0])
    bounds += [(LEAST_UNIQUE, 5.0)] * len(items)
    done = optimize.minimize(
        _discrepancy, start, args=(shape, observed), jac=True, method="L-BFGS-B", bounds=bounds, options=SETTINGS
    )
    if _rank(done.x, shape) < free:
        return FactorModel(name=name, n=n, df=df, missing="the model is not identified: its items do not fix it")
    parts = _parts(done.x, shape)
    described = _described(parts, items, factors, shape)
    return FactorModel(name=name, n=n, **_fit(float(done.fun), df, free, observed, _implied(*parts), n), **described)


def _parts(theta: Array, shape: _Shape) -> tuple[Array, Array, Array]:
    count, pairs = int(shape.mask.sum()), len(shape.pairs[0])
    loadings = np.zeros(shape.mask.shape)
    loadings[shape.mask] = theta[:count]
    phi = np.eye(shape.mask.shape[1])
    phi[shape.pairs] = theta[count : count + pairs]
    phi.T[shape.pairs] = theta[count : count + pairs]
    return loadings, phi, theta[count + pairs :]


def _implied(loadings: Array, phi: Array, unique: Array) -> Array:
    return np.asarray(loadings @ phi @ loadings.T + np.diag(unique))


def _discrepancy(theta: Array, shape: _Shape, observed: Array) -> tuple[float, Array]:
    """F and its gradient; a matrix that is no covariance is far away."""
    loadings, phi, unique = _parts(theta, shape)
    implied = _implied(loadings, phi, unique)
    sign, logdet = np.linalg.slogdet(implied)
    if sign <= 0 or np.linalg.eigvalsh(implied)[0] <= 0:
        return 1e6, np.zeros_like(theta)
    inverse = np.linalg.inv(implied)
    value = logdet + float(np.trace(observed @ inverse)) - np.linalg.slogdet(observed)[1] - len(observed)
    slope = inverse @ (implied - observed) @ inverse
    by_phi = 2 * (loadings.T @ slope @ loadings)[shape.pairs]
    gradient = np.concatenate([(2 * slope @ loadings @ phi)[shape.mask], by_phi, np.diag(slope)])
    return float(value), gradient


def _rank(theta: Array, shape: _Shape) -> int:
    """The rank of the derivatives of Σ: less than the number of parameters means not identified."""
    size, step = shape.mask.shape[0], 1e-6
    lower = np.tril_indices(size)
    columns = []
    for place in range(len(theta)):
        shift = np.zeros_like(theta)
        shift[place] = step
        moved = _implied(*_parts(theta + shift, shape)) - _implied(*_parts(theta - shift, shape))
        columns.append(moved[lower] / (2 * step))
    return int(np.linalg.matrix_rank(np.array(columns).T, tol=1e-5))


def _fit(value: float, df: int, free: int, observed: Array, implied: Array, n: int) -> Json:
    chi2 = max(0.0, n * value)
    null, null_df = -n * float(np.linalg.slogdet(observed)[1]), len(observed) * (len(observed) - 1) / 2
    excess, null_excess = max(chi2 - df, 0.0), max(null - null_df, chi2 - df, 0.0)
    residual = (observed - implied)[np.tril_indices(len(observed))]
    low, high = _noncentrality(chi2, df)
    scale = n * df if df else 1
    likelihood = -n / 2 * (len(observed) * np.log(2 * np.pi) + np.linalg.slogdet(implied)[1]) - n / 2 * float(
        np.trace(observed @ np.linalg.inv(implied))
    )
    return {
        "chi2": chi2,
        "df": df,
        "p": float(stats.chi2.sf(chi2, df)) if df else None,
        "cfi": 1 - excess / null_excess if null_excess > 0 else 1.0,
        "rmsea": (excess / scale) ** 0.5 if df else None,
        "rmsea_low": (low / scale) ** 0.5 if df else None,
        "rmsea_high": (high / scale) ** 0.5 if df else None,
        "srmr": float(np.sqrt((residual**2).mean())),
        "aic": float(-2 * likelihood + 2 * free),
        "bic": float(-2 * likelihood + np.log(n) * free),
    }


def _noncentrality(chi2: float, df: int) -> tuple[float, float]:
    """The 90 % interval of the noncentrality of χ²."""
    if not df:
        return 0.0, 0.0

    def bound(share: float) -> float:
        if stats.chi2.cdf(chi2, df) <= share:
            return 0.0
        return float(optimize.brentq(lambda nc: stats.ncx2.cdf(chi2, df, nc) - share, 1e-9, chi2 * 4 + 100))

    return bound(0.95), bound(0.05)


def _described(
    parts: tuple[Array, Array, Array], items: Sequence[str], factors: Sequence[str], shape: _Shape
) -> Json:  # fmt: skip
    loadings, phi, unique = parts
    cautions = []
    if (unique <= LEAST_UNIQUE * 1.01).any():
        cautions.append("an item has no error of its own (Heywood case)")
    if (np.abs(phi[shape.pairs]) > 0.995).any() or np.linalg.eigvalsh(phi)[0] < 0:
        cautions.append("two factors cannot be told apart")
    loaded = {
        factor: {items[int(i)]: float(loadings[i, j]) for i in np.flatnonzero(shape.mask[:, j])}
        for j, factor in enumerate(factors)
    }
    pairs = zip(*shape.pairs, strict=True)
    correlations = {f"{factors[i]}, {factors[j]}": float(phi[i, j]) for i, j in pairs}
    return {"loadings": loaded, "correlations": correlations, "cautions": tuple(cautions)}
