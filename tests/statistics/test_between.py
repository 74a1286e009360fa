from __future__ import annotations

import numpy as np
import pytest

from empathic.errors import InputError, SettingError
from empathic.statistics import between
from empathic.statistics.analysis import Answers
from empathic.statistics.comparisons import one_way
from empathic.statistics.ordinal_mixed import ordinal_mixed

from .rated import null_ratings


def columns(seed: int = 0, *, shift: int = 0, raters: int = 36, each: int = 6) -> Answers:
    values, groups, rater, items = null_ratings(np.random.default_rng(seed), raters, each, items=24)
    names = np.array(["alpha", "beta", "gamma"])[groups]
    values = np.clip(values + shift * (groups == 2), 1, 3)
    blocks = np.array([f"block {r // 3}" for r in rater])
    polarity = np.where(items % 2 == 0, "positive", "negative")
    people = np.array([f"human:{r}" for r in rater])
    trait = {name: float(place % 17) for place, name in enumerate(np.unique(people).tolist())}
    empty = np.full(len(names), "")
    given = values.astype(float), people, names, items.astype(str), empty
    return Answers("i", "1", *given, (), None, blocks, polarity, trait)


def test_the_aware_result_comes_first_and_the_published_one_is_marked() -> None:
    data = columns(shift=1)
    found = between.between(data, 1)
    model = ordinal_mixed(data.values, data.systems, raters=data.raters, items=data.targets)
    assert found.estimates[0].statistic == pytest.approx(model.groups.statistic)
    assert found.published[0].statistic == pytest.approx(one_way(data.values, data.systems).statistic)
    assert {each.labels["style"] for each in found.flat()} == {"careful", "published"}
    odds = [each for each in found.estimates if each.name == "odds_ratio"]
    assert [each.labels["baseline"] for each in odds] == ["alpha", "alpha", "beta"]
    assert all(each.p_adjusted >= each.p for each in odds)


def test_every_part_of_the_design_is_analysed() -> None:
    found = between.between(columns(), 1)
    methods = {each.method for each in found.estimates}
    assert {
        "ordinal_mixed_laplace.v1", "linear_mixed_reml.v1", "cluster_robust.v1", "cluster_robust_two_way.v1",
        "rao_scott_second_order.v1", "block_means_anova.v1", "block_mean_t.v1", "permutation_within_blocks.v1",
        "interaction-cluster-robust.v1", "partial-pooling.v1", "slopes_hc3.v1", "cohens_d.v1",
    } <= methods  # fmt: skip
    assert {each.name for each in found.assumptions} >= {"independent ratings", "proportional odds", "few ties"}
    assert all(each.signature for each in found.flat())


def test_a_scale_of_many_points_has_no_ordinal_model() -> None:
    data = columns()
    random = np.random.default_rng(3)
    values = random.normal(size=len(data.values))
    found = between.between(data._replace(values=values, blocks=None, by=None, traits=None), 1)
    methods = {each.method for each in (*found.estimates, *found.published)}
    assert not {method for method in methods if "ordinal" in method or "chi_square" in method}
    assert "linear_mixed_reml.v1" in methods


def test_few_clusters_are_a_violated_assumption() -> None:
    found = between.between(columns(raters=12), 1)
    assert any(each.name.startswith("enough clusters") and each.holds is False for each in found.assumptions)


def test_one_rating_per_rater_falls_back_to_what_can_be_estimated() -> None:
    random = np.random.default_rng(5)
    n = 60
    each = np.arange(n).astype(str)
    data = Answers(
        "i", "1", random.integers(1, 6, n).astype(float), each, np.repeat(["a", "b"], n // 2), each, np.full(n, "")
    )
    found = between.between(data, 1)
    assert "one rating per rater" in found.estimates[0].missing
    assert any(each.method == "proportional_odds_cluster.v1" and each.value is not None for each in found.estimates)


@pytest.mark.parametrize("constant", [True, False])
def test_ratings_without_variation_are_missing_everywhere(constant: bool) -> None:
    data = columns()
    values = np.full(len(data.values), 2.0) if constant else np.where(data.systems == "alpha", 1.0, 3.0)
    found = between.between(data._replace(values=values), 1)
    tests = [each for each in found.flat() if each.p is not None]
    assert not constant or not tests
    assert all(each.value is not None or each.missing for each in found.flat())


def test_raters_in_two_groups_are_sent_to_the_within_design() -> None:
    data = columns()
    with pytest.raises(SettingError, match=r"^24 raters have rated in more than one group.*--design within"):
        between.between(data._replace(raters=data.targets), 1)


def test_one_group_is_refused() -> None:
    data = columns()
    with pytest.raises(SettingError, match="nothing to compare"):
        between.between(data.only(data.systems == "alpha"), 1)


def test_a_second_answer_about_the_same_thing_is_refused() -> None:
    data = columns()
    with pytest.raises(InputError, match="2 times about"):
        between.between(data.only(np.r_[np.arange(len(data.values)), 0]), 1)
