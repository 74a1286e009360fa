from __future__ import annotations

import krippendorff
import numpy as np
import pytest

from empathic.errors import UnknownName
from empathic.statistics.bootstrap import draws
from empathic.statistics.krippendorff import krippendorff_alpha

NONE = None
CANONICAL = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, NONE, NONE, NONE],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NONE, 3],
    [NONE, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NONE],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NONE],
]


def random_ratings(seed: int, units: int = 40, raters: int = 5, levels: int = 5, gaps: float = 0.3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    ratings = np.clip(np.round(rng.normal(3, 1, size=(units, 1)) + rng.normal(0, 0.8, size=(units, raters))), 1, levels)
    ratings[rng.uniform(size=ratings.shape) < gaps] = np.nan
    return ratings


@pytest.mark.parametrize(("scale", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_krippendorffs_own_data_have_his_alphas(scale: str, published: float) -> None:
    """Krippendorff (2011), Computing Krippendorff's alpha-reliability, section E: 4 observers, 12 units, gaps."""
    found = krippendorff_alpha(np.array(CANONICAL, dtype=float).T, scale=scale)
    assert found.value == pytest.approx(published, abs=5e-4)
    assert found.n == 11
    assert found.details["units_without_pairs"] == 1


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
@pytest.mark.parametrize("seed", range(4))
def test_gaps_and_unused_levels_agree_with_the_krippendorff_package(scale: str, seed: int) -> None:
    ratings = random_ratings(seed, levels=7, gaps=0.1 + 0.2 * seed)
    oracle = krippendorff.alpha(reliability_data=ratings.T, level_of_measurement=scale)
    assert krippendorff_alpha(ratings, scale=scale).value == pytest.approx(oracle, abs=1e-12)


@pytest.mark.parametrize("scale", ["nominal", "ordinal", "interval"])
def test_the_bootstrap_equals_a_loop_over_the_krippendorff_package(scale: str) -> None:
    ratings = random_ratings(9, units=30, gaps=0.2)
    ratings = ratings[np.isfinite(ratings).sum(axis=1) >= 2]
    looped = []
    for counts in draws(len(ratings), replicates=60, seed=4):
        sample = np.repeat(ratings, counts.astype(int), axis=0)
        looped.append(krippendorff.alpha(reliability_data=sample.T, level_of_measurement=scale))
    found = krippendorff_alpha(ratings, scale=scale, replicates=60, seed=4)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(looped, [0.025, 0.975])), abs=1e-10)


def test_many_distinct_values_are_no_problem() -> None:
    ratings = np.random.default_rng(2).normal(size=(150, 3))
    oracle = krippendorff.alpha(reliability_data=ratings.T, level_of_measurement="ordinal")
    assert krippendorff_alpha(ratings, scale="ordinal", replicates=20).value == pytest.approx(oracle, abs=1e-9)


def test_perfect_agreement_is_one_and_opposition_is_negative() -> None:
    assert krippendorff_alpha([[1, 1], [2, 2], [3, 3]]).value == pytest.approx(1.0)
    value = krippendorff_alpha([[1, 5], [5, 1], [1, 5], [5, 1]]).value
    assert value is not None and value < 0


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[1], [2]], "1 rater"),
        ([[1, None], [None, 2]], "no unit was rated by two raters"),
        ([[3, 3], [3, 3]], "all ratings are equal"),
        ([[np.nan, np.nan]], "no unit"),
        ([], "units × raters"),
        ([1, 2], "units × raters"),
    ],
)
def test_what_has_no_alpha_is_missing_with_a_reason(ratings, reason: str) -> None:
    found = krippendorff_alpha(np.array(ratings, dtype=float))
    assert found.value is None and reason in str(found.missing)


def test_one_unit_has_an_alpha_but_no_interval() -> None:
    found = krippendorff_alpha([[1, 2, 2]])
    assert found.value is not None and found.low is None


def test_an_unknown_scale_is_refused() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'ordinal'"):
        krippendorff_alpha([[1, 2]], scale="ordinall")
