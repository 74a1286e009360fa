from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from empathic.statistics import maxt as module
from empathic.statistics.groups import layout, means, observations
from empathic.statistics.maxt import deal, maxt, step_down, studentise


def made(values, templates=2, levels=("a", "b", "c"), each=1):
    """`each` answers of every level in every template."""
    labels = np.tile(np.repeat(levels, each), templates)
    names = np.repeat([f"t{place}" for place in range(templates)], each * len(levels))
    return observations(values, names, {"group": labels}, references={"group": levels[0]})


def test_p_is_that_of_all_rearrangements_counted_one_by_one() -> None:
    """Two templates of three answers: 36 ways to deal them; the adjusted p by brute force."""
    values = np.array([1.0, 2.5, 9.0, 2.0, 2.2, 8.0])
    found = layout(made(values))
    observed = np.abs(studentise(found, means(found, values[None, :])).statistics[0])
    ways = [
        np.r_[first, second]
        for first, second in itertools.product(itertools.permutations(values[:3]), itertools.permutations(values[3:]))
    ]
    every = np.abs(studentise(found, means(found, np.array(ways))).statistics)
    order = np.argsort(-observed)
    exact, reached = np.empty_like(observed), 0.0
    for rank, place in enumerate(order):
        share = np.mean(every[:, order[rank:]].max(axis=1) >= observed[place] - 1e-9)
        reached = exact[place] = max(reached, share)
    assert maxt(found, values, draws=20000, seed=1).p == pytest.approx(exact, abs=0.012)


def test_the_statistic_is_the_paired_t_when_nothing_is_steadied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "STEADY", 0.0)
    values = np.random.default_rng(2).normal(size=30)
    found = layout(made(values, templates=10))
    shown = dict(
        zip(
            [(each.kind, each.group.name) for each in found.contrasts],
            studentise(found, means(found, values[None, :])).statistics[0],
            strict=True,
        )
    )
    table = values.reshape(10, 3)
    assert shown["contrast", "group=b"] == pytest.approx(stats.ttest_rel(table[:, 1], table[:, 0]).statistic)
    assert shown["contrast", "group=c"] == pytest.approx(stats.ttest_rel(table[:, 2], table[:, 0]).statistic)


def test_the_error_is_steadied_by_the_larger_of_the_common_and_the_expected_variance() -> None:
    """By hand for one contrast: ((T−1) s² + 20 max(mean s², expected))/(T−1+20)."""
    values = np.random.default_rng(3).normal(size=12)
    found = layout(made(values, templates=4))
    gaps = values.reshape(4, 3)[:, 1:] - values.reshape(4, 3)[:, :1]
    own = gaps.var(axis=0, ddof=1)
    expected = values.reshape(4, 3).var(axis=1, ddof=1).mean() * 2
    by_hand = np.sqrt((3 * own + 20 * max(own.mean(), expected)) / 23 / 4)
    assert studentise(found, means(found, values[None, :])).errors[0, :2] == pytest.approx(by_hand)


def test_deviations_are_from_the_median_group() -> None:
    values = np.array([0.0, 0, 6, 1, 1, 7, 2, 2.5, 8])
    found = layout(made(values, templates=3))
    shown = studentise(found, means(found, values[None, :])).values[0]
    named = {each.group.name: one for each, one in zip(found.contrasts, shown, strict=True) if each.kind == "deviation"}
    assert named["group=b"] == 0  # of three, the one in the middle
    assert named["group=c"] == pytest.approx((6 + 6 + 5.5) / 3)
    assert named["group=a"] == pytest.approx(-0.5 / 3)


def test_one_intersection_that_differs_shows_as_itself_alone() -> None:
    """Median polish by hand: rows and columns add up but for one cell, which keeps all of its difference."""
    rows, columns, templates = [0.0, 1, 3], [0.0, 2, 5], 4
    table = np.add.outer(rows, columns)
    table[2, 1] -= 7
    values = np.tile(table.ravel(), templates) + np.repeat([0.0, 10, 20, 30], 9)
    factors = {"a": np.tile(np.repeat(list("xyz"), 3), templates), "b": np.tile(list("rst"), 3 * templates)}
    names = np.repeat(list("1234"), 9)
    found = layout(observations(values, names, factors, references={}, crossed=("a", "b")))
    shown = studentise(found, means(found, values[None, :])).values[0, found.tables[0]]
    assert shown == pytest.approx(np.where((np.arange(9) == 7).reshape(3, 3), -7.0, 0.0))


