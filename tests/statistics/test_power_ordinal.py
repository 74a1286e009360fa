from __future__ import annotations

import msgspec
import numpy as np
import pytest
from scipy import stats

from empathic.errors import SettingError
from empathic.statistics.power_ordinal import OrdinalStudy, simulate, simulated_power, thresholds_of

STUDY = OrdinalStudy(
    odds_ratios=(3.0,),
    raters_per_group=20,
    ratings_per_rater=6,
    items=30,
    thresholds=(-1.5, 0.0),
    sd_rater=0.5,
    sd_item=0.3,
)


def test_a_simulated_study_has_the_shares_it_was_told() -> None:
    study = msgspec.structs.replace(
        STUDY, raters_per_group=3000, thresholds=thresholds_of((0.2, 0.3, 0.5)), sd_rater=0.0, sd_item=0.0
    )
    values, groups, raters, items = simulate(study, np.random.default_rng(0))
    assert np.bincount(values[groups == 0])[1:] / (groups == 0).sum() == pytest.approx([0.2, 0.3, 0.5], abs=0.01)
    odds = [np.mean(values[groups == g] > 2) / np.mean(values[groups == g] <= 2) for g in (0, 1)]
    assert odds[1] / odds[0] == pytest.approx(3, rel=0.05)
    assert len(np.unique(raters)) == 6000
    assert all(len(np.unique(items[raters == rater])) == 6 for rater in range(5))


def test_a_large_effect_is_found_and_a_seed_gives_the_same_power() -> None:
    found = simulated_power(STUDY, runs=8, seed=1)
    assert found.value > 0.7
    assert found.low < found.value <= found.high
    assert simulated_power(STUDY, runs=8, seed=1) == found


@pytest.mark.slow
def test_no_effect_is_found_as_often_as_alpha_says() -> None:
    found = simulated_power(msgspec.structs.replace(STUDY, odds_ratios=(1.0, 1.0)), runs=300, seed=2)
    low, high = stats.binom.interval(0.999, 300, 0.05)
    assert low <= found.value * 300 <= high


@pytest.mark.parametrize(
    "change",
    [
        {"ratings_per_rater": 31},
        {"odds_ratios": ()},
        {"odds_ratios": (0.0,)},
        {"thresholds": (1.0, 0.0)},
        {"thresholds": ()},
    ],
)
def test_a_study_that_cannot_be_is_refused(change) -> None:
    with pytest.raises(SettingError):
        simulated_power(msgspec.structs.replace(STUDY, **change), runs=1, seed=0)


def test_shares_must_be_above_zero() -> None:
    with pytest.raises(SettingError):
        thresholds_of((0.5, 0.0, 0.5))


def test_progress_is_told_after_each_run() -> None:
    seen: list[int] = []
    simulated_power(STUDY, runs=2, seed=0, progress=seen.append)
    assert seen == [1, 2]
