from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from empathic.contracts import Missing
from empathic.metrics.values import Values, exact_sums, gather, where

SHORT, NONE = Missing(reason="short"), Missing(reason="gives no value")


def test_values_read_like_a_list_of_numbers_and_reasons() -> None:
    found = where(np.array([True, False, True]), np.array([1.0, 9.0, 3.0]), SHORT)
    assert found == [1.0, SHORT, 3.0]
    assert (len(found), found[1], found[-1], found[1:]) == (3, SHORT, 3.0, [SHORT, 3.0])
    assert list(found) == found.tolist()
    assert found != [1.0, SHORT]
    assert found != 1.0


def test_counts_and_truths_become_numbers() -> None:
    assert Values(np.array([True, False])) == [1.0, 0.0]
    assert where(np.array([True]), np.array([2.0]), SHORT).why is None


@pytest.mark.parametrize(
    "given", [[], [1.0, 2], [None], [1.0, None, SHORT, 2.0, Missing(reason="short"), Missing(reason="odd")]]
)
def test_a_list_becomes_the_same_values(given: list) -> None:
    expected = [NONE if value is None else value for value in given]
    assert gather(given, NONE) == expected
    assert len(gather(given, NONE).reasons) == len({value for value in expected if isinstance(value, Missing)})


@given(st.integers(0, 5).flatmap(lambda n: st.lists(st.lists(st.floats(width=64), min_size=n, max_size=n), max_size=4)))
def test_sums_are_those_of_fsum_to_the_last_bit(rows: list[list[float]]) -> None:
    try:
        expected = [math.fsum(row) for row in rows]
    except (OverflowError, ValueError):  # ∞ − ∞, or beyond the largest number
        return
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(rows[0]) if rows else 0)
    assert exact_sums(table) == pytest.approx(expected, abs=0, rel=0, nan_ok=True)


@pytest.mark.parametrize("scale", [1e-300, 1e-5, 1.0, 1e12, 1e280])
def test_long_columns_cancel_without_error(scale: float) -> None:
    generator = np.random.default_rng(4)
    half = generator.standard_normal((3, 5000)) * scale * 10.0 ** generator.integers(-12, 3, (3, 5000))
    rows = np.concatenate([half, -half[:, ::-1], half[:, :1]], axis=1)
    assert exact_sums(rows) == half[:, 0].tolist()
    assert exact_sums(half) == [math.fsum(row) for row in half.tolist()]
