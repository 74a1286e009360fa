"""Ordered ratings and what may explain them (numbers) become log-odds slopes of the proportional-odds model.

logit P(rating > c) = Σ β x − θ_c; McFadden's R² = 1 − log L / log L₀, log L₀ of the thresholds alone (McCullagh 1980,
JRSS B 42, 109–142). Slopes are per unit of the predictor as given: to compare predictors, give them one unit.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.records import Estimate, Record
from empathic.statistics.estimates import Array, absent, estimate
from empathic.statistics.inputs import Floats, codes, numbers
from empathic.statistics.ordinal import OrdinalFit, fit_ordinal, sandwich

METHOD = "ordinal_regression.v1"
LARGEST = 700  # beyond it exp overflows


class OrdinalRegression(Record, frozen=True):
    """The slope of each predictor, and how much better the model is than its thresholds alone."""

    fit: Estimate  # McFadden's R² with the likelihood-ratio test
    slopes: tuple[Estimate, ...]


def ordinal_regression(
    values: npt.ArrayLike,
    predictors: Mapping[str, npt.ArrayLike],
    *,
    clusters: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> OrdinalRegression:
    """Slopes with Wald tests; with clusters (raters) the errors are robust, and t(G − 1) takes the place of z."""
    numeric = numbers(values)
    columns = [numbers(column) for column in predictors.values()]
    reason = _unfit(numeric, columns) or _few(clusters, numeric.size)
    spread, design = _standardised(columns) if not reason else (np.ones(0), np.empty((0, 0)))
    places = codes(numeric)[1]
    fit = reason or fit_ordinal(places, design)
    null = reason or fit_ordinal(places, np.zeros((numeric.size, 0)))
    if isinstance(fit, str) or isinstance(null, str):
        return _absent(list(predictors), str(fit if isinstance(fit, str) else null), numeric.size, clusters is not None)
    groups = None if clusters is None else len(np.unique(np.asarray(clusters)))
    if clusters is not None:
        fit = fit._replace(covariance=sandwich(fit, places, design, clusters))
    fit = _in_units(fit, spread)
    slopes = [_slope(fit, place, name, numeric.size, groups, level) for place, name in enumerate(predictors)]
    return OrdinalRegression(fit=_compare(fit, null, numeric.size, groups), slopes=tuple(slopes))


def _standardised(columns: list[Floats]) -> tuple[Floats, Floats]:
    """Predictors as deviations in their own SD, so that separation shows in any unit."""
    array = np.column_stack(columns)
    spread = array.std(axis=0)
    return spread, np.asarray((array - array.mean(axis=0)) / spread)


def _in_units(fit: OrdinalFit, spread: Floats) -> OrdinalFit:
    scale = np.concatenate([np.ones(len(fit.thresholds)), 1 / spread])
    return fit._replace(coefficients=fit.coefficients / spread, covariance=fit.covariance * np.outer(scale, scale))


def _unfit(numeric: Floats, columns: list[Floats]) -> str:
    if not columns:
        return "there is no predictor"
    if any(column.size != numeric.size for column in columns):
        return "values and predictors differ in length"
    if not np.isfinite(np.column_stack([numeric, *columns])).all():
        return "a value or predictor is missing; leave the row out and say so"
    if numeric.size == 0 or np.ptp(numeric) == 0:
        return "all ratings are equal"
    centred = np.column_stack(columns) - np.column_stack(columns).mean(axis=0)
    if np.linalg.matrix_rank(centred) < len(columns):
        return "a predictor does not vary or follows from the others"
    return ""


def _few(clusters: npt.ArrayLike | None, n: int) -> str:
    if clusters is None:
        return ""
    labels = np.asarray(clusters)
    if labels.size != n:
        return "values and clusters differ in length"
    return "there is one cluster, at least 2 are needed" if len(np.unique(labels)) < 2 else ""


def _compare(fit: OrdinalFit, null: OrdinalFit, n: int, groups: int | None) -> Estimate:
    chi2, df = 2 * (fit.loglik - null.loglik), len(fit.coefficients)
    details = {"loglik": fit.loglik, "loglik_null": null.loglik, "thresholds": fit.thresholds.tolist()}
    p = float(stats.chi2.sf(chi2, df)) if groups is None else None
    value = 1 - fit.loglik / null.loglik
    return estimate(
        "McFadden's R²",
        value,
        METHOD,
        n=n,
        statistic=chi2,
        df=(df,),
        p=p,
        details=details,
        clustered=groups is not None,
    )


def _slope(fit: OrdinalFit, place: int, name: str, n: int, groups: int | None, level: float) -> Estimate:
    value = float(fit.coefficients[place])
    error = float(np.sqrt(_variances(fit)[place]))
    df = () if groups is None else (groups - 1,)
    reference = stats.norm if groups is None else stats.t(groups - 1)
    half, z = float(reference.ppf((1 + level) / 2)) * error, value / error
    return estimate(
        f"slope of {name}",
        value,
        METHOD,
        interval=(value - half, value + half),
        level=level,
        n=n,
        statistic=z,
        df=df,
        p=2 * float(reference.sf(abs(z))),
        labels={"predictor": name},
        details={"standard_error": error, "odds_ratio": float(np.exp(value)) if abs(value) < LARGEST else None},
        clustered=groups is not None,
    )


def _variances(fit: OrdinalFit) -> Array:
    return np.asarray(np.diag(fit.coefficient_covariance()), dtype=np.float64)


def _absent(names: list[str], reason: str, n: int, clustered: bool) -> OrdinalRegression:
    slopes = tuple(
        absent(f"slope of {name}", METHOD, reason, n=n, labels={"predictor": name}, clustered=clustered)
        for name in names
    )
    return OrdinalRegression(fit=absent("McFadden's R²", METHOD, reason, n=n, clustered=clustered), slopes=slopes)
