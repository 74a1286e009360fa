from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.records import Estimate
from empathic.statistics.deviations import Plan, deviations
from empathic.statistics.groups import observations

PLAN = Plan(margin=0.5, seed=1, draws=199, replicates=200)
LEVELS = {"age": ["30", "50", "70"], "pronouns": ["he", "she", "they"]}


def observed(templates=12, each=4, effect=0.0, seed=0, spread=1.0, crossed=("age", "pronouns")):
    """Nine cells; `effect` is added for people of 70 called they."""
    random = np.random.default_rng(seed)
    age, pronouns = np.repeat(LEVELS["age"], 3 * each), np.tile(np.repeat(LEVELS["pronouns"], each), 3)
    size = 9 * each
    values = np.repeat(random.normal(0, 3, templates), size) + random.normal(0, spread, templates * size)
    factors = {"age": np.tile(age, templates), "pronouns": np.tile(pronouns, templates)}
    values = values + effect * ((factors["age"] == "70") & (factors["pronouns"] == "they"))
    names = np.repeat([f"t{place:02d}" for place in range(templates)], size)
    return observations(values, names, factors, references={"age": "30", "pronouns": "he"}, crossed=crossed)


def pick(found: list[Estimate], kind: str, group: str = "") -> Estimate:
    return next(each for each in found if each.labels["kind"] == kind and group in ("", each.labels["group"]))


def table(data, factor, level):
    inside = data.factors[factor] == level
    return np.array([data.values[inside & (data.templates == one)].mean() for one in np.unique(data.templates)])


def test_a_mean_has_the_t_interval_over_templates() -> None:
    data = observed()
    shown = table(data, "age", "70")
    low, high = stats.t.interval(0.95, 11, shown.mean(), stats.sem(shown))
    found = pick(deviations(data, PLAN, labels={"metric": "ce"}), "mean", "age=70")
    assert (found.value, found.low, found.high) == pytest.approx((shown.mean(), low, high))
    assert found.n == 144
    assert found.labels["metric"] == "ce"


def test_a_contrast_is_paired_within_templates() -> None:
    """The interval of scipy's paired t test, or wider where the steadied error is larger."""
    data = observed()
    gaps = table(data, "age", "70") - table(data, "age", "30")
    found = pick(deviations(data, PLAN), "contrast", "age=70")
    assert found.value == pytest.approx(gaps.mean())
    oracle = stats.ttest_1samp(gaps, 0).confidence_interval()
    assert found.high - found.low >= 0.97 * (oracle.high - oracle.low)
    assert found.high - found.low <= 1.5 * (oracle.high - oracle.low)
    assert found.df == (11,)


def test_the_error_is_that_of_the_paired_t_test_when_groups_vary_alike() -> None:
    data = observed(templates=200, each=2, crossed=())
    gaps = table(data, "pronouns", "they") - table(data, "pronouns", "he")
    found = pick(deviations(data, PLAN._replace(draws=19)), "contrast", "pronouns=they")
    assert found.details["error"] == pytest.approx(stats.sem(gaps), rel=0.12)


def test_a_planted_cell_is_found_and_the_others_are_not() -> None:
    found = deviations(observed(effect=-1.5), PLAN)
    cell = pick(found, "deviation", "age=70 × pronouns=they")
    assert cell.p == pytest.approx(1 / 200)
    assert cell.value == pytest.approx(-1.5, abs=0.4)
    assert cell.high < 0
    assert pick(found, "interaction", "age=70 × pronouns=they").p <= 0.05
    assert pick(found, "deviation", "age=30 × pronouns=she").p > 0.05
    assert pick(found, "any").p == pytest.approx(1 / 200)
    assert pick(found, "any").labels["group"] == "age=70 × pronouns=they"


