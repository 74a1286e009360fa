"""Ratings of a between-groups study, each rater in one group, become its analysis: rater- and item-aware first."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator

import numpy as np

from empathic.errors import InputError, SettingError
from empathic.records import Estimate
from empathic.statistics import clusters, comparisons, effects, permutation, pooling, tables
from empathic.statistics.analysis import Analysis, Answers, Assumption, marked, missing_answers
from empathic.statistics.assumptions import check_all, crossed_with
from empathic.statistics.estimates import absent
from empathic.statistics.inputs import constant, split
from empathic.statistics.linear_mixed import linear_mixed
from empathic.statistics.multiplicity import adjust_family
from empathic.statistics.ordinal import proportional_odds
from empathic.statistics.ordinal_mixed import ordinal_mixed
from empathic.statistics.slopes import slopes

POINTS = 11  # up to this many different values a scale is taken as ordinal
DRAWS = 9999


def between(answers: Answers, seed: int) -> Analysis:
    """Ordinal and linear mixed models, cluster-robust tests, blocks and permutation where there are blocks."""
    _check(answers)
    careful = [*ordinal_models(answers), *mixed_model(answers), *cluster_tests(answers), *rater_means(answers)]
    careful += [*block_tests(answers, seed=seed), *by_level(answers), *traits(answers)]
    return Analysis(
        design="between",
        instrument=answers.instrument,
        item=answers.item,
        estimates=tuple(careful),
        published=tuple(as_published(answers)),
        assumptions=(*check_all(answers, points=POINTS), *_cautions(careful)),
        exclusions=missing_answers(answers),
    )


def ordinal_models(answers: Answers) -> Iterator[Estimate]:
    """Odds ratios with random raters and items, and cluster-robust; nothing for a scale of many points."""
    if len(np.unique(answers.values)) > POINTS:
        return
    items = crossed_with(answers) if _repeated(crossed_with(answers)) else None
    mixed = ordinal_mixed(answers.values, answers.systems, raters=answers.raters, items=items)
    yield mixed.groups
    yield from adjust_family(mixed.pairs, family="odds ratios of pairs, ordinal mixed model")
    yield from mixed.deviations
    if mixed.groups.value is None:
        robust = proportional_odds(answers.values, answers.systems, clusters=answers.raters)
        yield robust.groups
        yield from adjust_family(robust.pairs, family="odds ratios of pairs, clustered by rater")


def mixed_model(answers: Answers) -> Iterator[Estimate]:
    """Differences in points of the scale, with random raters and items."""
    items = crossed_with(answers) if _repeated(crossed_with(answers)) else None
    found = linear_mixed(answers.values, answers.systems, raters=answers.raters, items=items)
    yield found.groups
    yield from adjust_family(found.pairs, family="differences of pairs, linear mixed model")
    yield from found.deviations


def cluster_tests(answers: Answers) -> Iterator[Estimate]:
    """All groups, clustered by rater, and by rater and item; shares of categories with Rao & Scott's correction."""
    yield clusters.cluster_test(answers.values, answers.systems, answers.raters)
    if _repeated(crossed_with(answers)):
        yield clusters.cluster_test(answers.values, answers.systems, answers.raters, crossed_with(answers))
    yield clusters.design_effect(answers.values, answers.systems, answers.raters)
    if len(np.unique(answers.values)) <= POINTS:
        yield tables.rao_scott(answers.values, answers.systems, answers.raters).second_order


def rater_means(answers: Answers) -> Iterator[Estimate]:
    """Welch's test of the raters' means, valid with few raters too; each group's mean, and d, over rater means."""
    by_group = _means_by_group(answers)
    labels = np.repeat(list(by_group), [len(means) for means in by_group.values()])
    yield marked(comparisons.welch(np.concatenate(list(by_group.values())), labels), unit="rater")
    for group, means in by_group.items():
        yield marked(effects.mean(means), system=group, unit="rater")
    for (a, first), (b, second) in itertools.combinations(by_group.items(), 2):
        yield marked(effects.cohens_d(second, first), system=b, baseline=a, unit="rater")


