"""Long answers become tables; repeats of a judge are one source."""

from __future__ import annotations

import numpy as np

from empathic.statistics.observations import Observation, is_judge, of_measure, sheets, source, table

GIVEN = [
    Observation("human:a", "t1", "x", 3.0),
    Observation("human:a", "t1", "y", 4.0),
    Observation("judge:p/m#0", "t1", "x", 5.0),
    Observation("judge:p/m#0", "t1", "y", None),
    Observation("human:a", "t2", "x", 1.0),
]


def test_repeats_of_a_judge_are_one_source_and_a_person_with_a_hash_stays_a_person() -> None:
    assert source("judge:openai/gpt#12") == "judge:openai/gpt"
    assert source("human:task#7") == "human:task#7"
    assert is_judge("judge:p/m#0") and not is_judge("human:judge:p")


def test_a_table_has_targets_in_rows_and_a_gap_where_a_rater_gave_nothing() -> None:
    found = table(GIVEN, "x")
    assert (found.targets, found.raters) == (["t1", "t2"], ["human:a", "judge:p/m#0"])
    np.testing.assert_array_equal(found.values, [[3.0, 5.0], [1.0, np.nan]])


def test_only_complete_sheets_are_kept_and_the_others_are_counted() -> None:
    found = sheets(GIVEN, ["x", "y"])
    assert (found.raters, found.targets, found.left_out) == (["human:a"], ["t1"], 2)
    assert found.values.tolist() == [[3.0, 4.0]]
    assert sheets([], ["x", "y"]).values.shape == (0, 2)


def test_observations_without_a_value_are_left_out_of_a_measure() -> None:
    assert [each.value for each in of_measure(GIVEN, "y")] == [4.0]
