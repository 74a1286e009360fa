from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from empathic.errors import SettingError
from empathic.statistics.quality import (
    contradictions,
    duplicated_sheets,
    expected_duplicates,
    far_below_median,
    straight_lining,
    suspected_repeats,
    too_fast,
)


@pytest.fixture(scope="module")
def tasks(shared: Path) -> list[dict]:
    return json.loads((shared / "data" / "ieval2022" / "ieval_data.json").read_text())


def test_contradictions_by_hand() -> None:
    found = contradictions([5, 4, 3, 1, None, 2], [4, 1, 5, 2, 5, 2], raters=list("aabbcc"), points=(1, 5))
    assert found.flagged == ("a", "b", "c")
    assert found.counts == {"a": 1, "b": 1, "c": 1}
    assert (found.share.value, found.share.n) == (pytest.approx(3 / 5), 5)


def test_the_contradictions_of_ieval_are_those_of_the_reference(tasks: list[dict]) -> None:
    """Politeness 30 + 40 of 1,920, appropriateness 72 + 99; 117 of 240 tasks have one, 20 have four or more."""
    chats = [
        (str(task["part"]), task[side][bot])
        for task in tasks
        for side in ("positive", "negative")
        for bot in ("Pink", "Purple", "Yellow", "Green")
    ]
    raters, found = [rater for rater, _ in chats], {}
    for item in ("P", "A"):
        answers = [(chat[item], chat[f"^{item}"]) for _, chat in chats]
        first, second = zip(*answers, strict=True)
        found[item] = contradictions(first, second, raters=raters, points=(1, 5))
    assert found["P"].share.details["count"] == 70
    assert found["A"].share.details["count"] == 171
    both = {rater: found["P"].counts.get(rater, 0) + found["A"].counts.get(rater, 0) for rater in raters}
    assert sum(count > 0 for count in both.values()) == 117
    assert sum(count >= 4 for count in both.values()) == 20


def test_the_duplicated_sheets_of_ieval_are_those_of_the_reference(tasks: list[dict]) -> None:
    """36 tasks in 16 groups have identical TEQ sheets, 24 of them in 11 groups that no third sheet resembles."""
    sheets, raters = [task["TEQ_raw"] for task in tasks], [str(task["part"]) for task in tasks]
    found = duplicated_sheets(sheets, raters=raters)
    assert (len(found.flagged), len(found.groups)) == (36, 16)
    assert found.by_chance is not None and found.by_chance.value is not None
    assert 1 < found.by_chance.value < 9
    repeats = suspected_repeats(sheets, raters=raters)
    assert (len(repeats.flagged), len(repeats.groups)) == (24, 11)
    assert {("72", "74"), ("93", "103"), ("168", "173", "175"), ("20", "22", "24")} <= set(repeats.groups)


def test_a_straight_line_is_one_answer_throughout_or_a_long_run() -> None:
    sheets = [[3, 3, 3, 3], [1, 2, 2, 2], [1, 2, 3, 4], [np.nan, np.nan, np.nan, np.nan]]
    assert straight_lining(sheets, raters=list("abcd")).flagged == ("a",)
    found = straight_lining(sheets, raters=list("abcd"), longest=3)
    assert found.counts == {"a": 4, "b": 3}


def test_identical_sheets_near_a_third_are_duplicates_but_no_suspected_repeats() -> None:
    sheets = [[1, 2, 3, 4], [1, 2, 3, 4], [1, 2, 3, 5], [5, 5, 1, 1], [4, 1, 2, 2], [4, 1, 2, 2]]
    assert duplicated_sheets(sheets, raters=list("abcdef")).groups == (("a", "b"), ("e", "f"))
    assert suspected_repeats(sheets, raters=list("abcdef")).groups == (("e", "f"),)


def test_sheets_with_gaps_are_never_duplicates() -> None:
    sheets = [[1, np.nan], [1, np.nan], [2, 1]]
    found = duplicated_sheets(sheets, raters=list("abc"))
    assert found.groups == ()
    assert found.by_chance is not None and found.by_chance.value is None


def test_chance_makes_more_duplicates_when_items_hang_together() -> None:
    rng = np.random.default_rng(2)
    latent = rng.normal(size=(150, 1))
    alike = np.clip(np.round(2 + latent + 0.3 * rng.normal(size=(150, 6))), 0, 4)
    apart = np.column_stack([rng.permutation(column) for column in alike.T])
    related, unrelated = expected_duplicates(alike), expected_duplicates(apart)
    assert related.value is not None and unrelated.value is not None
    assert related.value > 2 * unrelated.value
    assert related == expected_duplicates(alike)


def test_no_answers_give_a_missing_share() -> None:
    assert contradictions([None], [None], raters=["a"], points=(1, 5)).share.missing == "there are no answers"


def test_lengths_that_differ_are_refused() -> None:
    with pytest.raises(SettingError, match="one length"):
        contradictions([1, 2], [1], raters=["a"], points=(1, 5))
    with pytest.raises(SettingError, match="2 raters"):
        straight_lining([[1, 2]], raters=["a", "b"])


def test_two_seconds_per_answer_are_the_least() -> None:
    found = too_fast([1.9, 2.0, 30.0, None], raters=list("abcd"))
    assert found.flagged == ("a",)
    assert (found.share.value, found.share.n) == (pytest.approx(1 / 3), 3)
    assert found.rule == "less than 2 seconds per answer on average"
    assert too_fast([], raters=[]).share.missing == "there are no answers"


def test_a_third_of_the_median_time_is_the_least_once_ten_are_done() -> None:
    minutes = [9.0, 2.9, 3.1, *[9.0] * 8]
    found = far_below_median(minutes, raters=[f"r{number}" for number in range(11)])
    assert found.flagged == ("r1",)
    assert "(3.0 minutes)" in found.rule
    early = far_below_median(minutes[:9], raters=[f"r{number}" for number in range(9)])
    assert early.flagged == ()
    assert early.share.missing == "9 people are done, at least 10 are needed"
