"""Groups' means → the outliers a rule "z > 3" would call, and how often it calls one where there is nothing.

The rule of Formánek & Sotolář (2024): a cell whose mean is far from the overall mean in units of σ. They do not say which
σ; here z = (mean of the cell − mean of all)/(SD of all/√n). Shown as the published method, never as a finding: with
many cells some are always far out, and `false_alarms` is the share of data sets without any bias (the same answers dealt
anew within templates) in which the rule would have called an outlier.
"""

from __future__ import annotations

import numpy as np

from empathic.records import Estimate, Json
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.groups import Layout
from empathic.statistics.inputs import Floats, constant
from empathic.statistics.maxt import deal

METHOD = "published_z_rule.v1"
THRESHOLDS = (2.0, 3.0)


def z_rule(found: Layout, values: Floats, *, draws: int, seed: int, labels: Json | None = None) -> Estimate:
    """The largest |z| of all intersections (of all levels, if nothing is crossed), with the rule's false alarms."""
    cells = _cells(found)
    if not cells or constant(values):
        reason = "all values are equal" if cells else "there are no groups"
        return absent("published rule", METHOD, reason, n=len(values), labels=labels)
    z = _z(found, values[None, :], cells)[0]
    largest = np.concatenate(
        [np.abs(_z(found, dealt, cells)).max(axis=1) for dealt in deal(found.rows, values, draws, seed)]
    )
    place = int(np.argmax(np.abs(z)))
    told = {**(labels or {}), "group": found.groups[cells[place]].name}
    outliers = {
        found.groups[cell].name: float(one) for cell, one in zip(cells, z, strict=True) if abs(one) > THRESHOLDS[-1]
    }
    return estimate(
        "published rule", float(z[place]), METHOD, n=len(values), labels=told,
        draws=draws, seed=seed,
        details={"outliers": outliers, "cells": len(cells),
                 "false_alarms": {f"z>{bar:g}": float((largest > bar).mean()) for bar in THRESHOLDS}},
    )  # fmt: skip


def _cells(found: Layout) -> list[int]:
    crossed = [place for place, group in enumerate(found.groups) if len(group.factors) == 2]
    return crossed or [place for place, group in enumerate(found.groups) if group.factors]


def _z(found: Layout, rows: Floats, cells: list[int]) -> Floats:
    """Data sets × cells: dealing keeps the overall mean and SD, so they are computed once."""
    sums = sum(rows[:, row] @ member for row, member in zip(found.rows, found.members, strict=True))
    counts = found.counts.sum(axis=0)
    values = rows[0]
    mean, spread = values.mean(), values.std(ddof=1)
    shown = np.asarray(sums)[:, cells] / np.maximum(counts[cells], 1)
    return np.asarray(
        np.where(counts[cells] > 0, (shown - mean) / (spread / np.sqrt(np.maximum(counts[cells], 1))), 0.0)
    )
