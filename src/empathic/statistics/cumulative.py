"""Ordered categories, thresholds and predictors become log-likelihoods of the cumulative logit and its derivatives.

P(Y ≤ j) = F(τ_j - η) with F logistic (McCullagh 1980). With u = τ_y - η and l = τ_{y-1} - η:

    log p   = log F(u) + log(1 - F(l)) + log(1 - exp(l - u))
    ∂/∂η    = F(u) + F(l) - 1        ∂²/∂η² = -(f(u) + f(l))
    ∂/∂τ_y  = f(u)/p                 ∂/∂τ_{y-1} = -f(l)/p
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import special

from empathic.statistics.inputs import Codes, Floats


class Terms(NamedTuple):
    """Per rating: the log-likelihood and what its derivatives are made of."""

    loglik: Floats
    score: Floats  # ∂ log p/∂η
    weight: Floats  # -∂² log p/∂η²
    f_upper: Floats  # f(u)
    f_lower: Floats  # f(l)
    slope_upper: Floats  # f'(u)
    slope_lower: Floats  # f'(l)
    up: Floats  # f(u)/p
    down: Floats  # f(l)/p


def loglik(places: Codes, thresholds: Floats, predictor: Floats) -> Floats:
    """log p of each rating; shapes broadcast, so `predictor` may hold one column per quadrature node."""
    upper, lower, gap = _bounds(places, thresholds, predictor)
    return np.asarray(special.log_expit(upper) + special.log_expit(-lower) + np.log(gap))


def terms(places: Codes, thresholds: Floats, predictor: Floats) -> Terms:
    """Everything a Newton step and the Laplace gradient need."""
    upper, lower, gap = _bounds(places, thresholds, predictor)
    big, small = special.expit(upper), special.expit(lower)
    rest_big, rest_small = special.expit(-upper), special.expit(-lower)
    f_upper, f_lower = big * rest_big, small * rest_small
    with np.errstate(divide="ignore", invalid="ignore"):
        down = np.where(small > 0, small / (big * gap), 0.0)
        up = np.where(rest_big > 0, rest_big / (rest_small * gap), 0.0)
    log_p = special.log_expit(upper) + special.log_expit(-lower) + np.log(gap)
    return Terms(
        log_p, big + small - 1, f_upper + f_lower, f_upper, f_lower,
        f_upper * (rest_big - big), f_lower * (rest_small - small), up, down,
    )  # fmt: skip


def by_threshold(places: Codes, count: int, at_upper: Floats, at_lower: Floats) -> Floats:
    """Σ over ratings at the threshold above and at the one below them, for each of `count` thresholds."""
    above = np.bincount(places, at_upper, count + 1)[:count]
    below = np.bincount(places, at_lower, count + 1)[1:]
    return np.asarray(above + below)


def threshold_columns(places: Codes, count: int) -> tuple[Floats, Floats]:
    """0/1 columns: which threshold stands above, and which below, each rating's category."""
    column = np.arange(count)
    return np.asarray(column == places[:, None], float), np.asarray(column == places[:, None] - 1, float)


def _bounds(places: Codes, thresholds: Floats, predictor: Floats) -> tuple[Floats, Floats, Floats]:
    """u, l and 1 - exp(l - u); u is infinite for the highest category and l for the lowest."""
    edges = np.concatenate([[-np.inf], thresholds, [np.inf]])
    gap = -np.expm1(edges[:-1] - edges[1:])[places]
    shape = (-1,) + (1,) * (predictor.ndim - 1)
    upper, lower = edges[places + 1].reshape(shape) - predictor, edges[places].reshape(shape) - predictor
    return upper, lower, gap.reshape(shape)
