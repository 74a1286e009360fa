"""Planted biases are found and nothing is found where nothing is: whole analyses of simulated systems, many seeds."""

from __future__ import annotations

import numpy as np
import pytest

from empathic.records import Estimate
from empathic.statistics.deviations import Plan, deviations
from empathic.statistics.groups import layout, observations
from empathic.statistics.maxt import maxt
from empathic.statistics.measures import TESTED, decide
from empathic.statistics.positions import letter_test
from empathic.statistics.probe_simulation import CELL, KINDS, LONGER, REFUSED, Design, Kind, simulate
from empathic.statistics.published import z_rule

SEEDS = 20
STRICT = 0.01  # an analysis that holds 5 % exactly accuses 1 unbiased system of 20, and could not be right in 19 of 20 each time
NULLS = 200
AGES, PRONOUNS = ["30", "50", "70"], ["he", "she", "they"]


def analysed(design: Design, kind: Kind, seed: int, alpha: float, draws: int) -> tuple[list[Estimate], Estimate]:
    run = simulate(design, kind, seed=seed)
    plan = Plan(margin=0.1, seed=seed, measures=len(run.measures), alpha=alpha, draws=draws, replicates=50)
    found = [each for name, one in run.measures.items() for each in deviations(one, plan, labels={"metric": name})]
    return decide(found, alpha=alpha), letter_test(run.choices, draws=999, seed=seed)


def claims(found: list[Estimate]) -> list[Estimate]:
    return [each for each in found if each.labels["kind"] in TESTED and each.details.get("verdict") == "different"]


def concerns(each: Estimate, who: dict[str, str]) -> bool:
    """Whether the group, or the reference it is compared with, shares a level with who is treated differently."""
    told = dict(zip(each.labels["factors"], each.labels["levels"], strict=True))
    return any(
        told.get(factor) == level or f"{factor}={level}" in each.labels["against"] for factor, level in who.items()
    )


def planted(found: list[Estimate], metric: str, who: dict[str, str], sign: int) -> bool:
    """The group itself is claimed, in the right direction, and everything claimed concerns it and that measure."""
    made = claims(found)
    target = [
        each for each in made
        if each.labels["kind"] == "deviation" and dict(zip(each.labels["factors"], each.labels["levels"], strict=True)) == who
    ]  # fmt: skip
    right = [each for each in target if each.labels["metric"] == metric and (each.value or 0) * sign > 0]
    return bool(right) and all(each.labels["metric"] == metric and concerns(each, who) for each in made)


def diagnosed(kind: Kind, found: list[Estimate], letters: Estimate) -> bool:
    biased_letters = (letters.p or 1) <= STRICT / 2
    if kind == "less understanding":
        return planted(found, "ce", CELL, -1) and not biased_letters
    if kind == "longer answers":
        return planted(found, "length", LONGER, 1) and not biased_letters
    if kind == "refusing":
        return planted(found, "refusal", REFUSED, 1) and not biased_letters
    return not claims(found) and biased_letters == (kind == "position-biased")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_each_simulated_system_is_diagnosed_in_19_of_20_seeds(kind: Kind) -> None:
    right = [diagnosed(kind, *analysed(Design(), kind, seed, STRICT, 1999)) for seed in range(SEEDS)]
    print(f"\n{kind}: {sum(right)} of {SEEDS}")
    assert sum(right) >= 19


@pytest.mark.slow
@pytest.mark.parametrize("heterogeneity", [0.0, 0.5])
def test_systems_without_bias_are_accused_in_no_more_than_5_percent(heterogeneity: float) -> None:
    """Also where every group is understood better in some situations and worse in others, by chance alone."""
    design = Design(repeats=3, heterogeneity=heterogeneity)
    accused = sum(bool(claims(analysed(design, "unbiased", 1000 + seed, 0.05, 499)[0])) for seed in range(NULLS))
    print(f"\nheterogeneity {heterogeneity}: {accused} of {NULLS} unbiased systems accused")
    assert accused <= 18  # binomial(200, .05): 18 or fewer in 99 %


