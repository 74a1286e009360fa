from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pingouin
import pytest

from empathic.statistics.icc import FORMS, icc, one_way

SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]


def test_shrout_and_fleiss_own_data_have_their_six_values() -> None:
    """Shrout & Fleiss (1979), tables 2 and 4: six targets, four judges."""
    published = {"ICC(1,1)": 0.17, "ICC(2,1)": 0.29, "ICC(3,1)": 0.71, "ICC(1,k)": 0.44, "ICC(2,k)": 0.62}
    published["ICC(3,k)"] = 0.91
    found = {one.name: one for one in icc(SHROUT_FLEISS)}
    for form, value in published.items():
        assert found[form].value == pytest.approx(value, abs=0.005)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:The inplace keyword")
@pytest.mark.parametrize("seed", range(4))
def test_random_ratings_agree_with_pingouin_in_value_f_and_interval(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ratings = rng.normal(size=(12, 1)) + rng.normal(size=(1, 4)) + rng.normal(size=(12, 4))
    rows = [(t, r, ratings[t, r]) for t, r in itertools.product(range(12), range(4))]
    frame = pd.DataFrame(rows, columns=["target", "rater", "value"])
    oracle = pingouin.intraclass_corr(frame, targets="target", raters="rater", ratings="value")
    columns = {name.replace("%", "").replace(" ", ""): name for name in oracle.columns}
    bounds = columns.get("CI95", columns.get("CI95"))
    for found, (_, row) in zip(icc(ratings), oracle.iterrows(), strict=True):
        assert found.value == pytest.approx(row["ICC"], abs=1e-8)
        assert found.statistic == pytest.approx(row["F"], rel=1e-8)
        assert (found.low, found.high) == pytest.approx(tuple(row[bounds]), abs=0.006)


def test_perfect_agreement_is_one_and_perfect_consistency_is_not_agreement() -> None:
    values = [one.value for one in icc([[1, 1], [2, 2], [5, 5]])]
    assert values == pytest.approx([1.0] * 6)
    shifted = {one.name: one.value for one in icc([[1, 3], [2, 4], [5, 7]])}
    assert shifted["ICC(3,1)"] == 1.0
    assert shifted["ICC(2,1)"] is not None and shifted["ICC(2,1)"] < 0.9


@pytest.mark.parametrize(
    ("ratings", "reason"),
    [
        ([[1, 2]], "1 target(s)"),
        ([[1], [2]], "1 rater(s)"),
        ([[3, 3], [3, 3]], "all ratings are equal"),
        ([[1, None], [2, 3]], "1 of 2 targets lack a rating"),
        ([[1, 2], [1, 2]], "the targets do not differ"),
        ([1, 2], "targets × raters"),
    ],
)
def test_what_has_no_icc_is_missing_with_a_reason(ratings, reason: str) -> None:
    found = icc(ratings)
    assert [one.name for one in found] == list(FORMS)
    assert all(one.value is None and reason in str(one.missing) for one in found)


def test_one_way_with_gaps_is_icc_1_of_the_ratings_each_target_has() -> None:
    """Shrout & Fleiss's data, each target's four ratings spread over ten raters: ICC(1,·) does not ask whose they are."""
    spread = np.full((6, 10), np.nan)
    for row, ratings in enumerate(SHROUT_FLEISS):
        spread[row, np.random.default_rng(row).permutation(10)[:4]] = ratings
    single, averaged = one_way(spread)
    assert (single.name, averaged.name) == ("ICC(1,1)", "ICC(1,k)")
    assert single.value == pytest.approx(0.17, abs=0.005)
    assert averaged.value == pytest.approx(0.44, abs=0.005)
    assert single.details == {"raters": 4, "left_out": 0, "cut": 0}


def test_one_way_leaves_out_targets_with_fewer_ratings_and_cuts_those_with_more() -> None:
    table = np.full((8, 5), np.nan)
    table[:6, :4] = SHROUT_FLEISS
    table[6, 0] = 3  # one rating only
    table[0, 4] = 1  # a fifth one
    single, _ = one_way(table)
    assert single.value == pytest.approx(icc(SHROUT_FLEISS)[0].value)
    assert single.details == {"raters": 4, "left_out": 2, "cut": 1}
    assert single.n == 6


def test_one_way_of_targets_rated_once_is_missing() -> None:
    single, averaged = one_way([[1, np.nan], [np.nan, 2]])
    assert single.value is averaged.value is None
    assert single.missing == "no target was rated by two raters"
