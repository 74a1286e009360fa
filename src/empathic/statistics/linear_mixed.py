"""Ratings with their raters and items become group differences from the linear mixed model, fitted by REML.

y = Xβ + σ₁u₁[rater] + σ₂u₂[item] + ε. The deviance is profiled over β and σ as in `lme4` (Bates et al. 2015, eq. 42);
degrees of freedom are Satterthwaite's: 2v²/(g'Ag), v the variance of the contrast, g its gradient in the variance
parameters and A their asymptotic covariance; several contrasts at once as in `lmerTest` (Kuznetsova et al. 2017).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, sparse, stats
from scipy.sparse import linalg as splinalg

from empathic.records import Estimate
from empathic.statistics import crossed, linear
from empathic.statistics.effects import t_estimate
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Floats, codes, constant, lengths_differ, numbers, reason_against

METHOD = "linear_mixed_reml.v1"
DF_LIMIT = 1e7


class Mixed(NamedTuple):
    """The test of all groups, the difference of each pair, and the standard deviations of rater, item and residual."""

    groups: Estimate
    pairs: tuple[Estimate, ...]
    deviations: tuple[Estimate, ...]


class MixedFit(NamedTuple):
    """A REML fit: coefficients, covariance, and the variance parameters (σ_j/σ …, σ) with their own covariance."""

    coefficients: Floats
    covariance: Floats
    parameters: Floats
    parameter_covariance: Floats
    slopes: tuple[Floats, ...]  # ∂ covariance / ∂ parameter
    deviance: float


def linear_mixed(
    values: ArrayLike, groups: ArrayLike, *, raters: ArrayLike | None = None, items: ArrayLike | None = None,
    level: float = 0.95,
) -> Mixed:  # fmt: skip
    """Groups compared with random raters and/or items: F and t tests with Satterthwaite's degrees of freedom."""
    given = {name: np.asarray(label) for name, label in (("rater", raters), ("item", items)) if label is not None}
    numeric, levels = numbers(values), codes(groups)[0].tolist()
    if reason := _problem(numeric, groups, given):
        return _refused(reason, levels, list(given), len(numeric))
    fit = fit_reml(numeric, linear.indicators(groups), crossed.factors(*given.values()))
    pairs = tuple(
        _pair(fit, levels, a, b, len(numeric), level) for a, b in itertools.combinations(range(len(levels)), 2)
    )
    spread = zip([*given, "residual"], [*fit.parameters[:-1] * fit.parameters[-1], fit.parameters[-1]], strict=True)
    deviations = tuple(estimate(f"sd_{name}", abs(float(sd)), METHOD, n=len(numeric)) for name, sd in spread)
    return Mixed(_omnibus(fit, len(numeric)), pairs, deviations)


def fit_reml(values: Floats, design: Floats, shape: crossed.Factors) -> MixedFit:
    """Minimise the REML deviance over the relative standard deviations."""
    count = 1 if shape.single else 2

    def profiled(relative: Floats) -> float:
        return _profile(values, design, shape, relative)[0]

    found = optimize.minimize(
        profiled, np.full(count, 0.3), method="Nelder-Mead", options={"xatol": 1e-7, "fatol": 1e-9, "maxiter": 2000}
    )
    deviance, coefficients, unscaled, sigma = _profile(values, design, shape, found.x)
    parameters = np.append(np.abs(found.x), sigma)
    slopes = _differences(lambda p: _covariance(values, design, shape, p), parameters)
    hessian = _hessian(lambda p: _deviance(values, design, shape, p), parameters)
    return MixedFit(coefficients, sigma**2 * unscaled, parameters, 2 * _positive_inverse(hessian), slopes, deviance)


def satterthwaite(fit: MixedFit, contrast: Floats) -> float:
    """2v²/(g'Ag) of one contrast."""
    variance = float(contrast @ fit.covariance @ contrast)
    gradient = np.array([contrast @ slope @ contrast for slope in fit.slopes])
    uncertainty = float(gradient @ fit.parameter_covariance @ gradient)
    return DF_LIMIT if uncertainty <= 0 else min(DF_LIMIT, 2 * variance**2 / uncertainty)


def _omnibus(fit: MixedFit, n: int) -> Estimate:
    """F over the contrasts' eigenvectors, df2 from Σ df/(df-2) (Fai & Cornelius 1996)."""
    restrictions = linear.equality(len(fit.coefficients))
    values, vectors = np.linalg.eigh(restrictions @ fit.covariance @ restrictions.T)
    if values.min() <= 0:
        return absent("groups", METHOD, "the covariance of the groups cannot be inverted", n=n)
    rotated = vectors.T @ restrictions
    squares = (rotated @ fit.coefficients) ** 2 / values
    f, q = float(squares.mean()), len(values)
    dfs = np.array([satterthwaite(fit, row) for row in rotated])
    total = float((dfs[dfs > 2] / (dfs[dfs > 2] - 2)).sum())
    df2 = float(dfs[0]) if q == 1 else (2 * total / (total - q) if total > q else 2.0)
    value = float(fit.coefficients.std())
    return estimate("groups", value, METHOD, n=n, statistic=f, df=(q, df2), p=float(stats.f.sf(f, q, df2)))


def _pair(fit: MixedFit, levels: list[object], a: int, b: int, n: int, level: float) -> Estimate:
    contrast = np.zeros(len(levels))
    contrast[b], contrast[a] = 1, -1
    error = float(np.sqrt(contrast @ fit.covariance @ contrast))
    found = t_estimate(
        "difference", float(contrast @ fit.coefficients), error, satterthwaite(fit, contrast), method=METHOD, n=n,
        level=level,
    )  # fmt: skip
    found.labels.update(system=levels[b], baseline=levels[a])
    return found


