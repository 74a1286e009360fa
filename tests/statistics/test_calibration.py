"""A judge beside people: figures by hand, ceilings, bias, and how many targets are needed."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from empathic.statistics.calibration import agreement, bias, targets_needed
from empathic.statistics.icc import icc
from empathic.statistics.kappa import weighted_kappa
from empathic.statistics.observations import Observation
from empathic.statistics.paired import How, figure

QUICK = How(replicates=200)


def people(values: np.ndarray, measure: str = "m") -> list[Observation]:
    return [
        Observation(f"human:{r}", f"t{t}", measure, float(value))
        for t, row in enumerate(values)
        for r, value in enumerate(row)
    ]


def judge(values: np.ndarray, measure: str = "m") -> list[Observation]:
    return [
        Observation(f"judge:p/m#{r}", f"t{t}", measure, float(value))
        for t, row in enumerate(np.atleast_2d(values.T).T)
        for r, value in enumerate(row)
    ]


@pytest.fixture
def made() -> tuple[np.ndarray, np.ndarray]:
    """Three people with noise 1, a judge with the same noise who gives one point more."""
    rng = np.random.default_rng(12)
    true = 4 + 1.5 * rng.normal(size=(150, 1))
    human = np.clip(np.round(true + rng.normal(size=(150, 3))), 1, 7)
    return human, np.clip(np.round(true + 1 + rng.normal(size=(150, 1))), 1, 7)


def test_one_person_and_one_judge_are_the_two_rater_kappa_and_icc(made: tuple[np.ndarray, np.ndarray]) -> None:
    human, model = made[0][:, :1], made[1]
    found = agreement(judge(model), people(human), "m", "ordinal", how=QUICK)
    exact = weighted_kappa(model[:, 0], human[:, 0], weights="quadratic")
    assert found.kappa.value == pytest.approx(exact.value)
    assert found.icc.value == pytest.approx(icc(np.column_stack([model, human]))[1].value)
    assert found.rank.value == pytest.approx(stats.spearmanr(model[:, 0], human[:, 0]).statistic)
    for ceiling in (found.kappa_people, found.gap, found.icc_people, found.rank_people):
        assert ceiling.missing == "no target was rated by two people, so people's own agreement is unknown"
    assert found.alpha_people.value is None


def test_a_judge_as_good_as_a_person_but_too_kind_loses_kappa_and_keeps_rank(
    made: tuple[np.ndarray, np.ndarray],
) -> None:
    human, model = made
    found = agreement(judge(model), people(human), "m", "ordinal", how=QUICK)
    assert (found.targets, found.people_per_target) == (150, 3.0)
    assert found.bias.value == pytest.approx(1, abs=0.25) and found.bias.low > 0
    assert found.kappa.value < found.kappa_people.value and found.gap.high < 0
    assert found.rank.value == pytest.approx(found.rank_people.value, abs=0.06)
    assert found.icc.value < found.icc_people.value
    assert found.alpha.value < found.alpha_people.value


def test_a_person_in_the_judges_place_reaches_the_ceiling(made: tuple[np.ndarray, np.ndarray]) -> None:
    rng = np.random.default_rng(5)
    true = 4 + 1.5 * rng.normal(size=(200, 1))
    four = np.clip(np.round(true + rng.normal(size=(200, 4))), 1, 7)
    found = agreement(judge(four[:, 3:]), people(four[:, :3]), "m", "ordinal", how=QUICK)
    assert found.gap.low < 0 < found.gap.high
    assert found.icc.value == pytest.approx(found.icc_people.value, abs=0.05)
    assert found.rank.value == pytest.approx(found.rank_people.value, abs=0.05)


def test_the_ceiling_takes_all_ordered_pairs_of_people(made: tuple[np.ndarray, np.ndarray]) -> None:
    human = made[0]
    pairs = {f"t{t}": list(itertools.permutations(row, 2)) for t, row in enumerate(human.tolist())}
    found = agreement(judge(made[1]), people(human), "m", "ordinal", how=QUICK)
    assert found.kappa_people.value == pytest.approx(figure("quadratic", pairs, name="κ", how=QUICK).value)


def test_only_shared_targets_count(made: tuple[np.ndarray, np.ndarray]) -> None:
    human, model = made
    found = agreement(judge(model), people(human[:30]), "m", "ordinal", how=QUICK)
    assert found.targets == 30
    none = agreement(judge(model), people(human, "other"), "m", "ordinal", how=QUICK)
    assert none.targets == 0 and "0 target(s)" in none.kappa.missing and none.bias.value is None


def test_names_have_a_plain_kappa_and_no_bias(made: tuple[np.ndarray, np.ndarray]) -> None:
    codes = np.random.default_rng(1).integers(0, 4, size=(80, 1)).astype(float)
    found = agreement(judge(codes), people(np.repeat(codes, 2, axis=1)), "m", "nominal", how=QUICK)
    assert found.kappa.value == pytest.approx(1) and found.kappa_people.value == pytest.approx(1)
    assert found.bias.missing == "the points are names, they have no mean"
    assert "no order" in found.rank.missing and "no order" in found.icc_people.missing


def test_bias_is_the_paired_t_over_targets() -> None:
    own = {"a": [5.0, 7.0], "b": [3.0], "c": [4.0]}
    theirs = {"a": [4.0], "b": [3.0, 1.0], "c": [1.0]}
    found = bias(own, theirs, "ordinal")
    test = stats.ttest_1samp([2.0, 1.0, 3.0], 0)
    assert (found.value, found.statistic) == (pytest.approx(2.0), pytest.approx(test.statistic))
    assert bias({"a": [1.0]}, {"a": [1.0]}, "ordinal").missing is not None
    constant = bias({"a": [2.0], "b": [3.0]}, {"a": [1.0], "b": [2.0]}, "ordinal")
    assert (constant.value, constant.low) == (1.0, None)


def test_targets_needed_follow_from_the_width_and_hold_when_there_are_that_many() -> None:
    rng = np.random.default_rng(7)

    def drawn(n: int) -> tuple[list[Observation], list[Observation]]:
        true = 4 + 1.5 * rng.normal(size=(n, 1))
        given = np.clip(np.round(true + rng.normal(size=(n, 3))), 1, 7)
        return judge(given[:, 2:]), people(given[:, :2])

    small = agreement(*drawn(60), "m", "ordinal", width=0.06, how=QUICK)
    assert small.needed.value > 60 and small.needed.details["more"] == small.needed.value - 60
    large = agreement(*drawn(int(small.needed.value)), "m", "ordinal", width=0.06, how=QUICK)
    assert (large.kappa.high - large.kappa.low) / 2 == pytest.approx(0.06, abs=0.025)
    assert targets_needed(small.kappa_people, width=0.5).details["more"] == 0


def test_nothing_known_needs_an_unknown_number() -> None:
    none = agreement([], [], "m", "ordinal", how=QUICK)
    assert none.needed.value is None and none.people_per_target == 0
