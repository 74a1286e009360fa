"""Ordered ratings and groups become the test whether one odds ratio fits every cut of the scale (Brant 1990).

For each cut j a binary logit of Y > j gives β_j; proportional odds says they are all equal. Their joint covariance is
Brant's, or, with clusters, the sandwich of the stacked scores.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import special, stats

from empathic.records import Estimate
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.inputs import Codes, Floats, codes, numbers
from empathic.statistics.linear import summed_by
from empathic.statistics.ordinal import RUNAWAY, contrasts, problem

METHOD = "brant.v1"


def brant(values: ArrayLike, groups: ArrayLike, *, clusters: ArrayLike | None = None) -> Estimate:
    """W = (Dβ)'(D V D')⁻¹(Dβ) on χ²((K-2)(k-1)); the value is the largest gap between the cuts' log-odds."""
    if reason := problem(values, groups, clusters):
        return absent("proportional_odds", METHOD, reason)
    places = codes(numbers(values))[1]
    cuts = int(places.max())
    if cuts < 2:
        return absent("proportional_odds", METHOD, "two categories have one cut: there is nothing to compare")
    design = np.column_stack([np.ones(len(places)), contrasts(groups)])
    fits = [_logit(design, np.asarray(places > cut, float)) for cut in range(cuts)]
    if any(fit is None for fit in fits):
        return absent("proportional_odds", METHOD, "perfect separation at one cut of the scale", n=len(places))
    coefficients = np.array([fit for fit in fits if fit is not None])
    covariance = _covariance(coefficients, design, places, clusters)
    width = design.shape[1]
    slopes = [cut * width + place for cut in range(cuts) for place in range(1, width)]
    beta, inner = coefficients[:, 1:].ravel(), covariance[np.ix_(slopes, slopes)]
    contrast = np.kron(np.hstack([-np.ones((cuts - 1, 1)), np.eye(cuts - 1)]), np.eye(width - 1))
    gap, middle = contrast @ beta, contrast @ inner @ contrast.T
    if np.linalg.matrix_rank(middle, hermitian=True) < len(gap):
        return absent("proportional_odds", METHOD, "the cuts' covariance cannot be inverted", n=len(places))
    statistic = float(gap @ np.linalg.solve(middle, gap))
    return estimate(
        "proportional_odds", float(np.abs(gap).max()), METHOD, n=len(places), statistic=statistic, df=(len(gap),),
        p=float(stats.chi2.sf(statistic, len(gap))), clustered=clusters is not None,
        details={"log_odds_by_cut": coefficients[:, 1:].tolist()},
    )  # fmt: skip


def _logit(design: Floats, above: Floats) -> Floats | None:
    """Newton's method for a binary logit; None if a coefficient runs away."""
    beta = np.zeros(design.shape[1])
    for _ in range(50):
        share = special.expit(design @ beta)
        information = design.T @ ((share * (1 - share))[:, None] * design)
        step = np.linalg.lstsq(information, design.T @ (above - share), rcond=None)[0]
        beta = beta + step
        if np.abs(beta).max() > RUNAWAY:
            return None
        if np.abs(step).max() < 1e-10:
            return np.asarray(beta, float)
    return None


def _covariance(coefficients: Floats, design: Floats, places: Codes, clusters: ArrayLike | None) -> Floats:
    """Covariance of the stacked coefficients of all cuts."""
    shares = special.expit(design @ coefficients.T)
    breads = [np.linalg.inv(design.T @ ((p * (1 - p))[:, None] * design)) for p in shares.T]
    if clusters is None:
        return np.block([[breads[m] @ _meat(design, shares, m, k) @ breads[k] for k in range(len(breads))]
                         for m in range(len(breads))])  # fmt: skip
    scores = [design * ((places > cut) - shares[:, cut])[:, None] @ breads[cut] for cut in range(len(breads))]
    levels, member = codes(clusters)
    sums = summed_by(np.hstack(scores), member, len(levels))
    return np.asarray(len(levels) / (len(levels) - 1) * sums.T @ sums)


def _meat(design: Floats, shares: Floats, m: int, k: int) -> Floats:
    """X' diag(P(Y > max) - P(Y > m) P(Y > k)) X."""
    weight = shares[:, max(m, k)] - shares[:, m] * shares[:, k]
    return np.asarray(design.T @ (weight[:, None] * design))
