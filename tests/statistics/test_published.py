from __future__ import annotations

import numpy as np
import pytest

from empathic.statistics.groups import layout, observations
from empathic.statistics.published import z_rule


def cells(values, templates=2, each=9, crossed=("who", "how")):
    who, how = np.repeat([f"w{k}" for k in range(9)], 3), np.tile(list("xyz"), 9)
    size = 27 * each
    names = np.repeat([f"t{place}" for place in range(templates)], size)
    factors = {"who": np.tile(np.repeat(who, each), templates), "how": np.tile(np.repeat(how, each), templates)}
    return layout(observations(values, names, factors, references={}, crossed=crossed))


def test_z_is_the_distance_of_a_cell_in_standard_errors() -> None:
    values = np.random.default_rng(1).normal(size=486)
    values[:9] += 3
    values[243:252] += 3
    found = z_rule(cells(values), values, draws=49, seed=1)
    cell = np.r_[values[:9], values[243:252]]
    by_hand = (cell.mean() - values.mean()) / (values.std(ddof=1) / np.sqrt(18))
    assert found.value == pytest.approx(by_hand)
    assert found.labels["group"] == "who=w0 × how=x"
    assert found.details["outliers"] == pytest.approx({"who=w0 × how=x": by_hand})


def test_the_false_alarms_are_those_of_independent_cells_when_values_are_normal() -> None:
    """27 nearly independent normal z: P(some |z| > 2) = 1 − .9545^27 ≈ .72, P(some |z| > 3) ≈ .07."""
    values = np.random.default_rng(2).normal(size=486)
    found = z_rule(cells(values), values, draws=3000, seed=1).details["false_alarms"]
    assert found["z>2"] == pytest.approx(0.72, abs=0.05)
    assert found["z>3"] == pytest.approx(0.07, abs=0.02)


def test_without_intersections_the_levels_are_the_cells() -> None:
    values = np.random.default_rng(3).normal(size=486)
    found = z_rule(cells(values, crossed=()), values, draws=19, seed=1, labels={"metric": "ce"})
    assert found.details["cells"] == 12
    assert found.labels["metric"] == "ce"


def test_equal_values_have_no_outlier() -> None:
    assert z_rule(cells(np.ones(486)), np.ones(486), draws=9, seed=1).missing == "all values are equal"
