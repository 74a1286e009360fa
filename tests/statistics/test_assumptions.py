from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.statistics import assumptions
from empathic.statistics.analysis import Answers

from .rated import null_ratings, small


def columns(values, groups, raters, items) -> Answers:
    systems, people, targets = (np.asarray(part).astype(str) for part in (groups, raters, items))
    return Answers("i", "1", np.asarray(values, float), people, systems, targets, np.full(len(systems), ""))


@pytest.fixture
def rated() -> Answers:
    return columns(*null_ratings(np.random.default_rng(0), 90, 6, items=30))


def test_alike_ratings_of_a_rater_violate_independence(rated: Answers) -> None:
    found = assumptions.independence(rated)
    assert found.holds is False
    assert found.text.startswith("design effect 1.")
    random = np.random.default_rng(1)
    fresh = rated._replace(values=random.integers(1, 4, len(rated.values)).astype(float))
    assert assumptions.independence(fresh._replace(raters=np.arange(len(fresh.values)).astype(str))).holds


def test_a_scale_of_three_points_has_ties() -> None:
    values, groups, raters, items = small()
    assert assumptions.ties(columns(values, groups, raters, items)).holds
    assert not assumptions.ties(columns(np.where(values > 1, 2, 1), groups, raters, items)).holds


def test_equal_variances_are_those_of_brown_and_forsythe(rated: Answers) -> None:
    found = assumptions.equal_variances(rated)
    means = {r: rated.values[rated.raters == r].mean() for r in np.unique(rated.raters)}
    groups = {r: rated.systems[rated.raters == r][0] for r in means}
    oracle = stats.levene(
        *[[m for r, m in means.items() if groups[r] == g] for g in np.unique(rated.systems)], center="median"
    )
    assert f"F = {oracle.statistic:.2f}" in found.text


def test_raters_at_an_end_of_the_scale_are_counted() -> None:
    found = assumptions.ceiling(columns([1, 1, 3, 3, 2, 3], list("aabbab"), [1, 1, 2, 2, 3, 3], [1, 2, 1, 2, 1, 2]))
    assert found.text.startswith("2 of 3 raters")
    assert not found.holds


def test_items_that_not_all_groups_saw_are_counted() -> None:
    found = assumptions.shared_items(columns([1, 2, 3], ["a", "a", "b"], [1, 1, 2], ["x", "y", "x"]))
    assert found.text == "1 of 2 items are rated in every group"
    assert not found.holds


def test_few_raters_are_named_by_group(rated: Answers) -> None:
    assert assumptions.enough_raters(rated).holds
    assert "a 1, b 1" in assumptions.enough_raters(columns([1, 2], ["a", "b"], [1, 2], [1, 1])).text


def test_what_cannot_be_checked_says_so() -> None:
    tiny = columns([1, 1, 2, 2], ["a", "a", "b", "b"], [1, 2, 3, 4], [1, 1, 1, 1])
    found = {each.name: each for each in assumptions.check_all(tiny, points=11)}
    assert found["independent ratings"].holds is None
    assert found["proportional odds"].holds is None
    assert found["equal variances of rater means"].holds is None
    assert all(each.text for each in found.values())
