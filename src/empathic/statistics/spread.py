"""Answers of several groups → whether some groups get more varied answers: Brown–Forsythe within templates.

z = |y − median of its template and group|, then the F of groups on z with templates as blocks (with one template it is
Brown & Forsythe's test, JASA 1974, 69, 364–367: Levene's with the median). p by dealing the centred values anew within
templates: means may differ, only the spread is tested. The variance of answers is the quantity of Formánek & Sotolář (2024).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from empathic.records import Estimate, Json
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Codes, Floats, codes, constant, lengths_differ, numbers, reason_against
from empathic.statistics.linear import crossed
from empathic.statistics.maxt import deal

METHOD = "brown_forsythe_within_templates.v1"


def brown_forsythe(
    values: ArrayLike,
    groups: ArrayLike,
    templates: ArrayLike,
    *,
    draws: int = 1999,
    seed: int,
    labels: Json | None = None,
) -> Estimate:
    """F of the groups' absolute deviations; the value is the largest ratio of two groups' standard deviations."""
    y, (levels, group), (_, block) = numbers(values), codes(np.asarray(groups)), codes(np.asarray(templates))
    if (
        reason := lengths_differ(values=y, groups=group, templates=block)
        or reason_against(y, least=4)
        or _unfit(y, group)
    ):
        return absent("spread", METHOD, reason, n=len(y), labels=labels, draws=draws, seed=seed)
    centred = _centred(y, crossed(block, group))
    away = np.abs(centred)
    observed = float(_f(away[None, :], group, block)[0])
    if not np.isfinite(observed):
        return absent("spread", METHOD, "the answers of a group do not vary at all", n=len(y), labels=labels)
    rows = [np.flatnonzero(block == place) for place in range(block.max() + 1)]
    beyond = sum(
        int(np.count_nonzero(_f(dealt, group, block) >= observed * (1 - 1e-10)))
        for dealt in deal(rows, away, draws, seed)
    )
    spreads = np.sqrt([float(np.mean(centred[group == place] ** 2)) for place in range(len(levels))])
    ratio = float(spreads.max() / spreads.min()) if spreads.min() > 0 else float("inf")
    return estimate(
        "spread", ratio if np.isfinite(ratio) else observed, METHOD, n=len(y), statistic=observed,
        df=_degrees(group, block), p=(1 + beyond) / (1 + draws), labels=labels, draws=draws, seed=seed,
        details={"sd": {str(level): float(spread) for level, spread in zip(levels, spreads, strict=True)}},
    )  # fmt: skip


def _unfit(y: Floats, group: Codes) -> str | None:
    if group.max() < 1:
        return "there is one group only"
    if constant(y):
        return "all values are equal"
    if len(np.unique(y)) == 2:
        return "the measure has two values: its spread follows from its mean"
    return None


def _centred(y: Floats, cell: Codes) -> Floats:
    centred = np.empty_like(y)
    for place in range(cell.max() + 1):
        inside = cell == place
        centred[inside] = y[inside] - np.median(y[inside])
    return centred


def _degrees(group: Codes, block: Codes) -> tuple[float, float]:
    return float(group.max()), float(len(group) - group.max() - block.max() - 1)


def _f(rows: Floats, group: Codes, block: Codes) -> Floats:
    """F of groups in a two-way additive model with blocks, for each row; groups are all but orthogonal to blocks."""
    blocks, members = np.eye(block.max() + 1)[block], np.eye(group.max() + 1)[group]
    centred = rows - (rows @ blocks / blocks.sum(axis=0))[:, block]
    effects = centred @ members / members.sum(axis=0)
    explained = (effects**2 * members.sum(axis=0)).sum(axis=1)
    left = (centred**2).sum(axis=1) - explained
    df1, df2 = _degrees(group, block)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(explained / df1 / (left / df2))
