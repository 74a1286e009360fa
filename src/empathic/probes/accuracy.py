"""Choices become how often the keyed answer was chosen, and how often an answer could be read at all.

Failures to choose count as wrong in one accuracy and are left out of the other; both are given, beside chance.
What places do to choices is for `statistics/positions.py`.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from scipy import stats

from empathic.probes.measured import Measured
from empathic.records import Estimate
from empathic.registry import signature

OPTIONS = 5


def estimates(measured: Iterable[Measured]) -> list[Estimate]:
    """Per system: both accuracies, and the outcomes of reading."""
    by_system: dict[str, list[Measured]] = defaultdict(list)
    for one in measured:
        if one.metric == "ce":
            by_system[one.system].append(one)
    return [row for system, rows in by_system.items() for row in _of_system(system, rows)]


def _of_system(system: str, rows: Sequence[Measured]) -> list[Estimate]:
    return [
        _accuracy(system, rows, failures="wrong"),
        _accuracy(system, rows, failures="excluded"),
        _outcomes(system, rows),
    ]


def _accuracy(system: str, rows: Sequence[Measured], *, failures: str) -> Estimate:
    """The share of keyed answers; interval over templates, the unit of generalisation (t, T − 1)."""
    by_template: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        if row.value is not None or failures == "wrong":
            by_template[row.template].append(row.value or 0.0)
    name = "ce.accuracy" if failures == "wrong" else "ce.accuracy.excluded"
    method = f"share of keyed answers, failures to choose {failures}; t interval over templates"
    labels = {"system": system, "metric": "ce"}
    n = sum(map(len, by_template.values()))
    if not n:
        return Estimate(name=name, value=None, missing="no answer was chosen", method=method, labels=labels)
    low, high = _interval([float(np.mean(values)) for values in by_template.values()])
    return Estimate(
        name=name,
        value=math.fsum(math.fsum(values) for values in by_template.values()) / n,
        low=low,
        high=high,
        n=n,
        method=method,
        labels=labels,
        details={"chance": 1 / OPTIONS, "templates": len(by_template)},
        signature=signature("ce.v1", failures=failures),
    )


def _interval(means: Sequence[float]) -> tuple[float | None, float | None]:
    if len(means) < 2:
        return None, None
    center = float(np.mean(means))
    half = float(stats.t.ppf(0.975, len(means) - 1) * np.std(means, ddof=1) / len(means) ** 0.5)
    return max(0.0, center - half), min(1.0, center + half)


def _outcomes(system: str, rows: Sequence[Measured]) -> Estimate:
    """The share of replies that were read, and how often each outcome and each kind of answer came."""
    outcomes = Counter(row.outcome or "failed" for row in rows)
    chosen = Counter(row.chosen for row in rows if row.chosen is not None)
    return Estimate(
        name="ce.read",
        value=(outcomes["ok"] + outcomes["lenient"]) / len(rows),
        n=len(rows),
        method="share of replies from which an answer was read",
        labels={"system": system, "metric": "ce"},
        details={"outcomes": dict(sorted(outcomes.items())), "kinds": dict(sorted(chosen.items()))},
    )
