"""An effect worth finding becomes the number of raters that finds it: power on the real unit.

Effects are in units of single ratings (Cohen's f, w, d). With m ratings per rater and an intraclass correlation ρ of
the ratings of one rater, the variance of a rater's mean is σ²(ρ + (1-ρ)/m), so an effect f on ratings is
f/√(ρ + (1-ρ)/m) on raters. Counting ratings instead of raters (ρ = 0) promises a power the study does not have.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import stats

from empathic.errors import SettingError
from empathic.records import Estimate
from empathic.statistics.estimates import absent, estimate

Power = Callable[[int], float]
LARGEST = 1 << 24


class Plan(NamedTuple):
    """The smallest study that has the power, and the curve around it: (raters in all, power)."""

    answer: Estimate
    curve: tuple[tuple[int, float], ...]


def between(
    effect: float, groups: int, *, icc: float = 0.0, ratings: int = 1, alpha: float = 0.05, power: float = 0.8
) -> Plan:
    """One-way ANOVA of rater means: F'(k-1, N-k, λ), λ = N f²/(ρ + (1-ρ)/m), N raters in equal groups."""
    _check(alpha, power, icc, ratings, effect=effect)
    _least("groups", groups, 2)
    size = effect / math.sqrt(_mean_variance(icc, ratings))

    def reached(per_group: int) -> float:
        n = per_group * groups
        critical = stats.f.isf(alpha, groups - 1, n - groups)
        return float(stats.ncf.sf(critical, groups - 1, n - groups, n * size**2))

    return _plan(
        "between", reached, power, least=2, multiple=groups, ratings=ratings, icc=icc, alpha=alpha, effect=effect
    )


def chi_square(
    effect: float,
    df: int,
    *,
    groups: int = 1,
    icc: float = 0.0,
    ratings: int = 1,
    alpha: float = 0.05,
    power: float = 0.8,
) -> Plan:
    """Pearson's χ² corrected for clusters: χ'²(df, λ), λ = N m w²/(1 + (m-1)ρ) for N raters (Rao & Scott 1984)."""
    _check(alpha, power, icc, ratings, effect=effect)
    _least("df", df, 1)
    each = ratings * effect**2 / (1 + (ratings - 1) * icc)

    def reached(n: int) -> float:
        return float(stats.ncx2.sf(stats.chi2.isf(alpha, df), df, n * each))

    found = _plan(
        "chi_square", reached, power, least=2, multiple=1, ratings=ratings, icc=icc, alpha=alpha, effect=effect
    )
    if found.answer.value is not None:
        found.answer.details["per_group"] = math.ceil(found.answer.value / groups)
    return found


def paired(effect: float, *, alpha: float = 0.05, power: float = 0.8) -> Plan:
    """Two-sided paired t test: t'(N-1, d_z √N)."""
    _check(alpha, power, 0.0, 1, effect=effect)

    def reached(n: int) -> float:
        critical, shift = stats.t.isf(alpha / 2, n - 1), effect * math.sqrt(n)
        return float(stats.nct.sf(critical, n - 1, shift) + stats.nct.cdf(-critical, n - 1, shift))

    return _plan("paired", reached, power, least=2, multiple=1, ratings=1, icc=0.0, alpha=alpha, effect=effect)


def within(
    effect: float, levels: int, *, correlation: float = 0.5, epsilon: float = 1.0, df: int | None = None,
    alpha: float = 0.05, power: float = 0.8,
) -> Plan:  # fmt: skip
    """Repeated measures: F'(q ε, (N-1) q ε, λ), λ = f² N c ε/(1-r) with c cells per rater (Faul et al. 2007).

    `levels` are the cells each rater fills (4 systems × 2 contexts = 8); `df` is q of the effect (by default
    levels - 1; 3 for the 4 systems); `correlation` is r between cells, `epsilon` the departure from sphericity.
    """
    _check(alpha, power, 0.0, 1, effect=effect)
    _least("levels", levels, 2)
    if not -1 / (levels - 1) < correlation < 1 or not 0 < epsilon <= 1:
        raise SettingError(f"A correlation lies below 1 and epsilon in (0, 1]; given {correlation} and {epsilon}.")
    rank = (levels - 1 if df is None else df) * epsilon

    def reached(n: int) -> float:
        critical = stats.f.isf(alpha, rank, (n - 1) * rank)
        return float(stats.ncf.sf(critical, rank, (n - 1) * rank, effect**2 * n * levels * epsilon / (1 - correlation)))

    return _plan(
        "within",
        reached,
        power,
        least=2,
        multiple=1,
        ratings=levels,
        icc=correlation,
        alpha=alpha,
        effect=effect,
    )


