from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from empathic.statistics import crossed, cumulative, laplace
from empathic.statistics.inputs import codes
from empathic.statistics.ordinal import contrasts

from .rated import small

PARAMETERS = np.array([-1.2, 0.2, 1.6, -0.2, 0.9, 0.8, 0.4])


def problem(*, both: bool, swapped: bool = False) -> laplace.Problem:
    values, groups, raters, items = small()
    labels = (raters, items) if both else (raters,)
    return laplace.Problem(codes(values)[1], contrasts(groups), crossed.factors(*(labels[::-1] if swapped else labels)))


def value(data: laplace.Problem, parameters: np.ndarray) -> float:
    zero = np.zeros(data.factors.small_size), np.zeros(data.factors.large_size)
    return laplace.loglik(laplace.mode(data, parameters, *zero))


@pytest.mark.parametrize(("both", "swapped"), [(True, False), (True, True), (False, False)])
def test_the_gradient_is_that_of_finite_differences(both: bool, swapped: bool) -> None:
    data = problem(both=both, swapped=swapped)
    parameters = PARAMETERS if both else PARAMETERS[:-1]
    mode = laplace.mode(data, parameters, np.zeros(data.factors.small_size), np.zeros(data.factors.large_size))
    steps = 1e-5 * np.eye(len(parameters))
    numeric = [(value(data, parameters + step) - value(data, parameters - step)) / 2e-5 for step in steps]
    assert laplace.gradient(data, parameters, mode) == pytest.approx(np.array(numeric), abs=1e-6)


def test_the_likelihood_is_even_in_the_deviations() -> None:
    data = problem(both=True)
    flipped = PARAMETERS * np.array([1, 1, 1, 1, 1, -1, 1])
    assert value(data, flipped) == pytest.approx(value(data, PARAMETERS))


def test_many_ratings_per_rater_bring_it_to_the_integral() -> None:
    """One rater with 400 ratings: log ∫ Π p(y|u) φ(u) du by adaptive quadrature of scipy."""
    random = np.random.default_rng(3)
    places = random.integers(0, 3, 400)
    data = laplace.Problem(places, np.zeros((400, 0)), crossed.factors(np.zeros(400, int)))
    thresholds, sigma = np.array([-0.7, 0.7]), 0.8

    def integrand(u: float) -> float:
        inner = cumulative.loglik(places, thresholds, np.full(400, sigma * u)).sum()
        return float(np.exp(inner + 430) * stats.norm.pdf(u))

    integral = np.log(integrate.quad(integrand, -2, 2, epsabs=0)[0]) - 430
    assert value(data, np.array([*thresholds, sigma])) == pytest.approx(integral, abs=2e-3)


def test_thresholds_out_of_order_have_no_mode() -> None:
    data = problem(both=False)
    wrong = np.array([0.5, 0.2, 1.6, 0, 0, 0.5])
    assert laplace.mode(data, wrong, np.zeros(0), np.zeros(data.factors.large_size)) is None
