"""Every within-subject, agreement and ranking test under a true null: where it holds .05, and where it does not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from empathic.records import Estimate
from empathic.statistics.art import art, art_contrasts
from empathic.statistics.concordance import friedman
from empathic.statistics.correlation import pearson, pearson_difference
from empathic.statistics.icc import icc
from empathic.statistics.kappa import weighted_kappa
from empathic.statistics.ordinal_regression import ordinal_regression
from empathic.statistics.pooling import partial_pooling, per_group
from empathic.statistics.rankings import plackett_luce
from empathic.statistics.repeated import contrast, repeated_measures

Random = np.random.Generator
SUBJECTS = 40


def p(found: Estimate | None) -> float:
    assert found is not None and found.p is not None, found
    return found.p


def subjects_by_systems(random: Random, systems: int = 4, spread: float = 1.0) -> np.ndarray:
    """Continuous answers: a subject's level, and no difference between systems."""
    return spread * random.normal(size=(SUBJECTS, 1)) + random.normal(size=(SUBJECTS, systems))


def ordinal(random: Random, systems: int = 4) -> np.ndarray:
    """The same in three categories."""
    return np.clip(np.round(2 + 0.8 * subjects_by_systems(random, systems, 0.5)), 1, 3)


def uneven(random: Random) -> np.ndarray:
    """Subjects differ more and more along the levels: sphericity is violated."""
    return random.normal(size=(SUBJECTS, 8)).cumsum(axis=1)


def two_factors(random: Random, effect: float = 1.0) -> np.ndarray:
    """An effect of the first factor, none of the second, no interaction; continuous."""
    return random.normal(size=(SUBJECTS, 3, 2)) + effect * np.arange(3)[:, None] + random.normal(size=(SUBJECTS, 1, 1))


def own_ways(random: Random) -> np.ndarray:
    """Every subject responds to the second factor in a way of their own; on average there is no effect."""
    return two_factors(random) + random.normal(size=(SUBJECTS, 1, 1)) * np.array([1.0, -1.0])


def factors(values: np.ndarray) -> dict[str, object]:
    n, a, b = values.shape
    labels = {"a": np.tile(np.repeat(range(a), b), n), "b": np.tile(range(b), n * a)}
    return {"values": values.ravel(), "factors": labels, "block": np.repeat(range(n), a * b)}


def groups(random: Random) -> dict[str, list[str] | list[float]]:
    rows = []
    for rater in range(60):
        mild, taste = random.normal(), 0.3 + 0.4 * random.normal()
        for group in "abc":
            rows += [("new", group, str(rater), mild + taste + random.normal())]
            rows += [("old", group, str(rater), mild + random.normal())]
    systems, emotions, raters, values = zip(*rows, strict=True)
    return {"values": list(values), "systems": list(systems), "groups": list(emotions), "raters": list(raters)}


def clustered_rankings(random: Random) -> tuple[np.ndarray, list[int]]:
    """60 raters rank three times and have tastes of their own; on average the things are alike."""
    taste = random.normal(size=(60, 1, 3))
    return np.round(taste + random.normal(size=(60, 3, 3))).reshape(180, 3), np.repeat(range(60), 3).tolist()


def pooled_q(random: Random) -> float:
    errors = random.uniform(0.1, 0.4, 12)
    return p(partial_pooling(0.5 + errors * random.normal(size=12), errors, names=list("abcdefghijkl")).heterogeneity)


def two_correlations(random: Random) -> float:
    level = random.normal(size=(2, 60))
    one, other = (pearson(x, x + random.normal(size=60)) for x in level)
    return p(pearson_difference(one, other))


def slopes(random: Random) -> float:
    rater = np.repeat(random.normal(size=80), 4)
    y = np.digitize(rater + random.logistic(size=320), [-1.0, 1.0])
    trait = np.repeat(random.normal(size=80), 4)
    return p(ordinal_regression(y, {"trait": trait}, clusters=np.repeat(range(80), 4)).slopes[0])


HOLD: dict[str, Callable[[Random], float]] = {
    "own stratum, continuous": lambda random: p(repeated_measures(subjects_by_systems(random), factors=["s"])[0]),
    "own stratum, three categories": lambda random: p(repeated_measures(ordinal(random), factors=["s"])[0]),
    "own stratum, interaction": lambda random: p(repeated_measures(two_factors(random), factors=["a", "b"])[2]),
    "own stratum, subjects with ways of their own": lambda random: p(
        repeated_measures(own_ways(random), factors=["a", "b"])[1]
    ),
    "Greenhouse–Geisser without sphericity": lambda random: p(repeated_measures(uneven(random), factors=["s"])[0]),
    "contrast, three categories": lambda random: p(contrast(ordinal(random), weights=[1, -1, 0, 0], name="c")),
    "Friedman, continuous": lambda random: p(friedman(subjects_by_systems(random), replicates=2)),
    "Friedman, three categories": lambda random: p(friedman(ordinal(random), replicates=2)),
    "ART, continuous": lambda random: p(art(**factors(two_factors(random)))[1]),
    "ART interaction, continuous": lambda random: p(art(**factors(two_factors(random)))[2]),
    "ART-C, continuous": lambda random: p(art_contrasts(**factors(two_factors(random)), among=["b"])[0]),
    "Plackett–Luce, three categories": lambda random: p(plackett_luce(ordinal(random, 3), names=list("abc")).equal),
    "weighted κ of independent raters": lambda random: p(weighted_kappa(*random.integers(1, 6, size=(2, 200)))),
    "ICC of unrelated ratings": lambda random: p(icc(random.normal(size=(30, 4)))[1]),
    "Pearson's r": lambda random: p(pearson(*random.normal(size=(2, 40)))),
    "two correlations": two_correlations,
    "Cochran's Q": pooled_q,
    "interaction per group": lambda random: p(per_group(**groups(random), pair=("new", "old")).interaction),
    "ordinal slope of a rater's trait, clustered": slopes,
}
FAIL: dict[str, Callable[[Random], float]] = {
    "ART, three categories": lambda random: p(
        art(**factors(np.clip(np.round(2 + 0.6 * two_factors(random)), 1, 3)))[1]
    ),
    "pooled error, subjects with ways of their own": lambda random: p(
        repeated_measures(own_ways(random), factors=["a", "b"], error="pooled")[1]
    ),
    "uncorrected F without sphericity": lambda random: repeated_measures(uneven(random), factors=["s"])[0].details[
        "p_uncorrected"
    ],
    "Plackett–Luce of several rankings per rater, not clustered": lambda random: p(
        plackett_luce(clustered_rankings(random)[0], names=list("abc")).equal
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOLD)
def test_a_true_null_is_rejected_as_often_as_it_says(name: str, null_rate: Callable[..., None]) -> None:
    null_rate(HOLD[name], runs=1000)


@pytest.mark.slow
def test_clustered_rankings_hold_their_size(null_rate: Callable[..., None]) -> None:
    def once(random: Random) -> float:
        values, raters = clustered_rankings(random)
        return p(plackett_luce(values, names=list("abc"), clusters=raters).equal)

    null_rate(once, runs=600)


@pytest.mark.slow
@pytest.mark.parametrize("name", FAIL)
def test_a_documented_case_rejects_true_nulls_too_often(name: str) -> None:
    random = np.random.default_rng(1)
    assert np.mean([FAIL[name](random) < 0.05 for _ in range(400)]) > 0.08