def proportion(
    first: float, second: float, *, icc: float = 0.0, ratings: int = 1, alpha: float = 0.05, power: float = 0.8
) -> Plan:
    """Two shares compared between two groups of raters, normal approximation as in R's power.prop.test."""
    _check(alpha, power, icc, ratings, effect=1.0)
    if not (0 < first < 1 and 0 < second < 1 and first != second):
        raise SettingError(f"Two different shares between 0 and 1 are needed, not {first} and {second}.")
    mean, deff = (first + second) / 2, 1 + (ratings - 1) * icc
    pooled, apart = 2 * mean * (1 - mean), first * (1 - first) + second * (1 - second)
    z = stats.norm.isf(alpha / 2)

    def reached(per_group: int) -> float:
        root = math.sqrt(per_group * ratings / deff) * abs(first - second)
        return float(stats.norm.cdf((root - z * math.sqrt(pooled)) / math.sqrt(apart)))

    gap = abs(first - second)
    return _plan("proportion", reached, power, least=2, multiple=2, ratings=ratings, icc=icc, alpha=alpha, effect=gap)


def _mean_variance(icc: float, ratings: int) -> float:
    return icc + (1 - icc) / ratings


def _plan(
    name: str, reached: Power, target: float, *, least: int, multiple: int, ratings: int, icc: float, alpha: float,
    effect: float,
) -> Plan:  # fmt: skip
    """The smallest number (of raters per group, times `multiple`) whose power is at least the target."""
    method = f"power_{name}.v1"
    high = least
    while not reached(high) >= target and high < LARGEST:
        high *= 2
    if high >= LARGEST:
        return Plan(absent("raters", method, f"more than {LARGEST * multiple:,} raters would be needed"), ())
    low = max(least, high // 2)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) >= target else (middle + 1, high)
    points = sorted({max(least, round(low * share)) for share in (0.25, 0.5, 0.75, 1, 1.25, 1.5, 2)})
    curve = tuple((n * multiple, reached(n)) for n in points)
    details = {
        "per_group": low, "power": reached(low), "target": target, "alpha": alpha, "effect": effect, "icc": icc,
        "ratings_per_rater": ratings, "ratings": low * multiple * ratings,
    }  # fmt: skip
    return Plan(
        estimate(
            "raters",
            float(low * multiple),
            method,
            details=details,
            alpha=alpha,
            effect=effect,
            icc=icc,
            power=target,
            ratings=ratings,
        ),
        curve,
    )


def _check(alpha: float, power: float, icc: float, ratings: int, *, effect: float) -> None:
    if not (0 < alpha < 1 and 0 < power < 1 and alpha < power):
        raise SettingError(f"alpha and power lie between 0 and 1, alpha below power; given {alpha} and {power}.")
    if not 0 <= icc <= 1:
        raise SettingError(f"An intraclass correlation lies between 0 and 1, not {icc}. Type e.g. --icc 0.08")
    if not (effect > 0 and np.isfinite(effect)):
        raise SettingError(f"An effect to be found is larger than 0, not {effect}. Type e.g. --effect 0.25")
    _least("ratings", ratings, 1)


def _least(name: str, value: int, least: int) -> None:
    if value < least:
        raise SettingError(f"{name} must be at least {least}, not {value}.")