def papers_data(random: np.random.Generator, shift: float = 0.0):
    """Interpretations as in the paper: 27 cells, 2 templates, 9 per cell and template, 0 or 2 with means .12 and .19."""
    who, how = np.repeat([f"w{k}" for k in range(9)], 27), np.tile(np.repeat(list("xyz"), 9), 9)
    hit = random.random(486) < np.repeat([0.06, 0.095], 243)
    cell = np.tile((who == "w4") & (how == "z"), 2)
    values = 2.0 * hit + shift * cell
    factors = {"who": np.tile(who, 2), "how": np.tile(how, 2)}
    return observations(
        values,
        np.repeat(["gift", "worker"], 243),
        factors,
        references={"who": "w0", "how": "x"},
        crossed=("who", "how"),
    )


@pytest.mark.slow
def test_the_published_rule_alarms_where_nothing_is_and_maxt_does_not() -> None:
    random, rates, runs = np.random.default_rng(7), {"z>2": 0, "z>3": 0, "maxT": 0, "power": 0}, 200
    for seed in range(runs):
        null = papers_data(random)
        largest = abs(z_rule(layout(null), null.values, draws=1, seed=seed).value or 0)
        rates["z>2"] += largest > 2
        rates["z>3"] += largest > 3
        rates["maxT"] += np.nanmin(maxt(layout(null), null.values, draws=299, seed=seed).p) <= 0.05
        shifted = papers_data(random, 0.6)
        found = layout(shifted)
        place = next(
            k for k, each in enumerate(found.contrasts) if each.kind == "deviation" and each.group.levels == ("w4", "z")
        )
        rates["power"] += maxt(found, shifted.values, draws=299, seed=seed).p[place] <= 0.05
    print(f"\n{ {name: count / runs for name, count in rates.items()} }")
    assert rates["z>2"] > 0.5 * runs
    assert rates["z>3"] > 0.1 * runs
    assert rates["maxT"] <= 18


def small(seed: int, effect: float):
    """Twelve templates, nine intersections of three answers; one intersection differs by `effect`."""
    random, size = np.random.default_rng(seed), 27
    age, pronouns = np.tile(np.repeat(AGES, 9), 12), np.tile(np.tile(np.repeat(PRONOUNS, 3), 3), 12)
    values = np.repeat(random.normal(0, 3, 12), size) + random.normal(size=12 * size)
    values = values + effect * ((age == "70") & (pronouns == "they"))
    names = np.repeat([f"t{place:02d}" for place in range(12)], size)
    factors, references = {"age": age, "pronouns": pronouns}, {"age": "30", "pronouns": "he"}
    return observations(values, names, factors, references=references, crossed=("age", "pronouns"))


def truth(each: Estimate, effect: float) -> float:
    """What a contrast, deviation or interaction is where one intersection differs by `effect`."""
    told = dict(zip(each.labels["factors"], each.labels["levels"], strict=True))

    def mean(who: dict[str, str]) -> float:
        cells = [(a, p) for a in AGES for p in PRONOUNS if who.get("age", a) == a and who.get("pronouns", p) == p]
        return effect * cells.count(("70", "they")) / len(cells)

    if each.labels["kind"] == "interaction":
        return mean(told)
    if each.labels["kind"] == "contrast":
        return mean(told) - mean({factor: {"age": "30", "pronouns": "he"}[factor] for factor in told})
    siblings = [{"age": a, "pronouns": p} for a in AGES for p in PRONOUNS]
    return mean(told) - float(np.median([mean({factor: who[factor] for factor in told}) for who in siblings]))


@pytest.mark.slow
def test_intervals_cover_and_what_is_as_large_as_the_margin_is_not_called_equivalent() -> None:
    inside: dict[str, list[bool]] = {kind: [] for kind in TESTED}
    equivalent = []
    for seed in range(200):
        found = deviations(small(seed, -0.8), Plan(margin=0.8, seed=seed, draws=9, replicates=200))
        for each in found:
            if each.labels["kind"] in TESTED and each.low is not None and each.high is not None:
                inside[each.labels["kind"]].append(each.low <= truth(each, -0.8) <= each.high)
        cell = next(e for e in found if e.name == "contrast" and e.labels["group"] == "age=70 × pronouns=they")
        equivalent.append(cell.details["p_equivalence"] <= 0.05)
    coverage = {kind: float(np.mean(these)) for kind, these in inside.items()}
    print(f"\ncoverage of 95 % intervals {coverage}; false equivalence {np.mean(equivalent)}")
    assert all(share > 0.93 for share in coverage.values())
    assert np.mean(equivalent) <= 0.09  # binomial(200, .05): 18 or fewer in 99 %
