from __future__ import annotations

import numpy as np
import pytest

from empathic.statistics import crossed
from empathic.statistics.linear_mixed import linear_mixed
from empathic.statistics.ordinal_mixed import ordinal_mixed

SCALES = (0.7, 1.3)


@pytest.fixture(params=["first is larger", "second is larger", "one factor"])
def case(request) -> tuple[crossed.Factors, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    a, b, weights = random.integers(0, 9, 60), random.integers(0, 5, 60), random.uniform(0.1, 2, 60)
    shape = {"first is larger": (a, b), "second is larger": (b, a), "one factor": (a,)}[request.param]
    factors = crossed.factors(*shape)
    columns = [SCALES[1] * np.eye(factors.large_size)[factors.large]]
    if not factors.single:
        columns.insert(0, SCALES[0] * np.eye(factors.small_size)[factors.small])
    z = np.hstack(columns)
    return factors, weights, z


def test_the_determinant_and_the_solution_are_those_of_the_dense_matrix(case) -> None:
    factors, weights, z = case
    dense = np.eye(z.shape[1]) + z.T @ (weights[:, None] * z)
    solver = crossed.solver(factors, weights, *SCALES)
    right = np.random.default_rng(1).normal(size=z.shape[1])
    small, large = solver.solve(right[: factors.small_size], right[factors.small_size :])
    assert solver.logdet() == pytest.approx(np.linalg.slogdet(dense)[1])
    assert np.concatenate([small, large]) == pytest.approx(np.linalg.solve(dense, right))


def test_entries_of_the_inverse_are_those_of_the_dense_inverse(case) -> None:
    factors, weights, z = case
    inverse = np.linalg.inv(np.eye(z.shape[1]) + z.T @ (weights[:, None] * z))
    at_small, at_both, at_large = crossed.solver(factors, weights, *SCALES).inverse_at()
    large = factors.small_size + factors.large
    assert at_large == pytest.approx(inverse[large, large])
    if not factors.single:
        assert at_small == pytest.approx(inverse[factors.small, factors.small])
        assert at_both == pytest.approx(inverse[factors.small, large])


def test_gather_and_spread_multiply_by_z(case) -> None:
    factors, weights, z = case
    assert np.concatenate(crossed.gather(factors, weights, *SCALES)) == pytest.approx(z.T @ weights)
    effects = np.random.default_rng(2).normal(size=z.shape[1])
    parts = effects[: factors.small_size], effects[factors.small_size :]
    assert crossed.spread(factors, *parts, *SCALES) == pytest.approx(z @ effects)


def test_deviations_come_back_in_the_order_the_factors_were_given() -> None:
    many, few = np.arange(8), np.arange(8) % 2
    for labels in ((many, few), (few, many)):
        factors = crossed.factors(*labels)
        assert factors.ordered(*factors.scales([1.0, 2.0])) == [1.0, 2.0]


def test_two_factors_of_many_levels_are_refused_before_memory_is_asked_for() -> None:
    many = np.repeat(np.arange(crossed.LARGEST + 1), 2)
    values, groups = 1 + many % 3, many % 2
    for found in (
        ordinal_mixed(values, groups, raters=many, items=many[::-1]).groups,
        linear_mixed(values, groups, raters=many, items=many[::-1]).groups,
    ):
        assert found.value is None
        assert "more than 5,000 levels" in found.missing
