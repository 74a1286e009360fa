"""F tests become partial η², the share of an effect in the variation that its own test leaves, with its interval.

The population share is λ / (λ + N), N = df1 + df2 + 1, so its bounds follow from those of the noncentrality λ
(Steiger 2004, Psychological Methods 9, 164–182).
"""

from __future__ import annotations

from empathic.statistics import noncentral


def partial_eta(f: float, df1: float, df2: float) -> float:
    """SS_effect / (SS_effect + SS_error) = F df1 / (F df1 + df2)."""
    return f * df1 / (f * df1 + df2)


def partial_eta_interval(f: float, df1: float, df2: float, *, level: float = 0.95) -> tuple[float, float]:
    """λ / (λ + N) at both ends of the interval of λ."""
    low, high = noncentral.f_interval(f, df1, df2, level=level)
    cases = df1 + df2 + 1
    return low / (low + cases), high / (high + cases)
