"""Ordered ratings with their raters and items become odds ratios from the cumulative-logit mixed model.

Random intercepts of raters, of items, or of both crossed, by the Laplace approximation; with one factor also by
adaptive Gauss–Hermite quadrature (Liu & Pierce 1994). The test of all groups is a likelihood ratio; intervals come from
the observed information in all parameters, as in R's `ordinal::clmm`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy import optimize, special

from empathic.records import Estimate
from empathic.statistics import crossed, cumulative, laplace
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Floats, codes, numbers
from empathic.statistics.laplace import Problem
from empathic.statistics.ordinal import (
    RUNAWAY,
    Ordinal,
    OrdinalFit,
    contrasts,
    fit_ordinal,
    likelihood_ratio,
    pair_estimates,
    problem,
    refused,
)

START = 0.5  # standard deviation of the random effects to begin with
Objective = Callable[[Floats], tuple[float, Floats]]


def ordinal_mixed(
    values: ArrayLike, groups: ArrayLike, *, raters: ArrayLike | None = None, items: ArrayLike | None = None,
    nodes: int = 1, level: float = 0.95,
) -> Ordinal:  # fmt: skip
    """Groups compared with random raters and/or items; `nodes` > 1 asks for quadrature (one factor only)."""
    method = f"ordinal_mixed_{'laplace' if nodes == 1 else f'agq{nodes}'}.v1"
    given = {name: label for name, label in (("rater", raters), ("item", items)) if label is not None}
    reason = _unfit(given, nodes, len(numbers(values))) or problem(values, groups, *given.values())
    if reason:
        return refused(method, reason, groups)
    places, levels = codes(numbers(values))[1], codes(groups)[0]
    shape = crossed.factors(*given.values())
    if reason := crossed.too_large(shape):
        return refused(method, reason, groups)
    full = fit_mixed(Problem(places, contrasts(groups), shape), nodes=nodes)
    null = fit_mixed(Problem(places, np.zeros((len(places), 0)), shape), nodes=nodes, errors=False)
    if isinstance(full, str) or isinstance(null, str):
        return refused(method, full if isinstance(full, str) else str(null), groups)
    test = likelihood_ratio(method, full.loglik, null.loglik, len(levels) - 1, len(places))
    pairs = pair_estimates(full, levels, method, len(places), level)
    return Ordinal(test, pairs, _deviations(full, list(given), method, len(places), level))


def fit_mixed(data: Problem, *, nodes: int = 1, errors: bool = True) -> OrdinalFit | str:
    """Maximum (approximate) likelihood; the reason if there is none. `errors=False` leaves the covariance out."""
    plain = fit_ordinal(data.places, data.design)
    if isinstance(plain, str):
        return plain
    start = np.concatenate([plain.thresholds, plain.coefficients, np.full(data.deviations, START)])
    found = _maximise(_laplace_objective(data), start, _scale(plain, data.deviations))
    objective = _laplace_objective(data)
    if nodes > 1:
        objective = _quadrature_objective(data, nodes)
        found = _maximise(objective, found, _scale(plain, data.deviations))
    value, slope = objective(found)
    if not np.isfinite(value) or np.abs(slope).max() > 1e-2 * max(1.0, len(data.places) ** 0.5):
        return "the likelihood could not be maximised: too few ratings per rater or item for this model"
    thresholds, coefficients, deviations = laplace.split(data, found)
    if np.abs(np.concatenate([coefficients, deviations])).max() > RUNAWAY:
        return "perfect separation: a group, rater or item uses one end of the scale only"
    covariance = _covariance(objective, found) if errors else np.full((len(found), len(found)), np.nan)
    if covariance is None:
        return "the information is not positive definite: the model asks for more than the data can tell"
    return OrdinalFit(thresholds, coefficients, covariance, -value, tuple(abs(float(s)) for s in deviations))


def _unfit(given: dict[str, ArrayLike], nodes: int, n: int) -> str | None:
    if not given:
        return "raters or items are needed for random effects"
    if nodes > 1 and len(given) > 1:
        return "quadrature is for one factor; with raters and items crossed use nodes=1 (Laplace)"
    alone = [name for name, labels in given.items() if len(np.unique(np.asarray(labels))) >= n]
    return f"one rating per {alone[0]}: its spread cannot be told from the error" if alone else None


def _laplace_objective(data: Problem) -> Objective:
    """Minus the Laplace log-likelihood and its gradient; û is kept from call to call as the next start."""
    kept = {"small": np.zeros(data.factors.small_size), "large": np.zeros(data.factors.large_size)}

    def objective(parameters: Floats) -> tuple[float, Floats]:
        found = laplace.mode(data, parameters, kept["small"], kept["large"])
        if found is None or not np.isfinite(found.objective):
            return np.inf, np.zeros(len(parameters))
        kept["small"], kept["large"] = found.small, found.large
        return -laplace.loglik(found), -laplace.gradient(data, parameters, found)

    return objective


def _quadrature_objective(data: Problem, nodes: int) -> Objective:
    """Minus the log-likelihood by adaptive quadrature, gradient by central differences."""

    def value(parameters: Floats) -> float:
        return -_quadrature(data, parameters, nodes)

    def objective(parameters: Floats) -> tuple[float, Floats]:
        steps = 1e-5 * np.eye(len(parameters))
        slope = np.array([(value(parameters + step) - value(parameters - step)) / 2e-5 for step in steps])
        return value(parameters), slope

    return objective


def _quadrature(data: Problem, parameters: Floats, nodes: int) -> float:
    """Σ over levels of log ∫ Π p(y|u) φ(u) du, nodes centred at û and scaled by the curvature there."""
    empty = np.zeros(data.factors.large_size)
    found = laplace.mode(data, parameters, np.zeros(0), empty)
    if found is None:
        return -np.inf
    thresholds, coefficients, deviations = laplace.split(data, parameters)
    points, weights = np.polynomial.hermite.hermgauss(nodes)
    spread = np.sqrt(2.0 / found.solver.diagonal)
    effects = found.large[:, None] + spread[:, None] * points
    predictor = (data.design @ coefficients)[:, None] + deviations[0] * effects[data.factors.large]
    each = cumulative.loglik(data.places, thresholds, predictor)
    sums = np.zeros_like(effects)
    np.add.at(sums, data.factors.large, each)
    logs = sums - effects**2 / 2 + points**2 + np.log(weights)
    return float((special.logsumexp(logs, axis=1) + np.log(spread) - np.log(2 * np.pi) / 2).sum())


def _scale(plain: OrdinalFit, deviations: int) -> Floats:
    """A square root of the plain model's covariance: steps of one in its units are steps of one standard error."""
    size = len(plain.covariance)
    scale = 0.05 * np.eye(size + deviations)
    scale[:size, :size] = np.linalg.cholesky(plain.covariance + 1e-10 * np.eye(size))
    return scale


