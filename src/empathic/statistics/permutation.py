"""Units that were assigned to groups within blocks become an exact-in-design p: labels are dealt anew within blocks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from empathic.records import Estimate
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Codes, Floats, codes, constant, lengths_differ, numbers, reason_against

BATCH = 1_000_000  # random numbers drawn at a time, to bound memory


def permute_within_blocks(
    values: ArrayLike, groups: ArrayLike, units: ArrayLike, blocks: ArrayLike, *, draws: int = 9999, seed: int
) -> Estimate:
    """Whole units (raters) change groups within their block; statistic Σ n_g (mean_g - mean)² of the unit means.

    p = (1 + #{permuted ≥ observed})/(1 + draws) (Phipson & Smyth 2010). Valid whenever raters were assigned at random
    within blocks, whatever the distribution of ratings. The value is the standard deviation of the group means.
    """
    method, numeric = "permutation_within_blocks.v1", numbers(values)
    given = {"groups": np.asarray(groups), "units": np.asarray(units), "blocks": np.asarray(blocks)}
    if reason := lengths_differ(values=numeric, **given) or reason_against(numeric, least=2):
        return absent("groups", method, reason, n=len(numeric))
    means, group, block = _unit_means(numeric, given)
    if reason := _problem(means, group, block, numeric, given):
        return absent("groups", method, reason, n=len(numeric))
    observed = float(_spread(means[None, :], group)[0])
    random = np.random.default_rng(seed)
    beyond, order = 0, np.argsort(block, kind="stable")
    means, group, block = means[order], group[order], block[order]
    for size in _batches(draws, len(means)):
        dealt = _deal(means, block, size, random)
        beyond += int(np.count_nonzero(_spread(dealt, group) >= observed * (1 - 1e-10)))
    level_means = [means[group == place].mean() for place in range(group.max() + 1)]
    return estimate(
        "groups", float(np.std(level_means)), method, n=len(means), statistic=observed, p=(1 + beyond) / (1 + draws),
        draws=draws, seed=seed, details={"blocks": int(block.max() + 1)},
    )  # fmt: skip


def _unit_means(numeric: Floats, given: dict[str, NDArray[Any]]) -> tuple[Floats, Codes, Codes]:
    """The mean of each unit with its group and block (a unit in two groups or blocks counts as two)."""
    (_, group), (_, unit), (_, block) = codes(given["groups"]), codes(given["units"]), codes(given["blocks"])
    _, first, place = np.unique(np.column_stack([unit, group, block]), axis=0, return_index=True, return_inverse=True)
    place = np.ravel(place)
    return np.bincount(place, numeric) / np.bincount(place), group[first], block[first]


def _problem(
    means: Floats,
    group: Codes,
    block: Codes,
    numeric: Floats,
    given: dict[str, NDArray[Any]],
) -> str | None:
    if group.max() < 1:
        return "there is one group only"
    if len(means) > len(np.unique(given["units"])):
        return "some units are in several groups or blocks: they cannot be dealt anew as wholes"
    if constant(numeric):
        return "all values are equal"
    mixed = sum(len(np.unique(group[block == place])) > 1 for place in range(block.max() + 1))
    return None if mixed else "no block holds two groups: there is nothing to deal anew"


def _batches(draws: int, width: int) -> list[int]:
    size = max(1, BATCH // width)
    return [min(size, draws - start) for start in range(0, draws, size)]


def _deal(means: Floats, block: Codes, size: int, random: np.random.Generator) -> Floats:
    """`size` rows in which the means, sorted by block, are shuffled within each block."""
    keys = random.random((size, len(means))) + block
    return np.asarray(means[np.argsort(keys, axis=1)], float)


def _spread(rows: Floats, group: Codes) -> Floats:
    member = np.eye(group.max() + 1)[group]
    sizes = member.sum(axis=0)
    group_means = rows @ member / sizes
    return np.asarray(((group_means - rows.mean(axis=1, keepdims=True)) ** 2 * sizes).sum(axis=1))
