"""Before anything is sent: what it costs, and what it can find."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.probes.asking import questions
from empathic.probes.planning import cost, detectable, smallest
from empathic.probes.sampling import Draw, Scene, design

from .making import probe

FACTORS = {"pronouns": ["he", "she", "they"], "religion": ["none", "muslim"]}


def test_the_cost_counts_every_prompt_and_its_tokens() -> None:
    asked = list(questions([probe("a/0"), probe("b/0")], orders_=5, seed=1))
    draws = [Draw(template="a", levels={}), Draw(template="b", levels={}, control="no attribute")]
    found = cost(asked, draws, (2.0, 10.0))
    characters = sum(len(turn.text) for question in asked for turn in question.turns)
    assert (found.probes, found.controls, found.prompts) == (1, 1, 12)
    assert found.prompt_tokens == -(-characters // 4)
    assert found.completion_tokens == 2 * (80 + 5 * 5)
    assert found.dollars == pytest.approx((found.prompt_tokens * 2 + found.completion_tokens * 10) / 1e6)
    assert cost(asked, draws, None).dollars is None


def test_the_smallest_difference_is_found_with_the_power_it_promises() -> None:
    """Simulated: 20 templates, 6 probes of each level in each, the effect varying between templates (ω = .05)."""
    templates, m, omega = 20, 6, 0.05
    d = smallest(templates, m, m, comparisons=4, omega=omega)
    chance = np.random.default_rng(1)
    found = 0
    for _ in range(2000):
        effect = d + chance.normal(0, (2 * omega) ** 0.5, templates)
        contrast = effect + chance.normal(0, (2 / m) ** 0.5, templates)
        found += stats.ttest_1samp(contrast, 0).pvalue < 0.05 / 4
    assert found / 2000 == pytest.approx(0.8, abs=0.03)


def test_more_templates_help_where_more_repeats_do_not() -> None:
    assert smallest(20, 1000, 1000) > 0.15
    assert smallest(200, 1000, 1000) < smallest(20, 1000, 1000) / 3


def test_every_focal_factor_and_their_intersection_is_told() -> None:
    draws = design([Scene(f"t{k}") for k in range(10)], FACTORS, ["pronouns", "religion"], repeats=2, seed=1)
    found = detectable(draws, ["pronouns", "religion"])
    assert [(one.what, one.comparisons, one.per_template) for one in found] == [
        ("pronouns", 2, 4.0),
        ("religion", 1, 6.0),
        ("pronouns × religion", 5, 2.0),
    ]
    assert found[0].difference == pytest.approx(smallest(10, 4, 4, comparisons=2))


def test_one_template_tells_nothing_of_others() -> None:
    draws = design([Scene("t")], FACTORS, ["pronouns"], repeats=2, seed=1)
    (found,) = detectable(draws, ["pronouns"])
    assert found.difference is None
    assert found.missing is not None
