"""Raw numbers become Estimates: the absent one with its reason, and one that never carries NaN or infinity."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from empathic.records import Estimate, Json
from empathic.registry import signature

Array = npt.NDArray[np.float64]


def absent(
    name: str, method: str, reason: str, *, n: int | None = None, labels: Json | None = None, **settings: object
) -> Estimate:
    """An estimate that could not be had, with the reason."""
    return Estimate(
        name=name,
        value=None,
        method=method,
        missing=reason,
        n=n,
        labels=labels or {},
        signature=signature(method, **settings),
    )


def estimate(
    name: str,
    value: float,
    method: str,
    *,
    interval: tuple[float, float] | None = None,
    level: float = 0.95,
    n: int | None = None,
    statistic: float | None = None,
    df: Iterable[float] = (),
    p: float | None = None,
    labels: Json | None = None,
    details: Json | None = None,
    **settings: object,
) -> Estimate:
    """An estimate with plain Python numbers; a value that is not finite is absent, a bound that is not is None."""
    if not math.isfinite(value):
        return absent(name, method, "the computation has no finite result", n=n, labels=labels, **settings)
    low, high = (None, None) if interval is None else (_finite(interval[0]), _finite(interval[1]))
    return Estimate(
        name=name,
        value=float(value),
        method=method,
        low=low,
        high=high,
        level=level,
        n=n,
        statistic=_finite(statistic),
        df=tuple(float(number) for number in df),
        p=_finite(p),
        labels=labels or {},
        details=details or {},
        signature=signature(method, **settings),
    )


def vector(values: npt.ArrayLike) -> Array:
    """One-dimensional floats; what is None becomes NaN, to be dropped or refused by the caller."""
    return np.asarray(values, dtype=np.float64).ravel()


def _finite(value: Any) -> float | None:
    return float(value) if value is not None and math.isfinite(value) else None