def _maximise(objective: Objective, start: Floats, scale: Floats) -> Floats:
    """BFGS in parameters scaled by `scale`."""

    def scaled(units: Floats) -> tuple[float, Floats]:
        value, slope = objective(start + scale @ units)
        return value, scale.T @ slope

    with np.errstate(all="ignore"):
        found = optimize.minimize(scaled, np.zeros(len(start)), jac=True, method="BFGS", options={"gtol": 1e-5})
    return np.asarray(start + scale @ found.x, float)


def _covariance(objective: Objective, found: Floats) -> Floats | None:
    """The inverse of the observed information: central differences of the gradient; None if not positive definite."""
    steps = 1e-4 * np.eye(len(found))
    rows = np.array([(objective(found + step)[1] - objective(found - step)[1]) / 2e-4 for step in steps])
    information = (rows + rows.T) / 2
    if not np.isfinite(information).all() or np.linalg.eigvalsh(information).min() <= 0:
        return None
    return np.asarray(np.linalg.inv(information), float)


def _deviations(fit: OrdinalFit, names: list[str], method: str, n: int, level: float) -> tuple[Estimate, ...]:
    """σ of each factor with an interval on its own scale, cut at zero."""
    quantile, found = float(special.ndtri((1 + level) / 2)), []
    for name, value, variance in zip(names, fit.deviations, np.diag(fit.covariance)[-len(names) :], strict=True):
        half = quantile * float(np.sqrt(variance))
        label = f"sd_{name}"
        if not np.isfinite(half):
            found.append(absent(label, method, "no finite error", n=n))
            continue
        found.append(estimate(label, value, method, interval=(max(0.0, value - half), value + half), level=level, n=n))
    return tuple(found)