def block_tests(answers: Answers, *, seed: int, draws: int = DRAWS) -> Iterator[Estimate]:
    """Means of block × group, and raters dealt anew within blocks."""
    if answers.blocks is None:
        return
    values, groups, blocks = answers.values, answers.systems, answers.blocks
    yield comparisons.block_means(values, groups, blocks)
    pairs = [
        marked(comparisons.block_mean_difference(values, groups, blocks, pair=(b, a)), system=b, baseline=a)
        for a, b in itertools.combinations(np.unique(groups).tolist(), 2)
    ]
    yield from adjust_family(pairs, family="differences of pairs, block means")
    yield permutation.permute_within_blocks(values, groups, answers.raters, blocks, draws=draws, seed=seed)


def by_level(answers: Answers) -> Iterator[Estimate]:
    """Does the difference of a pair differ between levels? The interaction first, then each level, partially pooled."""
    if answers.by is None:
        return
    for a, b in itertools.combinations(np.unique(answers.systems).tolist(), 2):
        keep = np.isin(answers.systems, [a, b])
        if constant(*split(answers.values[keep], answers.systems[keep])):
            yield marked(absent("interaction", pooling.TEST, "no value varies within a group"), system=b, baseline=a)
            continue
        found = pooling.per_group(
            answers.values[keep], systems=answers.systems[keep].tolist(), groups=answers.by[keep].tolist(),
            raters=answers.raters[keep].tolist(), pair=(b, a),
        )  # fmt: skip
        heads = [found.interaction] if found.interaction is not None else []
        for each in [*heads, found.heterogeneity, found.common, *found.groups]:
            yield marked(each, system=b, baseline=a)


def traits(answers: Answers) -> Iterator[Estimate]:
    """Slopes of rater means on a trait of the raters, per group, with HC3 errors."""
    if answers.traits is None:
        return
    means, groups = _rater_table(answers)
    known = [name for name in means if name in answers.traits]
    found = slopes([means[n] for n in known], [answers.traits[n] for n in known], [groups[n] for n in known])
    yield found.equality
    yield from found.slopes
    yield from adjust_family(found.differences, family="slope differences")


def as_published(answers: Answers) -> Iterator[Estimate]:
    """What is usually printed: every rating taken as independent."""
    values, groups = answers.values, answers.systems
    yield comparisons.one_way(values, groups)
    yield comparisons.kruskal_wallis(values, groups)
    if len(np.unique(values)) <= POINTS:
        yield tables.chi_square(tables.counts(values, groups))
    for a, b in itertools.combinations(np.unique(groups).tolist(), 2):
        first, second = values[groups == a], values[groups == b]
        for found in (
            effects.difference(second, first),
            effects.cohens_d(second, first),
            effects.cliffs_delta(second, first),
        ):
            yield marked(found, system=b, baseline=a)


def _check(answers: Answers) -> None:
    if len(np.unique(answers.systems)) < 2:
        raise SettingError(f"All ratings are of '{answers.systems[0]}': there is nothing to compare. See --group.")
    groups = set(zip(answers.raters.tolist(), answers.systems.tolist(), strict=True))
    crossing = sum(count > 1 for count in Counter(rater for rater, _ in groups).values())
    if crossing:
        raise SettingError(
            f"{crossing} raters have rated in more than one group, so the groups are not between raters. "
            "Type --design within, or leave them out with --exclude."
        )
    pairs, counts = np.unique(np.column_stack([answers.raters, answers.targets]), axis=0, return_counts=True)
    if counts.max() > 1:
        rater, target = pairs[counts.argmax()].tolist()
        raise InputError(f"rater '{rater}' answers '{answers.item}' {counts.max()} times about '{target}'")


def _cautions(found: list[Estimate]) -> Iterator[Assumption]:
    for each in found:
        if "caution" in each.details:
            yield Assumption(name=f"enough clusters for {each.method}", holds=False, text=each.details["caution"])


def _repeated(items: np.ndarray) -> bool:
    return 1 < len(np.unique(items)) < len(items)


def _rater_table(answers: Answers) -> tuple[dict[str, float], dict[str, str]]:
    names, first, places = np.unique(answers.raters, return_index=True, return_inverse=True)
    means = np.bincount(places, answers.values) / np.bincount(places)
    return dict(zip(names.tolist(), means.tolist(), strict=True)), dict(
        zip(names.tolist(), answers.systems[first].tolist(), strict=True)
    )


def _means_by_group(answers: Answers) -> dict[str, list[float]]:
    means, groups = _rater_table(answers)
    found: dict[str, list[float]] = {}
    for name in sorted(means, key=lambda rater: groups[rater]):
        found.setdefault(groups[name], []).append(means[name])
    return found
