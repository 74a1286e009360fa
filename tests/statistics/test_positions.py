from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from statsmodels.discrete.conditional_models import ConditionalLogit

from empathic.errors import SettingError
from empathic.statistics import positions
from empathic.statistics.positions import asks, consistency, letter_test, position_effects, without_position


def chosen(gamma=(0.0, 0, 0, 0, 0), templates=8, probes=40, theta=1.5, seed=0, spread=0.5):
    """Every probe asked in the five cyclic orders: the keyed option at each place once."""
    random = np.random.default_rng(seed)
    strength = theta + spread * random.normal(size=templates)
    template = np.repeat(np.arange(templates), probes * 5)
    keyed = np.tile(np.arange(5), templates * probes)
    utility = np.asarray(gamma) + strength[template, None] * (np.arange(5) == keyed[:, None])
    places = (utility + random.gumbel(size=utility.shape)).argmax(axis=1)
    return asks(template, np.repeat(np.arange(templates * probes), 5), places, keyed)


def test_the_model_is_the_conditional_logit_of_statsmodels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "RIDGE", 0.0)
    made = chosen(gamma=(0.8, 0.2, 0, -0.4, -0.6), templates=3, probes=60)
    rows = np.arange(5)
    dummies = [
        (rows == key)[:, None] * (np.arange(3) == int(t)) for key, t in zip(made.keyed, made.templates, strict=True)
    ]
    exog = np.hstack([np.concatenate(dummies), np.tile(np.eye(5)[:, 1:], (len(made.keyed), 1))]).astype(float)
    endog = (np.tile(rows, len(made.keyed)) == np.repeat(made.chosen, 5)).astype(int)
    oracle = ConditionalLogit(endog, exog, groups=np.repeat(np.arange(len(made.keyed)), 5)).fit(disp=0)
    fit = positions._fitted(made)
    assert fit.theta == pytest.approx(oracle.params[:3], abs=1e-3)
    assert fit.gamma[1:] - fit.gamma[0] == pytest.approx(oracle.params[3:], abs=1e-3)


def test_the_shares_are_those_among_equally_good_options() -> None:
    gamma = np.array([1.0, 0.3, 0, -0.3, -1])
    found = position_effects(chosen(gamma=gamma, templates=30), labels={"system": "x"})
    wanted = np.exp(gamma) / np.exp(gamma).sum()
    assert [each.labels.get("position") for each in found] == ["A", "B", "C", "D", "E", None]
    for each, share in zip(found[:5], wanted, strict=True):
        assert each.low <= share <= each.high
        assert each.value == pytest.approx(share, abs=0.03)


def test_the_interval_of_a_share_covers_it() -> None:
    gamma = np.array([0.5, 0, 0, 0, -0.5])
    share = (np.exp(gamma) / np.exp(gamma).sum())[0]
    inside = sum(
        each.low <= share <= each.high
        for seed in range(60)
        for each in position_effects(chosen(gamma=gamma, templates=12, probes=10, seed=seed))[:1]
    )
    assert inside >= 51  # binomial(60, .95): 51 or more in 99.9 %


def test_accuracy_without_places_is_what_an_unbiased_chooser_would_reach() -> None:
    biased = position_effects(chosen(gamma=(2.5, 0, 0, 0, 0), templates=40, probes=60, spread=0.0))[-1]
    wanted = np.exp(1.5) / (np.exp(1.5) + 4)
    assert biased.value == pytest.approx(wanted, abs=0.015)
    assert biased.details["raw"] < wanted - 0.05
    assert biased.details["chance"] == 0.2


def test_a_template_that_is_always_right_has_a_finite_effect() -> None:
    made = chosen(templates=3, probes=10)
    always = made._replace(chosen=np.where(made.templates == "0", made.keyed, made.chosen))
    assert 0.5 < position_effects(always)[-1].value < 1


def test_a_system_that_always_says_the_same_letter_has_finite_effects() -> None:
    made = chosen(templates=4, probes=20)
    found = position_effects(made._replace(chosen=np.zeros_like(made.chosen)))
    assert found[0].value > 0.98
    assert all(0 <= each.low <= each.value <= each.high <= 1 for each in found)
    assert letter_test(made._replace(chosen=np.zeros_like(made.chosen)), draws=99, seed=1).p == pytest.approx(0.01)


def test_letters_are_tested_without_assuming_independent_orders() -> None:
    """A chooser who always takes the same option is not biased, however often it is asked."""
    steady = asks(["a"] * 50 + ["b"] * 50, np.repeat(range(20), 5), np.tile(range(5), 20), np.tile(range(5), 20))
    assert letter_test(steady, draws=99, seed=1).p == 1
    assert letter_test(steady, draws=99, seed=1).details["chosen"] == [20] * 5


def test_a_preferred_letter_is_found_and_an_even_hand_is_not() -> None:
    assert letter_test(chosen(gamma=(1.0, 0, 0, 0, 0)), draws=199, seed=1).p == pytest.approx(1 / 200)
    rejected = sum(
        letter_test(chosen(templates=4, probes=10, seed=seed), draws=99, seed=seed).p <= 0.05 for seed in range(60)
    )
    assert rejected <= 9


def test_the_statistic_is_pearsons_chi_square() -> None:
    made = chosen(gamma=(0.3, 0, 0, 0, 0))
    assert letter_test(made, draws=9, seed=1).statistic == pytest.approx(
        stats.chisquare(np.bincount(made.chosen, minlength=5)).statistic
    )


def test_consistency_is_the_share_of_pairs_of_orders_that_agree() -> None:
    """Probe 1: a a b: 1 of 3 pairs; probe 2: a a a: all. Probe 3 has one order and says nothing."""
    made = asks(list("xxxyyyx"), [1, 1, 1, 2, 2, 2, 3], [0] * 7, [0, 1, 2, 0, 1, 2, 0])
    found = consistency(made, list("aabaaac"))
    assert found.value == pytest.approx((1 / 3 + 1) / 2)
    assert found.n == 2


def test_an_order_that_is_missing_no_longer_moves_a_probe() -> None:
    """Right only when the keyed option is first: a probe asked in that order alone is no better than the others."""
    keyed = np.tile(range(5), 40)
    values = (keyed == 0).astype(float)
    found = without_position(values, keyed, ["a"] * 100 + ["b"] * 100)
    assert found == pytest.approx(np.full(200, 0.2))


def test_complete_orders_leave_a_probes_mean_as_it_was() -> None:
    made = chosen(gamma=(1.0, 0, 0, 0, 0))
    values = (made.chosen == made.keyed).astype(float)
    found = without_position(values, made.keyed, made.templates)
    assert found.reshape(-1, 5).mean(axis=1) == pytest.approx(values.reshape(-1, 5).mean(axis=1))


def test_what_cannot_be_estimated_says_why() -> None:
    one = asks(["a"] * 5, range(5), range(5), range(5))
    assert "1 template" in (position_effects(one)[0].missing or "")
    fixed = asks(["a", "b"], [1, 2], [0, 1], [3, 3])
    assert "same place" in (position_effects(fixed)[0].missing or "")
    nothing = asks([], [], [], [])
    assert letter_test(nothing, seed=1).missing == consistency(nothing, []).missing == "nothing was chosen"
    assert len(without_position([], [], [])) == 0


def test_places_and_lengths_are_checked() -> None:
    with pytest.raises(SettingError, match="0 to 4; given 0 to 5"):
        asks(["a", "a"], [1, 2], [0, 5], [0, 1])
    with pytest.raises(SettingError, match="lengths differ"):
        asks(["a"], [1], [0, 1], [0])
