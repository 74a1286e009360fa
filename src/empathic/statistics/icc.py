"""Targets rated by the same raters become the six intraclass correlations of Shrout and Fleiss with intervals.

ICC(1,·): each target has its own random raters; ICC(2,·): random raters who rate all targets, absolute agreement;
ICC(3,·): these raters only, consistency. (·,1) is one rater, (·,k) the mean of k. Formulas: Shrout & Fleiss (1979),
Psychological Bulletin 86, 420–428; intervals of ICC(2,·): McGraw & Wong (1996), Psychological Methods 1, 30–46.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.records import Estimate
from empathic.statistics.estimates import Array, absent, estimate

METHOD = "icc.v1"
FORMS = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")


class Squares(NamedTuple):
    """Mean squares: between targets, within targets, between raters, residual."""

    n: int
    k: int
    between: float
    within: float
    raters: float
    error: float


class Result(NamedTuple):
    """One form: value, bounds, F and its degrees of freedom."""

    value: float
    low: float
    high: float
    f: float
    df: tuple[float, float]


def icc(ratings: npt.ArrayLike, *, level: float = 0.95) -> tuple[Estimate, ...]:
    """The six forms, in the order of FORMS, of a complete table targets × raters."""
    array = np.asarray(ratings, dtype=np.float64)
    reason = _unfit(array)
    if reason:
        size = len(array) if array.ndim else 0
        return tuple(absent(form, METHOD, reason, n=size, form=form) for form in FORMS)
    squares = mean_squares((array - array.mean()) / array.std())  # free of unit, and of overflow
    single = [_one_way(squares, level), _two_way_random(squares, level), _two_way_fixed(squares, level)]
    averaged = [_average(result, squares.k) for result in single]
    return tuple(_estimate(form, result, squares, level) for form, result in zip(FORMS, single + averaged, strict=True))


def one_way(ratings: npt.ArrayLike, *, level: float = 0.95) -> tuple[Estimate, Estimate]:
    """ICC(1,1) and ICC(1,k) where each target has raters of its own: NaN where a rater did not see a target.

    k is the number of ratings most targets have (the larger one if two are as frequent); targets with fewer are left out
    and of those with more the first k count, both told in the details.
    """
    array = np.asarray(ratings, dtype=np.float64)
    given = np.isfinite(array).sum(axis=1) if array.ndim == 2 else np.zeros(0, dtype=np.int64)
    sizes, counts = np.unique(given[given >= 2], return_counts=True)
    if not sizes.size:
        reason = "no target was rated by two raters"
        first, second = (absent(form, METHOD, reason, n=0, form=form) for form in (FORMS[0], FORMS[3]))
        return first, second
    k = int(sizes[counts == counts.max()].max())
    packed = np.array([row[np.isfinite(row)][:k] for row in array[given >= k]])
    found = icc(packed, level=level)
    left_out = {"left_out": int((given < k).sum()), "cut": int((given > k).sum())}
    first, second = (
        msgspec.structs.replace(each, details={**each.details, **left_out}) for each in (found[0], found[3])
    )
    return first, second


def mean_squares(array: Array) -> Squares:
    """The two-way table of variance of targets × raters."""
    n, k = array.shape
    grand = array.mean()
    targets = k * float(((array.mean(axis=1) - grand) ** 2).sum())
    raters = n * float(((array.mean(axis=0) - grand) ** 2).sum())
    total = float(((array - grand) ** 2).sum())
    error = max(0.0, total - targets - raters)
    within = (total - targets) / (n * (k - 1))
    return Squares(n, k, targets / (n - 1), within, raters / (k - 1), error / ((n - 1) * (k - 1)))


def _unfit(array: Array) -> str:
    if array.ndim != 2:
        return "a table of targets × raters is needed"
    n, k = array.shape
    if n < 2 or k < 2:
        return f"{n} target(s) and {k} rater(s); at least 2 of each are needed"
    holes = int((~np.isfinite(array)).any(axis=1).sum())
    if holes:
        return f"{holes} of {n} targets lack a rating; drop them, or use Krippendorff's α, which takes gaps"
    if np.ptp(array) == 0:
        return "all ratings are equal"
    if np.ptp(array.mean(axis=1)) <= 1e-12 * np.abs(array).max():
        return "the targets do not differ"
    return ""


def _one_way(s: Squares, level: float) -> Result:
    value = _ratio(s.between - s.within, s.between + (s.k - 1) * s.within)
    return _by_f(value, s.between, s.within, s.k, (s.n - 1, s.n * (s.k - 1)), level)


def _two_way_fixed(s: Squares, level: float) -> Result:
    value = _ratio(s.between - s.error, s.between + (s.k - 1) * s.error)
    return _by_f(value, s.between, s.error, s.k, (s.n - 1, (s.n - 1) * (s.k - 1)), level)


def _by_f(value: float, above: float, below: float, k: int, df: tuple[int, int], level: float) -> Result:
    tail = (1 + level) / 2
    if below <= 1e-12 * above:
        return Result(1.0, np.nan, np.nan, np.nan, df)
    f = above / below
    low, high = f / stats.f.ppf(tail, *df), f * stats.f.ppf(tail, df[1], df[0])
    return Result(value, _ratio(low - 1, low + k - 1), _ratio(high - 1, high + k - 1), f, df)


def _two_way_random(s: Squares, level: float) -> Result:
    df = (s.n - 1, (s.n - 1) * (s.k - 1))
    total = s.between + (s.k - 1) * s.error + s.k * (s.raters - s.error) / s.n
    value = _ratio(s.between - s.error, total)
    if s.error <= 1e-12 * s.between or not np.isfinite(value):
        return Result(value, np.nan, np.nan, np.nan, df)
    tail, v = (1 + level) / 2, _satterthwaite(s, value)
    upper, lower = stats.f.ppf(tail, s.n - 1, v), stats.f.ppf(tail, v, s.n - 1)
    if not (np.isfinite(upper) and np.isfinite(lower)):
        return Result(value, np.nan, np.nan, s.between / s.error, df)
    noise = s.k * s.raters + (s.k * s.n - s.k - s.n) * s.error
    low = _ratio(s.n * (s.between - upper * s.error), upper * noise + s.n * s.between)
    high = _ratio(s.n * (lower * s.between - s.error), noise + s.n * lower * s.between)
    return Result(value, low, high, s.between / s.error, df)


def _satterthwaite(s: Squares, rho: float) -> float:
    f = s.raters / s.error
    rest = s.n * (1 + (s.k - 1) * rho) - s.k * rho
    above = (s.k - 1) * (s.n - 1) * (s.k * rho * f + rest) ** 2
    return float(above / ((s.n - 1) * s.k**2 * rho**2 * f**2 + rest**2))


def _average(single: Result, k: int) -> Result:
    """Spearman–Brown: k ρ / (1 + (k − 1) ρ), for the value and both bounds."""
    value, low, high = (_ratio(k * rho, 1 + (k - 1) * rho) for rho in single[:3])
    return Result(value, low, high, single.f, single.df)


def _ratio(above: float, below: float) -> float:
    return float(above / below) if np.isfinite(below) and abs(below) > 1e-12 else np.nan


def _estimate(form: str, result: Result, s: Squares, level: float) -> Estimate:
    known = np.isfinite(result.f)
    return estimate(
        form,
        result.value,
        METHOD,
        interval=(result.low, result.high),
        level=level,
        n=s.n,
        statistic=result.f if known else None,
        df=result.df,
        p=float(stats.f.sf(result.f, *result.df)) if known else None,
        details={"raters": s.k},
        form=form,
    )