def test_the_worst_group_comes_with_how_sure_it_is() -> None:
    found = deviations(observed(effect=-1.5), PLAN)
    worst = [each for each in found if each.labels["kind"] == "worst" and len(each.labels["factors"]) == 2][0]
    assert worst.labels["group"] == "age=70 × pronouns=they"
    assert worst.details["share_of_draws"] > 0.95
    unsure = [
        each
        for each in deviations(observed(), PLAN)
        if each.labels["kind"] == "worst" and len(each.labels["factors"]) == 2
    ]
    assert all(each.details["share_of_draws"] < 0.95 for each in unsure)


def test_the_direction_decides_which_group_is_worst() -> None:
    data = observed(effect=1.5)
    lower = deviations(data, PLAN._replace(better="lower"))
    assert "age=70 × pronouns=they" in [each.labels["group"] for each in lower if each.labels["kind"] == "worst"]
    assert not [each for each in deviations(data, PLAN._replace(better="neither")) if each.labels["kind"] == "worst"]


def test_pooling_draws_a_deviation_towards_the_others() -> None:
    for each in deviations(observed(effect=-1.0), PLAN):
        if each.labels["kind"] == "deviation" and len(each.labels["factors"]) == 2:
            assert 0 <= each.details["pooled"]["kept"] <= 1
            assert each.details["pooled"]["low"] <= each.details["pooled"]["value"] <= each.details["pooled"]["high"]
    cells = [each for each in deviations(observed(), PLAN) if each.labels["kind"] == "deviation"]
    farthest = max((each for each in cells if len(each.labels["factors"]) == 2), key=lambda each: abs(each.value))
    assert abs(farthest.details["pooled"]["value"]) < abs(farthest.value)


def test_many_templates_show_equivalence_and_few_do_not() -> None:
    many = deviations(observed(templates=30, each=6), PLAN)
    few = deviations(observed(templates=3, each=2), PLAN)
    assert pick(many, "contrast", "age=70").details["p_equivalence"] < 0.05
    assert pick(few, "contrast", "age=70").details["p_equivalence"] > 0.05


def test_what_could_have_been_found_shrinks_with_the_number_of_templates() -> None:
    few, many = (pick(deviations(observed(templates=n), PLAN), "contrast", "age=70") for n in (8, 32))
    assert many.details["detectable"] == pytest.approx(few.details["detectable"] / 2, rel=0.25)
    shared = pick(deviations(observed(templates=8), PLAN._replace(measures=10)), "contrast", "age=70")
    assert shared.details["detectable"] > few.details["detectable"]


def test_answers_that_are_missing_for_a_group_leave_its_contrast_missing() -> None:
    data = observed(templates=3)
    values = np.where(data.factors["age"] == "70", np.nan, data.values)
    values[(data.templates == "t00")] = data.values[data.templates == "t00"]
    thin = observations(values, data.templates, data.factors, references=data.references, crossed=data.crossed)
    found = pick(deviations(thin, PLAN), "contrast", "age=70")
    assert found.value is None
    assert "1 template(s)" in (found.missing or "")


@pytest.mark.parametrize(
    ("data", "word"),
    [(observed(templates=1), "1 template"), (observed(spread=0.0)._replace(values=np.zeros(432)), "whoever it is told of"),
     (observed()._replace(factors={"age": np.array(["30"] * 432)}, crossed=()), "one group")],
)  # fmt: skip
def test_what_cannot_be_compared_says_why(data, word: str) -> None:
    found, *rest = deviations(data, PLAN)
    assert {each.labels["kind"] for each in rest} <= {"mean"}
    assert found.value is None
    assert word in (found.missing or "")


def test_where_everybody_gets_the_same_the_means_are_still_told() -> None:
    data = observed()
    same = data._replace(values=np.array([float(name[1:]) for name in data.templates]))
    found = deviations(same, PLAN)
    assert "whoever it is told of" in (found[0].missing or "")
    assert pick(found, "mean", "age=70").value == pytest.approx(5.5)


def test_a_seed_gives_the_same_numbers() -> None:
    assert deviations(observed(), PLAN) == deviations(observed(), PLAN)
