"""Two columns become Pearson's r with Fisher's interval; the r of two samples become the test of their difference."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.records import Estimate
from empathic.statistics.estimates import absent, estimate, vector

METHOD, DIFFERENCE = "pearson.v1", "pearson-difference.v1"


def pearson(first: npt.ArrayLike, second: npt.ArrayLike, *, name: str = "r", level: float = 0.95) -> Estimate:
    """r with t(n − 2); the interval is tanh(atanh r ± z / √(n − 3)) (Fisher 1921)."""
    x, y = vector(first), vector(second)
    if x.size != y.size:
        return absent(name, METHOD, f"{x.size} and {y.size} values do not pair")
    n = x.size
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        return absent(name, METHOD, "a value is missing; leave the pair out and say so", n=n)
    if n < 4 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return absent(name, METHOD, "at least 4 pairs that vary are needed", n=n)
    r = float(np.corrcoef(x, y)[0, 1])
    if abs(r) >= 1 - 1e-15:
        return estimate(name, math.copysign(1.0, r), METHOD, n=n, df=(n - 2,))
    half = float(stats.norm.ppf((1 + level) / 2)) / math.sqrt(n - 3)
    span = (math.tanh(math.atanh(r) - half), math.tanh(math.atanh(r) + half))
    t = r * math.sqrt((n - 2) / (1 - r * r))
    p = 2 * float(stats.t.sf(abs(t), n - 2))
    return estimate(name, r, METHOD, interval=span, level=level, n=n, statistic=t, df=(n - 2,), p=p)


def pearson_difference(one: Estimate, other: Estimate, *, name: str = "r − r") -> Estimate:
    """Two independent correlations: z = (atanh r₁ − atanh r₂) / √(1/(n₁ − 3) + 1/(n₂ − 3))."""
    sizes = (one.n or 0, other.n or 0)
    if one.value is None or other.value is None or min(sizes) < 4 or max(abs(one.value), abs(other.value)) >= 1:
        return absent(name, DIFFERENCE, one.missing or other.missing or "a correlation is missing or perfect")
    error = math.sqrt(1 / (sizes[0] - 3) + 1 / (sizes[1] - 3))
    z = (math.atanh(one.value) - math.atanh(other.value)) / error
    p = 2 * float(stats.norm.sf(abs(z)))
    return estimate(name, one.value - other.value, DIFFERENCE, n=sum(sizes), statistic=z, p=p)
