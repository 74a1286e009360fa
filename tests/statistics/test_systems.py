from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.statistics.systems import Scores, compare, compare_all, groups, means, needed_dialogues


def scores(system: str, values: np.ndarray, *, per_dialogue: int = 1, name: str = "m") -> Scores:
    places = [(place // per_dialogue, place % per_dialogue) for place in range(len(values))]
    return Scores(system, places, [f"d{each[0]}" for each in places], {name: np.asarray(values, float)})


def test_a_mean_of_independent_responses_has_the_textbook_interval() -> None:
    values = np.random.default_rng(1).normal(3, 2, 400)
    (found,) = means(scores("a", values), seed=2, draws=4000)
    low, high = stats.t.interval(0.95, 399, values.mean(), stats.sem(values))
    assert found.value == pytest.approx(values.mean())
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.02)
    assert found.n == 400


def test_turns_of_one_dialogue_do_not_count_as_independent() -> None:
    random = np.random.default_rng(3)
    values = np.repeat(random.normal(0, 1, 100), 10)
    (found,) = means(scores("a", values, per_dialogue=10), seed=1)
    assert found.high - found.low > 2 * 1.5 / np.sqrt(100)
    assert found.details["dialogues"] == 100


def test_a_paired_difference_agrees_with_the_paired_t_test() -> None:
    random = np.random.default_rng(4)
    base = random.normal(0, 1, 120)
    other = base + random.normal(0.1, 0.5, 120)
    (found,) = compare(scores("a", base), scores("b", other), seed=5, draws=4000)
    expected = stats.ttest_rel(other, base)
    assert found.value == pytest.approx((other - base).mean())
    assert found.statistic == pytest.approx(expected.statistic)
    assert found.details["p_t"] == pytest.approx(expected.pvalue)
    assert found.p == pytest.approx(expected.pvalue, abs=0.02)
    assert found.labels == {"metric": "m", "base": "a", "system": "b"}


def test_a_difference_no_draw_reaches_takes_its_p_from_the_t_test() -> None:
    random = np.random.default_rng(6)
    base = random.normal(0, 1, 200)
    (found,) = compare(scores("a", base), scores("b", base + 1 + random.normal(0, 0.3, 200)), seed=1, draws=500)
    assert found.p == found.details["p_t"] < 1e-20
    assert found.details["p_sign_flips"] == pytest.approx(1 / 501)


def test_only_places_both_systems_have_are_compared() -> None:
    base, other = scores("a", np.arange(20.0)), scores("b", np.arange(30.0) + np.sin(np.arange(30.0)))
    (found,) = compare(base, other, seed=1)
    assert found.n == 20


def test_missing_values_leave_their_pair_out() -> None:
    values = np.arange(20.0)
    holes = values + np.cos(values)
    holes[3] = np.nan
    (found,) = compare(scores("a", values), scores("b", holes), seed=1)
    assert found.n == 19
    (mean,) = means(scores("b", holes), seed=1)
    assert mean.n == 19


def test_identical_systems_differ_by_exactly_nothing() -> None:
    values = np.random.default_rng(7).normal(size=30)
    (found,) = compare(scores("a", values), scores("b", values), seed=1)
    assert (found.value, found.p) == (0.0, 1.0)
    assert found.details["identical"]


def test_a_constant_difference_is_absent_with_a_reason() -> None:
    values = np.zeros(30)
    (found,) = compare(scores("a", values), scores("b", values + 1), seed=1)
    assert found.value is None
    assert "without spread" in (found.missing or "")


def test_too_few_dialogues_are_no_estimate() -> None:
    (found,) = compare(scores("a", np.arange(5.0)), scores("b", np.arange(5.0) ** 2), seed=1)
    assert found.missing == "5 dialogues in common, at least 6 are needed"


def test_a_metric_nobody_could_measure_has_no_mean() -> None:
    (found,) = means(scores("a", np.full(10, np.nan)), seed=1)
    assert found.missing == "no response could be measured"


def test_the_same_seed_gives_the_same_numbers() -> None:
    random = np.random.default_rng(8)
    one, other = scores("a", random.normal(size=50)), scores("b", random.normal(size=50))
    assert compare(one, other, seed=3) == compare(one, other, seed=3)
    assert compare(one, other, seed=3) != compare(one, other, seed=4)


def three(seed: int, shift: float, size: int = 600) -> list[Scores]:
    random = np.random.default_rng(seed)
    common = random.normal(size=size)
    return [scores(name, common + random.normal(each, 1, size)) for name, each in (("a", 0), ("b", 0), ("c", shift))]


def test_identical_systems_are_not_told_apart_in_19_of_20_seeds() -> None:
    apart = sum(
        len(groups(compare_all(three(seed, 0.0), seed=seed, draws=500), ["a", "b", "c"])) > 1 for seed in range(20)
    )
    assert apart <= 1


def test_a_planted_difference_of_a_fifth_of_a_standard_deviation_is_flagged() -> None:
    shift = 0.2 * np.sqrt(2)
    seeds = range(10)
    found = [groups(compare_all(three(seed, shift, 1000), seed=seed, draws=500), ["a", "b", "c"]) for seed in seeds]
    assert all(("c",) in each for each in found)
    assert sum(("a", "b") in each for each in found) >= 9


def test_groups_may_overlap() -> None:
    found = compare_all(three(1, 0.2 * np.sqrt(2), 1000), seed=1, draws=200)
    middle = [each for each in found if {each.labels["base"], each.labels["system"]} == {"a", "c"}]
    assert groups(middle, ["a", "b", "c"]) == [("a", "b"), ("b", "c")]


def test_headline_metrics_are_one_family_and_the_others_another() -> None:
    random = np.random.default_rng(9)
    systems = [
        Scores(name, list(range(50)), [str(place) for place in range(50)],
               {"first": random.normal(size=50), "second": random.normal(size=50)})
        for name in "abc"
    ]  # fmt: skip
    found = compare_all(systems, seed=1, draws=200, headline=["first"])
    families = {each.labels["metric"]: each.family for each in found}
    assert families["first"] == "headline metrics × pairs of systems (holm, 3 tests)"
    assert families["second"] == "further metrics × pairs of systems (bh, 3 tests)"


def test_the_detectable_difference_says_how_many_dialogues_are_needed() -> None:
    random = np.random.default_rng(10)
    base = random.normal(size=400)
    (found,) = compare(scores("a", base), scores("b", base + random.normal(0, 1, 400)), seed=1)
    assert found.details["minimum_detectable"] == pytest.approx(2.8 / 20, rel=0.1)
    assert needed_dialogues(found, found.details["minimum_detectable"]) == 400
    assert needed_dialogues(found, found.details["minimum_detectable"] / 2) == 1600
    assert needed_dialogues(found, 0) is None
