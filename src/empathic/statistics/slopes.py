"""Rater means and a trait of the raters become one slope per condition, tests of their equality, and Fieller sets."""

from __future__ import annotations

import itertools
from typing import Any, Literal, NamedTuple

import msgspec
import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from empathic.records import Estimate
from empathic.statistics import linear
from empathic.statistics.effects import t_estimate
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Floats, codes, constant, lengths_differ, numbers, reason_against

Errors = Literal["hc3", "ols"]


class Slopes(NamedTuple):
    """A slope per condition, the difference of each pair, and the test that all are equal."""

    slopes: tuple[Estimate, ...]
    differences: tuple[Estimate, ...]
    equality: Estimate


def slopes(
    values: ArrayLike, trait: ArrayLike, groups: ArrayLike, *, errors: Errors = "hc3", level: float = 0.95
) -> Slopes:
    """y = a_g + b_g·trait in each group.

    HC3: heteroscedasticity-consistent errors; differences and equality from the joint model, df N - 2k. OLS: as
    usually published, (b₂ - b₁)/√(se₁² + se₂²) on n₁ + n₂ - 4 df; equality by the pooled F.
    """
    y, x, (levels, places) = numbers(values), numbers(trait), codes(groups)
    method, names = f"slopes_{errors}.v1", levels.tolist()
    reason = lengths_differ(values=y, trait=x, groups=places) or reason_against(y, x, least=3)
    if reason:
        return _refused(method, reason, names)
    fits = [_fit(y[places == place], x[places == place], errors) for place in range(len(names))]
    found = [_slope(fit, name, method, level) for fit, name in zip(fits, names, strict=True)]
    total = len(y) - 2 * len(names)
    pairs = itertools.combinations(range(len(names)), 2)
    differences = tuple(
        _difference(found[a], found[b], method, total if errors == "hc3" else None, level) for a, b in pairs
    )
    return Slopes(tuple(found), differences, _equality(y, x, places, method, errors))


def fieller(numerator: Estimate, denominator: Estimate, *, level: float = 0.95) -> Estimate:
    """The ratio of two independent slopes with Fieller's set (Fieller 1954).

    {ρ : (b₁ - ρb₂)² ≤ t²(s₁² + ρ²s₂²)}. With g = t²s₂²/b₂² ≥ 1 the denominator is not told from zero and the set has no
    bound: then the ratio is missing, and the set stands in `details`.
    """
    method = "fieller_ratio.v1"
    if numerator.value is None or denominator.value is None:
        return absent("slope_ratio", method, numerator.missing or denominator.missing or "a slope is missing")
    (b1, s1), (b2, s2) = ((e.value or 0.0, float(e.details["se"])) for e in (numerator, denominator))
    df = sum((e.df[0] for e in (numerator, denominator)), 0.0)
    t = float(stats.t.ppf((1 + level) / 2, df))
    a, b, c = b2**2 - t**2 * s2**2, b1 * b2, b1**2 - t**2 * s1**2
    g = t**2 * s2**2 / b2**2 if b2 else np.inf
    root = b**2 - a * c
    details: dict[str, Any] = {"g": float(g) if np.isfinite(g) else None}
    if a > 0:
        bounds = sorted([(b - root**0.5) / a, (b + root**0.5) / a])
        return estimate(
            "slope_ratio", b1 / b2, method, interval=(bounds[0], bounds[1]), level=level, df=(df,), details=details
        )
    if root < 0:
        details["set"] = "(-inf, +inf)"
    else:
        low, high = sorted([(b - root**0.5) / a, (b + root**0.5) / a])
        details.update(set=f"(-inf, {low:.6g}] ∪ [{high:.6g}, +inf)", below=low, above=high)
    refused = absent("slope_ratio", method, "the denominator's slope is not told from zero: the ratio has no bound")
    return msgspec.structs.replace(refused, details=details, df=(df,), level=level)


def _fit(y: Floats, x: Floats, errors: Errors) -> tuple[linear.Fit, Floats] | str:
    if len(y) < 3:
        return f"{len(y)} raters are too few for a slope"
    if constant(x):
        return "the trait does not vary in this group"
    fit = linear.least_squares(np.column_stack([np.ones(len(x)), x]), y)
    if fit.residuals @ fit.residuals <= 1e-20 * max(1.0, float(y @ y)):
        return "the ratings do not vary around the line"
    covariance = linear.hc3(fit) if errors == "hc3" else linear.classical(fit)
    return (fit, covariance) if np.isfinite(covariance).all() else "one rater alone decides the slope (leverage 1)"


def _slope(fit: tuple[linear.Fit, Floats] | str, name: Any, method: str, level: float) -> Estimate:
    if isinstance(fit, str):
        return absent("slope", method, fit, labels={"system": name})
    model, covariance = fit
    found = t_estimate(
        "slope", float(model.coefficients[1]), float(np.sqrt(covariance[1, 1])), model.df, method=method,
        n=len(model.residuals), level=level,
    )  # fmt: skip
    variance = float(((model.design[:, 1] - model.design[:, 1].mean()) ** 2).sum())
    explained = float(model.coefficients[1] ** 2 * variance)
    found.labels.update(system=name)
    found.details.update(
        intercept=float(model.coefficients[0]),
        r_squared=explained / (explained + float(model.residuals @ model.residuals)),
    )
    return found


def _difference(first: Estimate, second: Estimate, method: str, df: float | None, level: float) -> Estimate:
    labels = {"system": second.labels["system"], "baseline": first.labels["system"]}
    if first.value is None or second.value is None or first.n is None or second.n is None:
        return absent(
            "slope_difference", method, first.missing or second.missing or "a slope is missing", labels=labels
        )
    error = float(np.hypot(first.details["se"], second.details["se"]))
    found = t_estimate(
        "slope_difference", second.value - first.value, error, first.n + second.n - 4 if df is None else df,
        method=method, n=first.n + second.n, level=level,
    )  # fmt: skip
    found.labels.update(labels)
    return found


def _equality(y: Floats, x: Floats, places: Any, method: str, errors: Errors) -> Estimate:
    cells = linear.indicators(places)
    count = cells.shape[1]
    design = np.hstack([cells, cells * x[:, None]])
    reason = "there is one group only" if count < 2 else linear.problem(design)
    if reason:
        return absent("slopes_equal", method, reason, n=len(y))
    fit = linear.least_squares(design, y)
    if fit.residuals @ fit.residuals <= 1e-20 * max(1.0, float(y @ y)):
        return absent("slopes_equal", method, "the ratings do not vary around the lines", n=len(y))
    covariance = linear.hc3(fit) if errors == "hc3" else linear.classical(fit)
    restrictions = np.hstack([np.zeros((count - 1, count)), linear.equality(count)])
    found = linear.wald(fit.coefficients, covariance, restrictions, fit.df)
    if found is None:
        return absent("slopes_equal", method, "the slopes' covariance cannot be inverted", n=len(y))
    value = float(fit.coefficients[count:].std())
    return estimate("slopes_equal", value, method, n=len(y), statistic=found.f, df=(found.df1, found.df2), p=found.p)


def _refused(method: str, reason: str, names: list[Any]) -> Slopes:
    pairs = itertools.combinations(names, 2)
    return Slopes(
        tuple(absent("slope", method, reason, labels={"system": name}) for name in names),
        tuple(absent("slope_difference", method, reason, labels={"system": b, "baseline": a}) for a, b in pairs),
        absent("slopes_equal", method, reason),
    )
