"""Ordered ratings, a design and crossed factors become the Laplace log-likelihood of the mixed model and its gradient.

η = Xβ + σ₁ u₁[rater] + σ₂ u₂[item], u ~ N(0, I). With g(u) = Σ log p - u'u/2, its maximum û and H = I + Z'WZ there:

    ℓ(τ, β, σ) = g(û) - ½ log|H|            (Tierney & Kadane 1986; Christensen 2019, `ordinal`)

The gradient is exact: the direct derivative, minus half the trace of H⁻¹ ∂H, where H moves with the parameters and,
through û, once more (one adjoint solve). σ enters without bound: the likelihood is even in it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from empathic.statistics import crossed, cumulative
from empathic.statistics.inputs import Codes, Floats

INNER = 50  # Newton steps for û; three or four are usual


class Problem(NamedTuple):
    """The data of one model."""

    places: Codes
    design: Floats
    factors: crossed.Factors

    @property
    def thresholds(self) -> int:
        """How many thresholds there are."""
        return int(self.places.max())

    @property
    def deviations(self) -> int:
        """How many random factors there are."""
        return 1 if self.factors.single else 2


class Mode(NamedTuple):
    """The most likely random effects for given parameters, and what was computed on the way."""

    small: Floats
    large: Floats
    terms: cumulative.Terms
    solver: crossed.Solver
    objective: float  # g(û)


def split(problem: Problem, parameters: Floats) -> tuple[Floats, Floats, Floats]:
    """(τ, β, σ) of a parameter vector."""
    count = problem.thresholds
    return parameters[:count], parameters[count : -problem.deviations], parameters[-problem.deviations :]


def mode(problem: Problem, parameters: Floats, small: Floats, large: Floats) -> Mode | None:
    """û by Newton's method from (small, large); None if the thresholds are not in order."""
    thresholds, coefficients, deviations = split(problem, parameters)
    if (np.diff(thresholds) <= 0).any():
        return None
    scales, fixed = problem.factors.scales(deviations), problem.design @ coefficients
    current = _at(problem, thresholds, fixed, scales, small, large)
    for _ in range(INNER):
        score_small, score_large = crossed.gather(problem.factors, current.terms.score, *scales)
        right = score_small - current.small, score_large - current.large
        step = current.solver.solve(*right)
        decrement = float(right[0] @ step[0] + right[1] @ step[1])
        following = _at(problem, thresholds, fixed, scales, current.small + step[0], current.large + step[1])
        while following.objective < current.objective - 1e-9 and decrement > 1e-9:
            step = step[0] / 2, step[1] / 2
            following = _at(problem, thresholds, fixed, scales, current.small + step[0], current.large + step[1])
        current = following
        if decrement < 1e-10:
            break
    return current


def loglik(found: Mode) -> float:
    """g(û) - ½ log|H|."""
    return found.objective - found.solver.logdet() / 2


def gradient(problem: Problem, parameters: Floats, found: Mode) -> Floats:
    """The exact gradient of the Laplace log-likelihood in (τ, β, σ)."""
    _, _, deviations = split(problem, parameters)
    scales, t, shape = problem.factors.scales(deviations), found.terms, problem.factors
    at_small, at_both, at_large = found.solver.inverse_at()
    toward_small, toward_large = scales[0] * at_small + scales[1] * at_both, scales[0] * at_both + scales[1] * at_large
    variance = scales[0] * toward_small + scales[1] * toward_large  # z'H⁻¹z of each rating
    third = -(t.slope_upper + t.slope_lower)  # ∂w/∂η
    adjoint = found.solver.solve(*crossed.gather(shape, third * variance, *scales))
    moved = crossed.spread(shape, *adjoint, *scales)
    along = t.score - (third * variance - moved * t.weight) / 2  # what one unit of η is worth to ℓ
    count = problem.thresholds
    of_thresholds = cumulative.by_threshold(
        problem.places, count,
        t.up - (variance * t.slope_upper + moved * t.f_upper) / 2,
        -t.down - (variance * t.slope_lower + moved * t.f_lower) / 2,
    )  # fmt: skip
    large = along @ found.large[shape.large] - t.weight @ toward_large - t.score @ adjoint[1][shape.large] / 2
    if shape.single:
        return np.concatenate([of_thresholds, problem.design.T @ along, [large]])
    small = along @ found.small[shape.small] - t.weight @ toward_small - t.score @ adjoint[0][shape.small] / 2
    return np.concatenate([of_thresholds, problem.design.T @ along, shape.ordered(float(small), float(large))])


def _at(
    problem: Problem, thresholds: Floats, fixed: Floats, scales: tuple[float, float], small: Floats, large: Floats
) -> Mode:
    predictor = fixed + crossed.spread(problem.factors, small, large, *scales)
    t = cumulative.terms(problem.places, thresholds, predictor)
    objective = float(t.loglik.sum() - (small @ small + large @ large) / 2)
    return Mode(small, large, t, crossed.solver(problem.factors, t.weight, *scales), objective)
