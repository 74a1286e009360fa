from __future__ import annotations

import numpy as np
import pytest
from statsmodels.stats.meta_analysis import combine_effects

from empathic.errors import SettingError
from empathic.statistics.pooling import NO_CLAIM, partial_pooling, paule_mandel, per_group

SCHOOLS = [28, 8, -3, 7, -1, 1, 18, 12]
ERRORS = [15, 10, 16, 11, 9, 11, 10, 18]
NAMES = list("ABCDEFGH")


def study(seed: int, effect: dict[str, float], raters: int = 60) -> dict[str, list]:
    rng = np.random.default_rng(seed)
    rows = []
    for rater in range(raters):
        liking = rng.normal()
        for group, size in effect.items():
            rows.append(("new", group, f"r{rater}", liking + size + rng.normal()))
            rows.append(("old", group, f"r{rater}", liking + rng.normal()))
    systems, groups, ids, values = zip(*rows, strict=True)
    return {"values": list(values), "systems": list(systems), "groups": list(groups), "raters": list(ids)}


def test_the_eight_schools_have_the_textbooks_posterior() -> None:
    """Rubin (1981); Gelman et al. (2013), Bayesian data analysis, section 5.5: pooled 7.7, posterior in table 5.3."""
    found = partial_pooling(SCHOOLS, ERRORS, names=NAMES)
    assert found.common.value == pytest.approx(7.7, abs=0.05)
    assert found.heterogeneity.value == 0.0
    assert found.heterogeneity.p is not None and found.heterogeneity.p > 0.5
    medians = [10, 8, 7, 8, 5, 6, 10, 8]
    assert [one.value for one in found.groups] == pytest.approx(medians, abs=1.6)
    lower = [-2, -5, -11, -7, -9, -7, -1, -6]
    assert [one.low for one in found.groups] == pytest.approx(lower, abs=1.6)


@pytest.mark.parametrize("seed", range(3))
def test_the_spread_and_the_common_difference_agree_with_statsmodels(seed: int) -> None:
    rng = np.random.default_rng(seed)
    errors = rng.uniform(0.1, 0.4, 12)
    y = rng.normal(0.3, 0.5, 12) + rng.normal(size=12) * errors
    oracle = combine_effects(y, errors**2, method_re="iterated", use_t=True)
    assert paule_mandel(y, errors) == pytest.approx(oracle.tau2, rel=1e-4)
    found = partial_pooling(y, errors, names=[str(place) for place in range(12)])
    assert found.heterogeneity.statistic == pytest.approx(oracle.q)
    assert found.common.value == pytest.approx(oracle.mean_effect_re, rel=1e-4)


def test_a_group_is_shrunk_the_more_the_less_it_is_known() -> None:
    found = partial_pooling([0.0, 1.0, 2.0, 2.0], [0.2, 0.2, 0.2, 1.0], names=list("abcd"))
    kept = [one.details["kept"] for one in found.groups]
    assert kept[2] > kept[3]
    for one, centre in zip(found.groups, [found.common.value] * 4, strict=True):
        assert one.value is not None and centre is not None
        assert abs(one.value - centre) < abs(one.details["raw"] - centre)


def test_two_groups_are_not_shrunk() -> None:
    found = partial_pooling([0.0, 1.0], [0.2, 0.3], names=["a", "b"])
    assert [one.value for one in found.groups] == [0.0, 1.0]


def test_shrunken_intervals_cover_the_truth_and_shrinking_brings_estimates_nearer() -> None:
    rng, covered, shrunk_error, raw_error = np.random.default_rng(8), 0, 0.0, 0.0
    for _ in range(100):
        truth = rng.normal(0.2, 0.2, 12)
        errors = rng.uniform(0.15, 0.35, 12)
        y = truth + errors * rng.normal(size=12)
        found = partial_pooling(y, errors, names=[str(place) for place in range(12)])
        for one, true, raw in zip(found.groups, truth, y, strict=True):
            assert one.value is not None and one.low is not None and one.high is not None
            covered += one.low <= true <= one.high
            shrunk_error += (one.value - true) ** 2
            raw_error += (raw - true) ** 2
    assert 0.93 <= covered / 1200 <= 0.97
    assert shrunk_error < 0.8 * raw_error


def test_an_interaction_that_is_there_is_found_and_licenses_claims() -> None:
    found = per_group(**study(1, {"joy": 1.5, "fear": 0.0, "anger": -0.5}), pair=("new", "old"))
    assert found.interaction is not None and found.interaction.p is not None and found.interaction.p < 1e-6
    joy = next(one for one in found.groups if one.labels["group"] == "joy")
    assert joy.p_adjusted is not None and joy.p_adjusted < 1e-6
    assert "caution" not in joy.details


def test_without_an_interaction_no_group_may_claim() -> None:
    found = per_group(**study(2, dict.fromkeys("abcd", 0.4)), pair=("new", "old"))
    assert found.interaction is not None and found.interaction.p is not None and found.interaction.p > 0.05
    assert all(one.details["caution"] == NO_CLAIM for one in found.groups)
    assert found.common.value == pytest.approx(0.4, abs=0.2)


def test_the_interaction_test_holds_its_size() -> None:
    rejected = sum(
        (per_group(**study(seed, dict.fromkeys("abc", 0.3), raters=40), pair=("new", "old")).interaction.p or 1) < 0.05
        for seed in range(200)
    )
    assert rejected <= 200 * 0.05 + 3 * (200 * 0.05 * 0.95) ** 0.5


def test_what_cannot_be_pooled_is_missing_with_a_reason() -> None:
    assert "1 group(s)" in str(partial_pooling([1], [1], names=["a"]).common.missing)
    assert "error is zero" in str(partial_pooling([1, 2], [0, 1], names=["a", "b"]).groups[0].missing)
    assert "no difference" in str(partial_pooling([1, np.nan], [1, 1], names=["a", "b"]).heterogeneity.missing)
    few = per_group([1, 2, 3, 4], systems=list("xyxy"), groups=list("aabb"), raters=list("1111"), pair=("x", "y"))
    assert few.interaction is not None and few.interaction.value is None
    gap = per_group([1, 2, 3], systems=list("xyx"), groups=list("aab"), raters=list("123"), pair=("x", "y"))
    assert "system 'y' has no rating in group 'b'" in str(gap.common.missing)
    lone = per_group([1, 2], systems=list("xy"), groups=list("aa"), raters=list("12"), pair=("x", "y"))
    assert "1 group(s)" in str(lone.common.missing)


def test_lengths_that_differ_are_refused() -> None:
    with pytest.raises(SettingError, match="do not fit together"):
        partial_pooling([1, 2], [1], names=["a"])
