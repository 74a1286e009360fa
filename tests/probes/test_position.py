"""What the places of the answers do to the choices is found, and taken out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from statsmodels.discrete.conditional_models import ConditionalLogit

from empathic.probes.measured import Measured
from empathic.probes.orders import rotations
from empathic.probes.position import KINDS, Choice, agreement, conditional_logit, estimates
from empathic.records import Estimate

ORDERS = rotations(range(5))


def choose(n: int, kinds: Sequence[float], places: Sequence[float], seed: int = 1) -> list[Choice]:
    chance = np.random.default_rng(seed)
    found = []
    for k in range(n):
        shown = ORDERS[k % 10]
        weight = np.exp([places[p] + kinds[i] for p, i in enumerate(shown)])
        found.append(Choice(tuple(shown), int(chance.choice(5, p=weight / weight.sum()))))
    return found


def measured(choices: Sequence[Choice], outcome: str = "ok") -> list[Measured]:
    return [
        Measured(
            system="s", probe=f"p{k // 5}", template=f"t{k % 4}", levels={}, metric="ce", order=k % 10,
            value=float(choice.shown[choice.taken] == 0), chosen=KINDS[choice.shown[choice.taken]],
            position=choice.taken, keyed=choice.shown.index(0), outcome=outcome,
        )
        for k, choice in enumerate(choices)
    ]  # fmt: skip


def shown(row: Measured) -> list[str]:
    return [KINDS[i] for i in ORDERS[row.order or 0]]


def named(rows: Sequence[Estimate], name: str) -> Estimate:
    return next(row for row in rows if row.name == name)


def test_the_conditional_logit_is_that_of_statsmodels() -> None:
    choices = choose(400, [0.8, 0.2, 0, -0.3, -0.7], [0.5, 0, 0, 0, -0.5])
    fit = conditional_logit(choices, 5)
    rows, chosen, group = [], [], []
    for k, choice in enumerate(choices):
        for place, kind in enumerate(choice.shown):
            rows.append([*(place == p for p in range(1, 5)), *(kind == i for i in range(1, 5))])
            chosen.append(int(place == choice.taken))
            group.append(k)
    oracle = ConditionalLogit(np.array(chosen), np.array(rows, dtype=float), groups=np.array(group)).fit(disp=0).params
    assert fit.places[1:] - fit.places[0] == pytest.approx(oracle[:4], abs=0.02)  # the prior moves it this little
    assert fit.kinds[1:] - fit.kinds[0] == pytest.approx(oracle[4:], abs=0.02)


def test_a_love_of_the_first_letter_is_found_and_removed() -> None:
    kinds = [1.5, 0.2, 0, -0.3, -0.7]
    rows = estimates(measured(choose(3000, kinds, [2.5, 0, 0, 0, 0])), shown)
    true = np.exp(kinds)[0] / np.exp(kinds).sum()
    assert named(rows, "position.bias").p < 1e-9
    assert named(rows, "position.share").value > 0.5
    assert named(rows, "ce.accuracy").value < true - 0.1, "the bias dilutes the plain accuracy"
    assert named(rows, "ce.accuracy.adjusted").value == pytest.approx(true, abs=0.04)


def test_a_system_that_minds_no_place_is_not_accused() -> None:
    kinds = [1.5, 0.2, 0, -0.3, -0.7]
    found = [
        named(estimates(measured(choose(500, kinds, [0] * 5, seed)), shown), "position.bias") for seed in range(40)
    ]
    assert sum(one.p < 0.05 for one in found) <= 5


def test_always_the_same_letter_stays_finite() -> None:
    rows = estimates(measured([Choice(tuple(ORDERS[k % 10]), 0) for k in range(100)]), shown)
    assert named(rows, "position.bias").value < 20
    assert named(rows, "ce.accuracy").value == pytest.approx(0.2) == named(rows, "ce.accuracy").details["chance"]
    assert named(rows, "ce.accuracy.adjusted").value == pytest.approx(0.2, abs=1e-6)
    assert named(rows, "ce.consistency").value == pytest.approx(0.2)


def test_failures_count_as_wrong_and_are_left_out_beside_it() -> None:
    rows = measured([Choice(tuple(ORDERS[k % 10]), ORDERS[k % 10].index(0)) for k in range(60)])
    refused = [
        Measured(system="s", probe=f"r{k}", template="t0", levels={}, metric="ce", value=None, missing="x",
                 outcome="refusal", order=0)
        for k in range(20)
    ]  # fmt: skip
    found = estimates([*rows, *refused], shown)
    assert named(found, "ce.accuracy").value == pytest.approx(60 / 80)
    assert named(found, "ce.accuracy.excluded").value == 1.0
    assert named(found, "ce.read").details["outcomes"] == {"ok": 60, "refusal": 20}


def test_when_nothing_was_chosen_every_number_says_so() -> None:
    refused = Measured(
        system="s", probe="r", template="t", levels={}, metric="ce", value=None, missing="x", outcome="refusal", order=0
    )
    found = estimates([refused], shown)
    assert named(found, "ce.accuracy").value == 0.0
    assert named(found, "ce.accuracy.excluded").missing == "no answer was chosen"
    assert named(found, "position.share").missing == "no answer was chosen"
    assert named(found, "ce.consistency").missing is not None


def test_agreement_is_the_share_of_the_most_frequent_answer() -> None:
    assert agreement(["a", "b", "a", "a"]) == 0.75
