from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from empathic.errors import SettingError
from empathic.statistics.equivalence import overall, tost, unseen, verdict


@pytest.mark.parametrize("shift", [-0.3, 0.0, 0.05, 0.4])
def test_two_one_sided_tests_are_those_of_statsmodels(shift: float) -> None:
    gaps = np.random.default_rng(4).normal(shift, 0.3, 20)
    oracle = DescrStatsW(gaps).ttost_mean(-0.2, 0.2)[0]
    found = tost(float(gaps.mean()), float(stats.sem(gaps)), 19, margin=0.2)
    assert found == pytest.approx(oracle, rel=1e-9)


def test_equivalence_is_the_90_percent_interval_within_the_margin() -> None:
    for value in np.linspace(0, 0.3, 31):
        high = value + stats.t.ppf(0.95, 11) * 0.05
        assert (tost(value, 0.05, 11, margin=0.2) <= 0.05) == (high <= 0.2)


def test_an_error_of_zero_decides_by_the_value_alone() -> None:
    assert tost(0.1, 0.0, 5, margin=0.2) == 0
    assert tost(0.2, 0.0, 5, margin=0.2) == 1


@pytest.mark.parametrize(
    ("p", "p_equivalence", "said"),
    [(0.01, 0.9, "different"), (0.01, 0.001, "different"), (0.6, 0.01, "equivalent"), (0.6, 0.4, "inconclusive"),
     (None, None, "inconclusive"), (None, 0.01, "equivalent")],
)  # fmt: skip
def test_a_large_p_alone_is_inconclusive(p: float | None, p_equivalence: float | None, said: str) -> None:
    assert verdict(p, p_equivalence) == said


def test_many_are_equivalent_only_if_all_are() -> None:
    assert overall(["equivalent", "equivalent"]) == "equivalent"
    assert overall(["equivalent", "inconclusive"]) == "inconclusive"
    assert overall(["equivalent", "different", "inconclusive"]) == "different"
    assert overall([]) == "inconclusive"


def test_what_may_hide_behind_none_of_n_is_the_exact_limit() -> None:
    oracle = stats.binomtest(0, 60, alternative="less").proportion_ci(0.95).high
    assert unseen(60) == pytest.approx(oracle)
    assert unseen(60) == pytest.approx(3 / 60, abs=0.002)
    assert unseen(0) == 1


def test_a_margin_is_larger_than_zero() -> None:
    with pytest.raises(SettingError, match="--margin 0.1"):
        tost(0.1, 0.1, 5, margin=0.0)
