from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.statistics.spread import brown_forsythe


def test_in_one_template_it_is_levenes_test_with_the_median() -> None:
    random = np.random.default_rng(1)
    samples = [random.normal(0, sd, 25) for sd in (1, 1, 1.6)]
    oracle = stats.levene(*samples, center="median")
    found = brown_forsythe(np.concatenate(samples), np.repeat(list("abc"), 25), ["t"] * 75, draws=4999, seed=1)
    assert found.statistic == pytest.approx(oracle.statistic)
    assert found.df == (2, 72)
    assert found.p == pytest.approx(oracle.pvalue, abs=0.02)


def test_the_value_is_the_largest_ratio_of_standard_deviations() -> None:
    values = np.r_[-1.0, 0, 1, -3, 0, 3]
    found = brown_forsythe(values, list("aaabbb"), ["t"] * 6, draws=19, seed=1)
    assert found.value == pytest.approx(3)
    assert found.details["sd"] == pytest.approx({"a": np.sqrt(2 / 3), "b": np.sqrt(6)})


def test_means_and_templates_may_differ() -> None:
    """A difference of means, and of templates in level and spread, is no difference in spread."""
    random, rejected = np.random.default_rng(2), 0
    groups, templates = np.tile(np.repeat(list("ab"), 10), 8), np.repeat(range(8), 20)
    for seed in range(60):
        values = random.normal(size=160) * (1 + templates) + 5 * templates + (groups == "b") * 4
        found = brown_forsythe(values, groups, templates, draws=99, seed=seed)
        rejected += found.p <= 0.05
    assert rejected <= 9  # binomial(60, .05): 9 or fewer in 99.8 %


def test_a_larger_spread_is_found() -> None:
    random = np.random.default_rng(3)
    groups, templates = np.tile(np.repeat(list("ab"), 10), 8), np.repeat(range(8), 20)
    values = random.normal(size=160) * np.where(groups == "b", 2.5, 1) + templates
    found = brown_forsythe(values, groups, templates, draws=199, seed=1, labels={"metric": "length"})
    assert found.p == pytest.approx(1 / 200)
    assert found.labels == {"metric": "length"}
    assert found.details["sd"]["b"] > 1.8 * found.details["sd"]["a"]


@pytest.mark.parametrize(
    ("values", "groups", "word"),
    [([1, 2, 3, 4.0], ["a"] * 4, "one group"), ([1, 1, 1, 1.0], list("abab"), "equal"),
     ([0, 1, 1, 0.0], list("abab"), "two values"), ([1, 2, float("nan"), 3], list("abab"), "not numbers"),
     ([1, 2, 3.0], list("aab"), "at least 4"), ([1, 1, 2, 2.0, 5], list("aabbb")[:4], "lengths"),
     ([1, 1, 2, 2, 3, 3.0], list("aabbcc"), "do not vary")],
)  # fmt: skip
def test_what_cannot_be_tested_says_why(values: list[float], groups: list[str], word: str) -> None:
    found = brown_forsythe(values, groups, ["t"] * len(values), draws=19, seed=1)
    assert found.value is None
    assert word in (found.missing or "")
