"""Contrasts of groups → studentised statistics, and p values that hold for all of them together: maxT within templates.

In every template the values are dealt anew among its probes, which keeps everything but the link between answer and
person. t = mean over templates / (s̃/√T), with s̃² = ((T−1) s² + d₀ s̄²)/(T−1+d₀): the contrast's own variance over
templates steadied by the mean s̄² of its kind, d₀ = 20, because with few templates (or a measure that is nearly always 0)
s alone may vanish. Studentising by the spread over templates makes the test one about situations in general, and keeps
it honest when groups differ in spread (Janssen 1997; Chung & Romano 2013, Annals of Statistics 41, 484–507).

Adjusted p: step-down maxima (Westfall & Young 1993, algorithm 4.1), with (b+1)/(B+1) (Phipson & Smyth 2010).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic.statistics.groups import Layout, means
from empathic.statistics.inputs import Codes, Floats

STEADY = 20.0  # d₀: how many degrees of freedom the common variance counts for
POLISH = 2  # sweeps over rows and columns
BATCH = 2_000_000  # values dealt at a time, to bound memory


class Studentised(NamedTuple):
    """Per data set and contrast: its size and its error; the degrees of freedom are the same in all data sets."""

    values: Floats  # data sets × contrasts
    errors: Floats
    divisors: Floats  # errors, enlarged by how far medians may move

    @property
    def statistics(self) -> Floats:
        """value / divisor; 0 where both are 0."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(np.abs(self.values) < 1e-12, 0.0, self.values / self.divisors)


class MaxT(NamedTuple):
    """The observed statistics, their jointly adjusted p values, and the permuted ones behind them."""

    statistics: Floats
    p: Floats
    permuted: Floats  # draws × contrasts, absolute; usable contrasts only

    def critical(self, alpha: float) -> float:
        """What the largest of all statistics exceeds in no more than `alpha` of the draws."""
        largest = np.sort(self.permuted.max(axis=1))
        return float(largest[min(len(largest) - 1, math.ceil((1 - alpha) * (len(largest) + 1)) - 1)])


def studentise(found: Layout, table: Floats) -> Studentised:
    """Contrasts of group means (data sets × templates × groups); those no two templates can show are NaN."""
    usable = found.usable
    number = usable.sum(axis=0).astype(float)
    number[number < 2] = np.nan
    shown = (table @ found.weights.T) * usable
    value = shown.sum(axis=1) / number
    own = (((shown - value[:, None]) * usable) ** 2).sum(axis=1) / (number - 1)
    steadied = ((number - 1) * own + STEADY * _steady(found, own)) / (number - 1 + STEADY)
    errors = np.sqrt(steadied / number)
    return Studentised(centred(found, value), errors, errors * _reach(found))


def centred(found: Layout, values: Floats) -> Floats:
    """Deviations counted from the median group, interactions from rows and columns whose medians are 0.

    Medians, because means would spread one group's difference over all the others: a single intersection that is treated
    differently shows as itself and nowhere else (median polish, Tukey 1977).
    """
    values = values.copy()
    for family in found.families:
        some = np.isfinite(values[:, family]).any(axis=1)
        shown = values[np.ix_(some, family)]
        values[np.ix_(some, family)] = shown - np.nanmedian(shown, axis=1, keepdims=True)
    for table in found.tables:
        left = values[:, table]
        whole = np.isfinite(left).all(axis=(1, 2))  # interactions of two factors are there together or not at all
        left[whole] = _polished(left[whole])
        values[:, table] = left
    return values


def _polished(tables: Floats) -> Floats:
    for _ in range(POLISH):
        tables = tables - np.median(tables, axis=2, keepdims=True)
        tables = tables - np.median(tables, axis=1, keepdims=True)
    return tables


def templates_of(found: Layout) -> NDArray[np.intp]:
    """How many templates can show each contrast."""
    return np.asarray(found.usable.sum(axis=0))


def maxt(found: Layout, values: Floats, *, draws: int, seed: int) -> MaxT:
    """Adjusted p of every contrast; NaN where it cannot be tested."""
    observed = studentise(found, means(found, values[None, :])).statistics[0]
    testable = np.isfinite(observed)
    permuted = np.concatenate([_absolute(found, dealt)[:, testable] for dealt in deal(found.rows, values, draws, seed)])
    p = np.full(len(observed), np.nan)
    p[testable] = step_down(np.abs(observed[testable]), permuted)
    return MaxT(observed, p, permuted)


def deal(rows: Sequence[Codes], values: Floats, draws: int, seed: int) -> Iterator[Floats]:
    """Batches of data sets in which each template's values (at its rows) are shuffled among its probes."""
    random, size = np.random.default_rng(seed), max(1, BATCH // max(1, len(values)))
    for start in range(0, draws, size):
        dealt = np.tile(values, (min(size, draws - start), 1))
        for row in rows:
            dealt[:, row] = random.permuted(dealt[:, row], axis=1)
        yield dealt


def step_down(observed: Floats, permuted: Floats) -> Floats:
    """p_(j) = (1 + #{max over the contrasts not yet passed ≥ t_(j)})/(1 + B), then made monotone."""
    if not observed.size:
        return observed
    order = np.argsort(-observed, kind="stable")
    remaining = np.maximum.accumulate(permuted[:, order[::-1]], axis=1)[:, ::-1]
    beyond = (remaining >= observed[order] * (1 - 1e-10)).sum(axis=0)
    adjusted = np.empty_like(observed)
    adjusted[order] = np.maximum.accumulate((1 + beyond) / (1 + len(permuted)))
    return adjusted


def _reach(found: Layout) -> Floats:
    """By how much the divisor of each contrast is enlarged, because medians move too."""
    reach = np.ones(len(found.contrasts))
    for family in found.families:
        reach[family] = _from_median(len(family))
    for table in found.tables:
        reach[table] = _from_median(table.shape[0]) + _from_median(table.shape[1]) - 1
    return reach


def _from_median(groups: int) -> float:
    """How far out a distance from the median of k groups reaches, against one from their mean.

    For a distance x, one of k normals moves up by a and m = (k+1)/2 others move the median down by b, a + b = x; the least
    a² + m b² gives x²/(1 + 1/m), against x²/(1 − 1/k) from the mean. Without it, factors with few levels would make the
    critical value of all others larger. Of two groups the median is the mean.
    """
    return 1.0 if groups < 3 else math.sqrt((1 + 1 / ((groups + 1) // 2)) / (1 - 1 / groups))


def _absolute(found: Layout, dealt: Floats) -> Floats:
    return np.abs(studentise(found, means(found, dealt)).statistics)


def _steady(found: Layout, own: Floats) -> Floats:
    """What a variance over templates is steadied by: the mean of its kind, or the expected one if that is larger."""
    kinds = [(each.kind, each.group.factors) for each in found.contrasts]
    steady = np.empty_like(own)
    for kind in dict.fromkeys(kinds):
        alike = np.array([one == kind for one in kinds])
        known = np.isfinite(own[0]) & alike
        common = own[:, known].mean(axis=1, keepdims=True) if known.any() else np.zeros((len(own), 1))
        steady[:, alike] = np.maximum(common, found.expected[alike])
    return steady
