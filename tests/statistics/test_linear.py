from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from empathic.statistics import linear


@pytest.fixture
def fitted() -> tuple[linear.Fit, sm.regression.linear_model.OLS, np.ndarray, np.ndarray]:
    random = np.random.default_rng(2)
    design = np.column_stack([np.ones(90), random.normal(size=(90, 2))])
    first, second = random.integers(0, 15, 90), random.integers(0, 20, 90)
    values = design @ [1.0, 0.5, -0.2] + random.normal(size=15)[first] + random.normal(size=20)[second] * 0.5
    values += random.normal(size=90) * (1 + np.abs(design[:, 1]))
    return linear.least_squares(design, values), sm.OLS(values, design), first, second


def test_coefficients_and_classical_errors_are_those_of_statsmodels(fitted) -> None:
    fit, model, _, _ = fitted
    assert fit.coefficients == pytest.approx(model.fit().params)
    assert linear.classical(fit) == pytest.approx(model.fit().cov_params())


def test_hc3_is_that_of_statsmodels(fitted) -> None:
    fit, model, _, _ = fitted
    assert linear.hc3(fit) == pytest.approx(model.fit(cov_type="HC3").cov_params())


def test_one_way_clusters_are_those_of_statsmodels(fitted) -> None:
    fit, model, first, _ = fitted
    oracle = model.fit(cov_type="cluster", cov_kwds={"groups": first})
    assert linear.clustered(fit, first) == pytest.approx(oracle.cov_params())


def test_two_way_clusters_are_those_of_statsmodels(fitted) -> None:
    fit, model, first, second = fitted
    oracle = model.fit(cov_type="cluster", cov_kwds={"groups": np.column_stack([first, second])})
    assert linear.clustered_two_ways(fit, first, second) == pytest.approx(oracle.cov_params())


def test_a_two_way_covariance_is_never_negative() -> None:
    random = np.random.default_rng(0)
    for _ in range(40):
        design = np.column_stack([np.ones(8), random.normal(size=8)])
        fit = linear.least_squares(design, random.normal(size=8))
        covariance = linear.clustered_two_ways(fit, random.permutation([0, 0, 0, 1, 1, 1, 2, 2]), np.arange(8) % 2)
        assert np.linalg.eigvalsh(covariance).min() >= -1e-12


def test_the_wald_test_is_that_of_statsmodels(fitted) -> None:
    fit, model, _, _ = fitted
    oracle = model.fit().f_test(np.eye(3)[1:])
    found = linear.wald(fit.coefficients, linear.classical(fit), np.eye(3)[1:], fit.df)
    assert (found.f, found.p) == pytest.approx((float(oracle.fvalue), float(oracle.pvalue)))


def test_a_wald_test_of_a_singular_covariance_is_none() -> None:
    assert linear.wald(np.ones(2), np.zeros((2, 2)), np.eye(2), 5) is None


@pytest.mark.parametrize(
    ("design", "clusters", "word"),
    [(np.ones((2, 2)), None, "cannot carry"), (np.ones((5, 2)), None, "full rank"), (np.eye(5)[:, :2], 1, "1 cluster")],
)
def test_a_design_that_cannot_be_fitted_is_named(design: np.ndarray, clusters: int | None, word: str) -> None:
    assert word in linear.problem(design, clusters=clusters)


def test_pairs_of_labels_get_one_code_each() -> None:
    assert linear.crossed(["a", "a", "b"], [1, 2, 1]).tolist() == [0, 1, 2]
