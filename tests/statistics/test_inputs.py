from __future__ import annotations

import numpy as np

from empathic.statistics import inputs


def test_none_becomes_nan_and_is_refused_with_its_count() -> None:
    sample = inputs.numbers([1, None, 3])
    assert np.isnan(sample[1])
    assert inputs.reason_against(sample) == "1 of 3 values of sample 1 are not numbers; leave them out and say so"


def test_too_few_values_are_counted_in_the_reason() -> None:
    reason = inputs.reason_against(np.array([1.0, 2.0]), np.array([1.0]), least=2)
    assert reason == "sample 2 has 1 values, at least 2 are needed"


def test_values_are_split_by_sorted_group() -> None:
    low, high = inputs.split([3, 1, 2, 5], ["b", "a", "a", "b"])
    assert low.tolist() == [1, 2]
    assert high.tolist() == [3, 5]


def test_codes_name_the_place_of_each_label() -> None:
    levels, places = inputs.codes(["x", "a", "x"])
    assert levels.tolist() == ["a", "x"]
    assert places.tolist() == [1, 0, 1]


def test_parallel_arrays_of_other_lengths_are_named() -> None:
    assert inputs.lengths_differ(values=[1, 2], raters=["a"]) == "the lengths differ: {'values': 2, 'raters': 1}"
    assert inputs.lengths_differ(values=[1], raters=["a"]) is None


def test_rounding_of_a_mean_is_no_variation() -> None:
    assert inputs.constant(np.full(7, 0.1 + 0.2))
    assert not inputs.constant(np.full(3, 1.0), np.array([1.0, 2.0]))


def test_numbers_of_any_kind_become_floats_and_the_original_is_not_shared() -> None:
    given = np.array([1.0, 2.0])
    assert inputs.numbers(given) is not given
    assert inputs.numbers(np.array([[1, 2], [3, 4]])).tolist() == [1, 2, 3, 4]
    assert inputs.numbers([True, False]).tolist() == [1, 0]
    assert inputs.numbers((1, None, "2.5")).tolist()[::2] == [1, 2.5]
