"""A design matrix and values become least-squares coefficients with classical, HC3 or cluster-robust covariance.

HC3: (X'X)⁻¹ X' diag(e²/(1-h)²) X (X'X)⁻¹ (MacKinnon & White 1985). One-way clusters: the scores are summed within a
cluster and the sandwich is multiplied by G/(G-1)·(N-1)/(N-K); two-way: V(a) + V(b) - V(a∩b) (Cameron, Gelbach &
Miller 2011), with negative eigenvalues set to zero.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from empathic.statistics.inputs import Codes, Floats, codes


class Fit(NamedTuple):
    """A least-squares fit."""

    coefficients: Floats
    residuals: Floats
    design: Floats
    bread: Floats  # (X'X)⁻¹

    @property
    def df(self) -> int:
        """Residual degrees of freedom."""
        return len(self.residuals) - len(self.coefficients)


class Wald(NamedTuple):
    """A joint test of linear restrictions."""

    f: float
    df1: int
    df2: float
    p: float


def indicators(groups: ArrayLike) -> Floats:
    """One 0/1 column for each sorted group: the cell-means design."""
    levels, places = codes(groups)
    return np.asarray(np.arange(len(levels)) == places[:, None], float)


def problem(design: Floats, *, clusters: int | None = None) -> str | None:
    """Why this design cannot be fitted: too few rows, columns that depend on each other, too few clusters."""
    if design.shape[0] <= design.shape[1]:
        return f"{design.shape[0]} values cannot carry {design.shape[1]} coefficients and an error"
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return "the design is not of full rank: some columns follow from others"
    if clusters is not None and clusters < 2:
        return f"{clusters} cluster gives no cluster-robust error, at least 2 are needed"
    return None


def least_squares(design: Floats, values: Floats) -> Fit:
    """b = (X'X)⁻¹ X'y."""
    bread = np.asarray(np.linalg.inv(design.T @ design), float)
    coefficients = np.asarray(np.linalg.lstsq(design, values, rcond=None)[0], float)
    return Fit(coefficients, values - design @ coefficients, design, bread)


def classical(fit: Fit) -> Floats:
    """s² (X'X)⁻¹."""
    return np.asarray(fit.residuals @ fit.residuals / fit.df * fit.bread)


def hc3(fit: Fit) -> Floats:
    """Heteroscedasticity-consistent covariance of type 3; a leverage of 1 leaves it infinite."""
    leverage = np.einsum("ij,jk,ik->i", fit.design, fit.bread, fit.design)
    with np.errstate(divide="ignore", invalid="ignore"):
        scores = fit.design * (fit.residuals / (1 - leverage))[:, None]
        return np.asarray(fit.bread @ (scores.T @ scores) @ fit.bread)


def clustered(fit: Fit, clusters: ArrayLike) -> Floats:
    """One-way cluster-robust covariance."""
    levels, places = codes(clusters)
    sums = summed_by(fit.design * fit.residuals[:, None], places, len(levels))
    n, k, g = *fit.design.shape, len(levels)
    return np.asarray(g / (g - 1) * (n - 1) / (n - k) * fit.bread @ (sums.T @ sums) @ fit.bread)


def clustered_two_ways(fit: Fit, first: ArrayLike, second: ArrayLike) -> Floats:
    """Two-way cluster-robust covariance, made positive semi-definite."""
    covariance = clustered(fit, first) + clustered(fit, second) - clustered(fit, crossed(first, second))
    values, vectors = np.linalg.eigh((covariance + covariance.T) / 2)
    if values.min() >= 0:
        return np.asarray(covariance)
    return np.asarray(vectors * np.maximum(values, 0) @ vectors.T)


def crossed(first: ArrayLike, second: ArrayLike) -> Codes:
    """One code for each pair of labels that occurs."""
    (_, a), (levels, b) = codes(first), codes(second)
    return codes(a * len(levels) + b)[1]


def summed_by(rows: Floats, places: Codes, count: int) -> Floats:
    """The sums of the rows of each place."""
    sums = np.zeros((count, rows.shape[1]))
    np.add.at(sums, places, rows)
    return sums


def wald(coefficients: Floats, covariance: Floats, restrictions: Floats, df2: float) -> Wald | None:
    """F = (Rb)' (R V R')⁻¹ (Rb) / q; None if the restrictions' covariance cannot be inverted."""
    gap, middle = restrictions @ coefficients, restrictions @ covariance @ restrictions.T
    if not np.isfinite(middle).all() or np.linalg.matrix_rank(middle, hermitian=True) < len(gap):
        return None
    f = float(gap @ np.linalg.solve(middle, gap)) / len(gap)
    return Wald(f, len(gap), df2, float(stats.f.sf(f, len(gap), df2)))


def equality(count: int) -> Floats:
    """Restrictions that `count` coefficients are equal: each minus the first."""
    return np.hstack([-np.ones((count - 1, 1)), np.eye(count - 1)])
