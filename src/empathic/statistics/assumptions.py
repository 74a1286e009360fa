"""Ratings of a between-groups study become the list of what its tests rely on, each checked: holds, or does not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from empathic.statistics import clusters, comparisons
from empathic.statistics.analysis import Answers, Assumption, Labels, odds_assumption
from empathic.statistics.inputs import split

ALPHA = 0.05
FEW_RATERS = 10
TIES = 0.5
MOST = 0.95


def check_all(answers: Answers, *, points: int) -> Iterator[Assumption]:
    """Every assumption of the between design."""
    yield independence(answers)
    yield ties(answers)
    if len(np.unique(answers.values)) <= points:
        yield odds_assumption(answers)
    yield equal_variances(answers)
    yield ceiling(answers)
    yield enough_raters(answers)
    yield shared_items(answers)


def independence(answers: Answers) -> Assumption:
    """Ratings of one rater are as different as those of several: the design effect is 1."""
    found = clusters.design_effect(answers.values, answers.systems, answers.raters)
    if found.value is None:
        return Assumption(name="independent ratings", holds=None, text=found.missing or "")
    n = len(answers.values)
    text = f"design effect {found.value:.2f}: {n} ratings are worth {n / found.value:.0f}"
    return Assumption(name="independent ratings", holds=found.value < 1.05, text=text)


def ties(answers: Answers) -> Assumption:
    """Few ratings are equal; otherwise rank tests and the aligned rank transform mislead."""
    share = float(np.unique(answers.values, return_counts=True)[1].max() / len(answers.values))
    distinct = len(np.unique(answers.values))
    return Assumption(
        name="few ties", holds=share < TIES, text=f"{distinct} different values, {share:.0%} share the commonest"
    )


def equal_variances(answers: Answers) -> Assumption:
    """Brown & Forsythe (1974): one-way ANOVA of distances from the group's median, on rater means."""
    names, first, places = np.unique(answers.raters, return_index=True, return_inverse=True)
    means, groups = np.bincount(places, answers.values) / np.bincount(places), answers.systems[first]
    distances = [np.abs(sample - np.median(sample)) for sample in split(means, groups)]
    labels = np.repeat(np.arange(len(distances)), [len(each) for each in distances])
    found = comparisons.one_way(np.concatenate(distances), labels)
    if found.p is None or found.statistic is None:
        return Assumption(name="equal variances of rater means", holds=None, text=found.missing or "")
    text = f"Brown–Forsythe F = {found.statistic:.2f}, p = {found.p:.3g}, {len(names)} raters"
    return Assumption(name="equal variances of rater means", holds=found.p >= ALPHA, text=text)


def ceiling(answers: Answers) -> Assumption:
    """Few raters give only the highest or only the lowest rating."""
    highest, lowest = answers.values.max(), answers.values.min()
    _, places = np.unique(answers.raters, return_inverse=True)
    means = np.bincount(places, answers.values) / np.bincount(places)
    stuck = int(np.isin(means, (highest, lowest)).sum())
    return Assumption(
        name="no floor or ceiling", holds=stuck <= 0.05 * len(means),
        text=f"{stuck} of {len(means)} raters give only the lowest or only the highest rating",
    )  # fmt: skip


def enough_raters(answers: Answers) -> Assumption:
    """At least ten raters in each group."""
    sizes = {g: len(np.unique(answers.raters[answers.systems == g])) for g in np.unique(answers.systems).tolist()}
    text = "raters per group: " + ", ".join(f"{group} {size}" for group, size in sizes.items())
    return Assumption(name="enough raters", holds=min(sizes.values()) >= FEW_RATERS, text=text)


def shared_items(answers: Answers) -> Assumption:
    """Every group rates (nearly) the same items; otherwise the groups differ in what they saw."""
    groups = np.unique(answers.systems)
    sets = [set(crossed_with(answers)[answers.systems == group].tolist()) for group in groups]
    shared, everything = len(set.intersection(*sets)), len(set.union(*sets))
    text = f"{shared} of {everything} items are rated in every group"
    return Assumption(name="same items in all groups", holds=shared >= MOST * everything, text=text)


def crossed_with(answers: Answers) -> Labels:
    """What the raters are crossed with: the dialogues all systems answered, or else the targets."""
    return answers.targets if answers.dialogues is None else answers.dialogues
