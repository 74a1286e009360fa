"""An observed t, F or chi-square becomes the interval of its noncentrality, from which effect sizes get theirs.

The limits are the noncentralities under which the observed statistic stands at the upper and lower (1 ± level)/2
quantile (Steiger & Fouladi 1997; Smithson 2003, "Confidence Intervals", ch. 4).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import optimize, special, stats


def t_interval(t: float, df: float, *, level: float = 0.95) -> tuple[float, float]:
    """Limits of δ with t ~ t'(df, δ)."""
    tail = (1 - level) / 2

    def below(delta: float) -> float:
        return float(special.nctdtr(df, delta, t))

    reach = 10.0 + 2 * abs(t)
    return _root(below, 1 - tail, t - reach, t + reach), _root(below, tail, t - reach, t + reach)


def f_interval(f: float, df1: float, df2: float, *, level: float = 0.95) -> tuple[float, float]:
    """Limits of λ with F ~ F'(df1, df2, λ); a limit below zero is zero."""
    return _positive_interval(lambda nc: float(special.ncfdtr(df1, df2, nc, f)), f * df1, level)


def chi2_interval(chi2: float, df: float, *, level: float = 0.95) -> tuple[float, float]:
    """Limits of λ with χ² ~ χ'²(df, λ); a limit below zero is zero."""
    return _positive_interval(lambda nc: float(special.chndtr(chi2, df, nc)), chi2, level)


def t_quantile(level: float, df: float) -> float:
    """The two-sided critical value of t."""
    return float(stats.t.ppf((1 + level) / 2, df))


def _positive_interval(below: Callable[[float], float], scale: float, level: float) -> tuple[float, float]:
    tail = (1 - level) / 2
    reach = 4 * scale + 100
    while below(reach) > tail:
        reach *= 2
    low = 0.0 if below(0.0) <= 1 - tail else _root(below, 1 - tail, 0.0, reach)
    high = 0.0 if below(0.0) <= tail else _root(below, tail, 0.0, reach)
    return low, high


def _root(below: Callable[[float], float], target: float, low: float, high: float) -> float:
    """Where the falling function `below` crosses `target`; beyond the range a distribution function underflows to 0."""

    def gap(noncentrality: float) -> float:
        value = below(noncentrality)
        return (0.0 if np.isnan(value) else value) - target

    return float(optimize.brentq(gap, low, high, xtol=1e-12, rtol=1e-12))
