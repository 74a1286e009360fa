"""Oracle: R's `lmerTest::lmer`, fixed values with the call, live where R is installed; exact F where balanced."""

from __future__ import annotations

import numpy as np
import pytest

from empathic.statistics.comparisons import block_means, one_way
from empathic.statistics.linear_mixed import linear_mixed

from .rated import as_r, null_ratings, small


def test_crossed_raters_and_items_are_those_of_lmer() -> None:
    """anova(lmer(y ~ g + (1 | rater) + (1 | item), d)); summary(m)$coefficients; VarCorr(m)"""
    values, groups, raters, items = small()
    found = linear_mixed(values, groups, raters=raters, items=items)
    assert (found.groups.statistic, found.groups.df[1], found.groups.p) == pytest.approx(
        (2.89258022, 13.97962432, 0.08887019), rel=3e-4
    )
    first, second = found.pairs[:2]
    assert (first.value, first.details["se"], first.df[0]) == pytest.approx(
        (-0.0864330179, 0.231211200, 14.3347361), rel=1e-4
    )
    assert (second.value, second.p) == pytest.approx((0.4478262915, 0.0807481110), rel=1e-4)
    assert [sd.value for sd in found.deviations] == pytest.approx([0.24795055, 0.53216952, 0.92936883], rel=1e-5)


def test_one_factor_is_that_of_lmer() -> None:
    """anova(lmer(y ~ g + (1 | item), d))"""
    values, groups, _, items = small()
    found = linear_mixed(values, groups, items=items)
    assert found.groups.statistic == pytest.approx(4.39261110, rel=1e-6)
    assert found.groups.df[1] == pytest.approx(145.00354695, rel=3e-3)
    assert [sd.value for sd in found.deviations] == pytest.approx([0.51781195, 0.95894334], rel=1e-6)


def test_a_balanced_design_of_raters_has_the_exact_f_of_their_means() -> None:
    random = np.random.default_rng(6)
    rater, group = np.repeat(np.arange(24), 5), np.repeat(np.arange(24) % 3, 5)
    values = random.normal(size=24)[rater] + random.normal(size=120) + 0.6 * (group == 1)
    means = values.reshape(24, 5).mean(axis=1)
    exact, found = one_way(means, np.arange(24) % 3), linear_mixed(values, group, raters=rater).groups
    assert found.statistic == pytest.approx(exact.statistic, rel=1e-5)
    assert found.df[1] == pytest.approx(21, rel=1e-3)


def test_blocks_with_one_rater_per_group_agree_with_block_means() -> None:
    random = np.random.default_rng(2)
    part, group = np.repeat(np.arange(15), 12), np.tile(np.repeat([0, 1, 2], 4), 15)
    rater, item = part * 3 + group, part * 4 + np.tile(np.arange(4), 45)
    values = random.normal(0, 0.8, 45)[rater] + random.normal(0, 0.5, 60)[item] + random.normal(size=180) + (group == 2)
    mixed, blocked = linear_mixed(values, group, raters=rater, items=item).groups, block_means(values, group, part)
    assert mixed.statistic == pytest.approx(blocked.statistic, rel=0.25)


def test_an_unbalanced_design_is_that_of_lmer_live(r) -> None:
    random = np.random.default_rng(5)
    values, groups, raters, items = null_ratings(random, 24, 6, items=30)
    keep = random.random(len(values)) < 0.75
    values, groups, raters, items = values[keep], groups[keep], raters[keep], items[keep]
    code = (
        as_r(values, groups, raters, items)
        + """
      suppressMessages(library(lmerTest)); m <- lmer(y ~ g + (1 | rater) + (1 | item), d); a <- anova(m);
      cat(a$`F value`, a$DenDF, a$`Pr(>F)`)"""
    )
    found = linear_mixed(values, groups, raters=raters, items=items).groups
    assert [found.statistic, found.df[1], found.p] == pytest.approx(r(code), rel=2e-2)


@pytest.mark.parametrize(
    ("values", "groups", "raters", "word"),
    [
        ([1, 2, 3, 1], ["a", "a", "b", "b"], None, "raters or items are needed"),
        ([1, 2, 3, 1], ["a", "a", "b", "b"], [1, 2, 3, 4], "4 raters for 4 ratings"),
        ([1, 2, 3, 1], ["a", "a", "b", "b"], [1, 1, 1, 1], "1 raters"),
        ([2, 2, 2, 2], ["a", "a", "b", "b"], [1, 1, 2, 2], "equal"),
        ([1, 1, 2, 2], ["a", "a", "b", "b"], [1, 1, 2, 2], "no residual"),
        ([1, 2, 3, 4], ["a", "a", "a", "a"], [1, 1, 2, 2], "one group"),
        ([1, 2, 3, None], ["a", "a", "b", "b"], [1, 1, 2, 2], "not numbers"),
        ([1, 2, 3], ["a", "a", "b", "b"], [1, 1, 2, 2], "lengths"),
    ],
)
def test_degenerate_input_is_missing_with_a_reason(values, groups, raters, word) -> None:
    found = linear_mixed(values, groups, raters=raters)
    assert found.groups.value is None
    assert word in found.groups.missing
    assert all(estimate.value is None for estimate in (*found.pairs, *found.deviations))


@pytest.mark.slow
def test_a_true_null_is_rejected_as_often_as_it_says(null_rate) -> None:
    def once(random: np.random.Generator) -> float:
        values, groups, raters, items = null_ratings(random, 30, 8, items=30)
        return linear_mixed(values, groups, raters=raters, items=items).groups.p

    null_rate(once, runs=500)