@pytest.mark.parametrize(("groups", "factor"), [(2, 1.0), (3, 1.5), (9, (1.2 / (8 / 9)) ** 0.5)])
def test_distances_from_a_median_are_counted_in_larger_errors(groups: int, factor: float) -> None:
    values = np.random.default_rng(1).normal(size=groups * 6)
    found = layout(made(values, templates=6, levels=tuple("abcdefghi"[:groups])))
    shown = studentise(found, means(found, values[None, :]))
    kinds = np.array([each.kind for each in found.contrasts])
    assert (shown.divisors / shown.errors)[0, kinds == "deviation"] == pytest.approx(np.full(groups, factor))
    assert (shown.divisors / shown.errors)[0, kinds == "contrast"] == pytest.approx(np.ones(groups - 1))


def test_values_are_dealt_within_their_template_only() -> None:
    rows = [np.array([0, 2, 4]), np.array([1, 3, 5])]
    values = np.array([1.0, 10, 2, 20, 3, 30])
    dealt = np.concatenate(list(deal(rows, values, 500, 3)))
    assert (np.sort(dealt[:, rows[0]], axis=1) == [1, 2, 3]).all()
    assert (np.sort(dealt[:, rows[1]], axis=1) == [10, 20, 30]).all()
    assert len(np.unique(dealt, axis=0)) == 36


def test_batches_do_not_change_the_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    values, rows = np.arange(8.0), [np.arange(8)]
    once = np.concatenate(list(deal(rows, values, 50, 3)))
    monkeypatch.setattr(module, "BATCH", 80)
    assert (np.concatenate(list(deal(rows, values, 50, 3))) == once).all()


def test_step_down_counts_only_what_is_left() -> None:
    """Four null data sets by hand: the largest of all, then of the second and third, then of the third alone."""
    permuted = np.array([[3.0, 1, 1], [1, 3, 1], [1, 1, 1], [2, 2, 2]])
    assert step_down(np.array([2.5, 2.0, 0.5]), permuted) == pytest.approx([3 / 5, 3 / 5, 1])
    assert step_down(np.array([9.0, 2.5, 0.5]), permuted) == pytest.approx([1 / 5, 2 / 5, 1])


def test_the_critical_value_is_exceeded_in_alpha_of_the_draws() -> None:
    values = np.random.default_rng(5).normal(size=300)
    found = maxt(layout(made(values, templates=10, each=10)), values, draws=999, seed=5)
    largest = found.permuted.max(axis=1)
    assert (largest > found.critical(0.05)).mean() == pytest.approx(0.05, abs=0.002)
    assert found.critical(1e-9) == largest.max()


def test_a_seed_gives_the_same_p() -> None:
    values = np.random.default_rng(5).normal(size=60)
    found = layout(made(values, templates=5, each=4))
    assert (maxt(found, values, draws=99, seed=1).p == maxt(found, values, draws=99, seed=1).p).all()
    assert (maxt(found, values, draws=99, seed=1).p != maxt(found, values, draws=99, seed=2).p).any()


def test_a_contrast_only_one_template_can_show_is_not_tested() -> None:
    values = np.array([1.0, 2, 3, 4, 5, 6, 7])
    names = ["x", "x", "y", "y", "z", "z", "z"]
    found = layout(observations(values, names, {"group": list("abababc")}, references={"group": "a"}))
    p = dict(
        zip([(e.kind, e.group.name) for e in found.contrasts], maxt(found, values, draws=49, seed=1).p, strict=True)
    )
    assert np.isnan(p["contrast", "group=c"])
    assert 0 < p["contrast", "group=b"] <= 1


def test_templates_that_differ_do_not_hide_a_difference_within_them() -> None:
    random = np.random.default_rng(7)
    values = np.repeat(random.normal(0, 50, 12), 9) + random.normal(size=108) + np.tile([0] * 6 + [3] * 3, 12)
    found = maxt(layout(made(values, templates=12, each=3)), values, draws=199, seed=1)
    assert found.p.min() == pytest.approx(1 / 200)
