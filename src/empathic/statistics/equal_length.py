"""Paired scores and lengths become the difference two systems would have if their responses were equally long.

d_i = a + b (l_i − l'_i) + e_i over the places both answered; the intercept a is the difference at equal length, with
standard errors clustered by dialogue. A maximum, an overlap, a count grow with length, so this stands beside the raw
difference, never instead of it: where length is itself part of how a system shows empathy, the raw one is the answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import stats

from empathic.records import Estimate
from empathic.statistics import linear
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Floats
from empathic.statistics.systems import FEWEST, Scores, common_places

METHOD = "equal-length.v1"


def compare(base: Scores, other: Scores, *, length: str, metrics: Sequence[str], level: float = 0.95) -> list[Estimate]:
    """other − base at equal length, for each metric both have."""
    if length not in base.columns or length not in other.columns:
        return []
    left, right = common_places(base, other)
    longer = other.columns[length][right] - base.columns[length][left]
    dialogues = np.array([base.dialogues[place] for place in left], dtype=str)
    return [
        _one(
            {"metric": name, "base": base.system, "system": other.system},
            other.columns[name][right] - base.columns[name][left],
            longer,
            dialogues,
            level,
        )
        for name in metrics
        if name in base.columns and name in other.columns
    ]


def _one(labels: dict[str, str], differences: Floats, longer: Floats, dialogues: Floats, level: float) -> Estimate:
    title = f"{labels['metric']} at equal length: {labels['system']} − {labels['base']}"
    there = np.isfinite(differences) & np.isfinite(longer)
    clusters, n = len(set(dialogues[there].tolist())), int(there.sum())
    if clusters < FEWEST:
        return absent(
            title, METHOD, f"{clusters} dialogues in common, at least {FEWEST} are needed", n=n, labels=labels
        )
    design = np.column_stack([np.ones(n), longer[there]])
    problem = linear.problem(design, clusters=clusters)
    if problem:
        return absent(title, METHOD, f"lengths do not vary enough: {problem}", n=n, labels=labels)
    fit = linear.least_squares(design, differences[there])
    error = float(np.sqrt(linear.clustered(fit, dialogues[there])[0, 0]))
    value = float(fit.coefficients[0])
    if error == 0.0:
        return absent(title, METHOD, "the differences leave no residual to judge by", n=n, labels=labels)
    half = float(stats.t.ppf(0.5 + level / 2, clusters - 1)) * error
    return estimate(
        title,
        value,
        METHOD,
        interval=(value - half, value + half),
        level=level,
        n=n,
        statistic=value / error,
        df=(clusters - 1,),
        p=float(2 * stats.t.sf(abs(value / error), clusters - 1)),
        labels=labels,
        details={"slope": float(fit.coefficients[1]), "dialogues": clusters},
    )
