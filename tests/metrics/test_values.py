from __future__ import annotations

import numpy as np
import pytest

from empathic.contracts import Missing
from empathic.metrics.values import Values, gather, where

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
