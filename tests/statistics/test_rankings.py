from __future__ import annotations

import itertools

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import optimize

from empathic.errors import SettingError
from empathic.statistics.rankings import plackett_luce

TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
WINS = [
    [0, 7, 9, 7, 7, 9, 11],
    [6, 0, 7, 5, 11, 9, 9],
    [4, 6, 0, 7, 7, 8, 12],
    [6, 8, 6, 0, 6, 7, 10],
    [6, 2, 6, 7, 0, 7, 12],
    [4, 4, 5, 6, 6, 0, 6],
    [2, 4, 1, 3, 1, 7, 0],
]


def pair_row(width: int, better: int, worse: int, *, tie: bool = False) -> list[float]:
    row = [np.nan] * width
    row[better], row[worse] = 1.0, 1.0 if tie else 0.0
    return row


def test_agrestis_baseball_teams_have_his_bradley_terry_estimates() -> None:
    """Agresti (2002), Categorical data analysis, table 10.10: American League 1987, Baltimore = 0."""
    rows = [pair_row(7, i, j) for i in range(7) for j in range(7) for _ in range(WINS[i][j])]
    found = {one.labels["system"]: one for one in plackett_luce(rows, names=TEAMS).contrasts if "Balt" in one.name}
    published = {
        "Milwaukee": 1.58,
        "Detroit": 1.44,
        "Toronto": 1.29,
        "New York": 1.25,
        "Boston": 1.11,
        "Cleveland": 0.68,
    }
    for team, value in published.items():
        assert found[team].value == pytest.approx(value, abs=0.005)
    assert found["Milwaukee"].details["standard_error"] == pytest.approx(0.343, abs=0.001)


def test_pairs_with_ties_equal_davidsons_model_fitted_as_a_loglinear_one() -> None:
    """Davidson's model is a Poisson regression with a parameter per pair (Fienberg & Larntz 1976)."""
    rng, names = np.random.default_rng(3), ["a", "b", "c"]
    rows, design, counts = [], [], []
    for number, (i, j) in enumerate(itertools.combinations(range(3), 2)):
        for outcome, count in enumerate(rng.integers(4, 15, 3)):
            features = np.zeros(3 + 3 + 1)
            features[number] = 1
            if outcome == 2:
                features[[3 + i, 3 + j]] = 0.5
                features[6] = 1
            else:
                features[3 + (i, j)[outcome]] = 1
            better, worse = (i, j) if outcome != 1 else (j, i)
            rows += [pair_row(3, better, worse, tie=outcome == 2)] * int(count)
            design.append(features)
            counts.append(count)
    columns = np.delete(np.array(design), 3, axis=1)
    oracle = sm.GLM(counts, columns, family=sm.families.Poisson()).fit(tol=1e-12)
    found = plackett_luce(rows, names=names)
    assert -found.contrasts[0].value == pytest.approx(oracle.params[3], abs=1e-6)
    assert -found.contrasts[1].value == pytest.approx(oracle.params[4], abs=1e-6)
    assert found.contrasts[0].details["standard_error"] == pytest.approx(oracle.bse[3], rel=1e-5)
    assert found.equal.details["log_tie"][0] == pytest.approx(oracle.params[5], abs=1e-6)


def test_whole_rankings_equal_a_direct_maximisation_of_plackett_luce() -> None:
    rng = np.random.default_rng(4)
    worth = np.array([0.0, 0.5, 1.0, -0.4])
    places = np.argsort(-(worth + rng.gumbel(size=(150, 4))), axis=1)
    values = np.empty_like(places, dtype=float)
    np.put_along_axis(values, places, np.arange(4.0)[None, ::-1].repeat(150, axis=0), axis=1)

    def loss(free: np.ndarray) -> float:
        logs = np.concatenate([[0], free])[places]
        return float(sum(np.log(np.exp(logs[:, k:]).sum(axis=1)).sum() - logs[:, k].sum() for k in range(3)))

    oracle = optimize.minimize(loss, np.zeros(3), tol=1e-10).x
    found = plackett_luce(values, names=list("abcd"))
    assert [-one.value for one in found.contrasts[:3] if one.value is not None] == pytest.approx(
        oracle.tolist(), abs=1e-4
    )


def test_worths_are_centred_and_shares_sum_to_one() -> None:
    found = plackett_luce(np.random.default_rng(5).integers(1, 4, size=(60, 4)), names=list("abcd"))
    assert sum(one.value for one in found.worths if one.value is not None) == pytest.approx(0, abs=1e-10)
    assert sum(one.details["share"] for one in found.worths) == pytest.approx(1)


def test_gaps_are_things_not_ranked() -> None:
    whole = plackett_luce([[1, 2], [2, 1], [2, 1]], names=["a", "b"]).contrasts[0]
    gaps = plackett_luce([[1, 2], [2, 1], [2, 1], [np.nan, 1], [3, None]], names=["a", "b"]).contrasts[0]
    assert gaps.value == pytest.approx(whole.value)
    assert whole.value == pytest.approx(np.log(2))


def test_every_ranking_twice_by_its_rater_leaves_clustered_errors_as_they_were() -> None:
    values = np.random.default_rng(6).integers(1, 4, size=(80, 3)).astype(float)
    once = plackett_luce(values, names=list("abc"), clusters=list(range(80)))
    twice = plackett_luce(np.vstack([values, values]), names=list("abc"), clusters=[*range(80), *range(80)])
    naive = plackett_luce(np.vstack([values, values]), names=list("abc"))
    error = [one.contrasts[0].details["standard_error"] for one in (once, twice, naive)]
    assert error[1] == pytest.approx(error[0])
    assert error[2] < 0.8 * error[0]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([[1, 0], [1, 0]], "always won or always lost"),
        ([[1, 1], [2, 2]], "ties everything"),
        ([[1, None], [None, 2]], "no ranking compares two things"),
    ],
)
def test_what_has_no_worth_is_missing_with_a_reason(values, reason: str) -> None:
    found = plackett_luce(np.array(values, dtype=float), names=["a", "b"])
    for one in (found.equal, *found.worths, *found.contrasts):
        assert one.value is None and reason in str(one.missing)


def test_one_thing_or_one_cluster_is_missing() -> None:
    assert "one thing" in str(plackett_luce([[1], [2]], names=["a"]).equal.missing)
    single = plackett_luce([[1, 2], [2, 1]], names=["a", "b"], clusters=["x", "x"])
    assert "one cluster" in str(single.equal.missing)


def test_a_wrong_shape_is_refused() -> None:
    with pytest.raises(SettingError, match="rankings × 3 things"):
        plackett_luce([[1, 2]], names=list("abc"))
    with pytest.raises(SettingError, match="1 clusters for 2 rankings"):
        plackett_luce([[1, 2], [2, 1]], names=list("ab"), clusters=["x"])
