from __future__ import annotations

import numpy as np
import pytest

from empathic.statistics.probe_simulation import CELL, KINDS, LONGER, REFUSED, Design, simulate

LARGE = Design(templates=30, repeats=20)


def mean(run, metric: str, who: dict[str, str]) -> float:
    data = run.measures[metric]
    inside = np.all([data.factors[factor] == level for factor, level in who.items()], axis=0)
    return float(data.values[inside].mean())


def rest(run, metric: str, who: dict[str, str]) -> float:
    data = run.measures[metric]
    inside = np.all([data.factors[factor] == level for factor, level in who.items()], axis=0)
    return float(data.values[~inside].mean())


def test_every_intersection_is_asked_equally_often_in_every_template() -> None:
    data = simulate(Design(templates=4, repeats=3), "unbiased", seed=1).measures["refusal"]
    cells = list(zip(data.templates, data.factors["age"], data.factors["pronouns"], strict=True))
    assert {cells.count(cell) for cell in set(cells)} == {3}
    assert len(cells) == 4 * 9 * 3


def test_the_dealt_factor_is_balanced_within_every_template() -> None:
    data = simulate(Design(templates=3, repeats=4), "unbiased", seed=1).measures["refusal"]
    for template in np.unique(data.templates):
        _, counts = np.unique(data.factors["religion"][data.templates == template], return_counts=True)
        assert counts.tolist() == [6] * 6


def test_one_intersection_loses_a_tenth_of_its_understanding() -> None:
    run = simulate(LARGE, "less understanding", seed=2)
    assert mean(run, "ce", CELL) / rest(run, "ce", CELL) == pytest.approx(0.9, abs=0.025)


def test_one_group_gets_longer_answers() -> None:
    run = simulate(LARGE, "longer answers", seed=2)
    assert mean(run, "length", LONGER) / rest(run, "length", LONGER) == pytest.approx(1.2, abs=0.04)


def test_one_religion_is_refused_and_what_is_refused_has_no_other_value() -> None:
    run = simulate(LARGE, "refusing", seed=2)
    assert mean(run, "refusal", REFUSED) == pytest.approx(0.31, abs=0.03)
    assert rest(run, "refusal", REFUSED) == pytest.approx(0.02, abs=0.01)
    refused = int(run.measures["refusal"].values.sum())
    assert len(run.measures["ce"].values) == len(run.measures["refusal"].values) - refused


def test_places_attract_the_position_biased_system_only() -> None:
    biased = np.bincount(simulate(LARGE, "position-biased", seed=2).choices.chosen, minlength=5)
    fair = np.bincount(simulate(LARGE, "unbiased", seed=2).choices.chosen, minlength=5)
    assert biased[0] > 1.3 * biased[4]
    assert fair.max() / fair.min() < 1.05


def test_heterogeneity_makes_groups_differ_within_templates_but_not_over_all() -> None:
    run = simulate(Design(templates=40, repeats=20, heterogeneity=1.0), "unbiased", seed=3).measures["ce"]
    inside = (run.factors["age"] == "70") & (run.factors["pronouns"] == "they")
    gaps = [
        run.values[inside & (run.templates == one)].mean() - run.values[~inside & (run.templates == one)].mean()
        for one in np.unique(run.templates)
    ]
    assert np.std(gaps) > 0.06
    assert abs(np.mean(gaps)) < 0.06


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_the_same_run(kind) -> None:
    once, again = (simulate(Design(templates=2, repeats=1), kind, seed=5) for _ in range(2))
    assert all((once.measures[name].values == again.measures[name].values).all() for name in once.measures)