def _problem(numeric: Floats, groups: ArrayLike, given: dict[str, NDArray[Any]]) -> str | None:
    if not given:
        return "raters or items are needed for random effects"
    if reason := lengths_differ(values=numeric, groups=np.asarray(groups), **given) or reason_against(numeric, least=3):
        return reason
    if constant(numeric):
        return "all values are equal"
    design = linear.indicators(groups)
    if design.shape[1] < 2:
        return "there is one group only"
    for name, labels in given.items():
        count = len(np.unique(labels))
        if count < 2 or count >= len(numeric):
            return f"{count} {name}s for {len(numeric)} ratings: their spread cannot be told from the error"
    reason = crossed.too_large(crossed.factors(*given.values()))
    return reason or linear.problem(design) or _no_error(numeric, design, list(given.values()))


def _no_error(numeric: Floats, design: Floats, labels: list[NDArray[Any]]) -> str | None:
    """Groups, raters and items together explain every rating: nothing is left for the residual."""
    rows = np.arange(len(numeric))
    blocks = [sparse.csr_array(design)]
    for places in (codes(label)[1] for label in labels):
        blocks.append(sparse.csr_array((np.ones(len(rows)), (rows, places))))
    left = splinalg.lsqr(sparse.hstack(blocks).tocsr(), numeric - numeric.mean(), atol=1e-12, btol=1e-12)[3]
    exact = left**2 <= 1e-12 * float(((numeric - numeric.mean()) ** 2).sum())
    return "groups, raters and items explain every rating: there is no residual" if exact else None


def _refused(reason: str, levels: list[object], names: list[str], n: int) -> Mixed:
    pairs = itertools.combinations(levels, 2)
    return Mixed(
        absent("groups", METHOD, reason, n=n),
        tuple(absent("difference", METHOD, reason, n=n, labels={"system": b, "baseline": a}) for a, b in pairs),
        tuple(absent(f"sd_{name}", METHOD, reason, n=n) for name in [*names, "residual"]),
    )


def _whiten(shape: crossed.Factors, design: Floats, relative: Floats) -> tuple[Floats, float]:
    """V⁻¹ of the columns of `design`, and log|V|, for V = I + ZΘΘZ' (Woodbury)."""
    scales = shape.scales(relative)
    inverse = crossed.solver(shape, np.ones(len(design)), *scales)
    columns = []
    for column in design.T:
        solved = inverse.solve(*crossed.gather(shape, column, *scales))
        columns.append(column - crossed.spread(shape, *solved, *scales))
    return np.column_stack(columns), inverse.logdet()


def _profile(
    values: Floats, design: Floats, shape: crossed.Factors, relative: Floats
) -> tuple[float, Floats, Floats, float]:
    """REML deviance profiled over β and σ; β; (X'V⁻¹X)⁻¹; σ."""
    whitened, logdet = _whiten(shape, np.column_stack([design, values]), relative)
    information = design.T @ whitened[:, :-1]
    coefficients = np.linalg.solve(information, design.T @ whitened[:, -1])
    df = len(values) - design.shape[1]
    square = float(values @ whitened[:, -1] - coefficients @ (design.T @ whitened[:, -1])) / df
    log_information = float(np.linalg.slogdet(information)[1])
    deviance = logdet + log_information + df * (1 + np.log(2 * np.pi * square))
    return float(deviance), np.asarray(coefficients, float), np.asarray(np.linalg.inv(information), float), square**0.5


def _deviance(values: Floats, design: Floats, shape: crossed.Factors, parameters: Floats) -> float:
    """REML deviance at given relative standard deviations and σ."""
    profiled, _, _, best = _profile(values, design, shape, parameters[:-1])
    df, sigma = len(values) - design.shape[1], float(parameters[-1])
    return float(profiled + df * (2 * np.log(sigma / best) + (best / sigma) ** 2 - 1))


def _covariance(values: Floats, design: Floats, shape: crossed.Factors, parameters: Floats) -> Floats:
    whitened, _ = _whiten(shape, design, parameters[:-1])
    return np.asarray(parameters[-1] ** 2 * np.linalg.inv(design.T @ whitened), float)


def _differences(function: Callable[[Floats], Floats], at: Floats, step: float = 1e-4) -> tuple[Floats, ...]:
    return tuple((function(at + row) - function(at - row)) / (2 * step) for row in step * np.eye(len(at)))


def _hessian(function: Callable[[Floats], float], at: Floats, step: float = 1e-3) -> Floats:
    """Second differences; even in the relative standard deviations, so a step below zero does no harm."""
    rows, size = step * np.eye(len(at)), len(at)
    hessian = np.zeros((size, size))
    for i, j in itertools.product(range(size), repeat=2):
        corners = (
            function(at + rows[i] + rows[j]) - function(at + rows[i] - rows[j])
            - function(at - rows[i] + rows[j]) + function(at - rows[i] - rows[j])
        )  # fmt: skip
        hessian[i, j] = corners / (4 * step**2)
    return (hessian + hessian.T) / 2


def _positive_inverse(matrix: Floats) -> Floats:
    """The inverse over the positive eigenvalues: a variance at its bound of zero carries no information."""
    values, vectors = np.linalg.eigh(matrix)
    keep = values > 1e-6 * values.max()
    return np.asarray(vectors[:, keep] / values[keep] @ vectors[:, keep].T, float)
