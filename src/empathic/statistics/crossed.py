"""Weights and one or two crossed factors become the pieces of a mixed model's linear algebra, fast.

The matrix is H = I + Z'WZ with Z the scaled indicators of raters and items. Each factor's own block is diagonal, so the
larger factor is eliminated and only the smaller one's Schur complement is dense: with 600 raters and 2,000 items the
work is one 600 × 600 Cholesky factor instead of one of 2,600 × 2,600.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import linalg, sparse

from empathic.statistics.inputs import Codes, Floats, codes

LARGEST = 5000  # levels of the smaller factor: its dense block takes 200 MB then


class Factors(NamedTuple):
    """Where each rating's level stands in the dense (smaller) and the eliminated (larger) factor."""

    small: Codes
    large: Codes
    small_size: int
    large_size: int
    swapped: bool  # whether the first factor given is the large one

    @property
    def single(self) -> bool:
        """Whether there is one factor only."""
        return self.small_size == 0

    def scales(self, deviations: Sequence[float] | Floats) -> tuple[float, float]:
        """The standard deviations in the order (small, large)."""
        if self.single:
            return 0.0, float(deviations[0])
        first, second = float(deviations[0]), float(deviations[1])
        return (second, first) if self.swapped else (first, second)

    def ordered(self, small: float, large: float) -> list[float]:
        """Two numbers of (small, large) in the order the factors were given."""
        if self.single:
            return [large]
        return [large, small] if self.swapped else [small, large]


class Solver(NamedTuple):
    """H⁻¹ in pieces: the Cholesky factor of the Schur complement, the large factor's diagonal, the cross block."""

    factors: Factors
    lower: Floats
    diagonal: Floats
    cross: sparse.csr_array

    def logdet(self) -> float:
        """log |H|."""
        return float(np.log(self.diagonal).sum() + 2 * np.log(np.diag(self.lower)).sum())

    def solve(self, small: Floats, large: Floats) -> tuple[Floats, Floats]:
        """H⁻¹ (small, large)."""
        if self.factors.single:
            return small, large / self.diagonal
        first = _cho_solve(self.lower, small - self.cross @ (large / self.diagonal))
        return first, (large - self.cross.T @ first) / self.diagonal

    def inverse_at(self) -> tuple[Floats, Floats, Floats]:
        """For each rating the entries of H⁻¹ at its (small, small), (small, large) and (large, large) levels."""
        small, large = self.factors.small, self.factors.large
        if self.factors.single:
            zero = np.zeros(len(large))
            return zero, zero, 1 / self.diagonal[large]
        inverse = _cho_solve(self.lower, np.eye(len(self.lower)))
        scaled = self.cross @ sparse.diags_array(1 / self.diagonal)
        mixed = -np.asarray((scaled.T @ inverse).T)  # inverse is symmetric
        own = 1 / self.diagonal - np.asarray(scaled.T.multiply(mixed.T).sum(axis=1)).ravel()
        return np.diag(inverse)[small], mixed[small, large], own[large]


def factors(*labels: ArrayLike) -> Factors:
    """Codes of one or two factors, the one with fewer levels first."""
    coded = [codes(label) for label in labels]
    if len(coded) == 1:
        levels, places = coded[0]
        return Factors(np.zeros(0, np.intp), places, 0, len(levels), False)
    (a_levels, a), (b_levels, b) = coded
    if len(a_levels) <= len(b_levels):
        return Factors(a, b, len(a_levels), len(b_levels), False)
    return Factors(b, a, len(b_levels), len(a_levels), True)


def too_large(shape: Factors) -> str | None:
    """The reason, if the smaller factor's dense block would not fit."""
    if shape.small_size <= LARGEST:
        return None
    return f"both factors have more than {LARGEST:,} levels; take one of them as random, or a cluster-robust test"


def solver(shape: Factors, weights: Floats, scale_small: float, scale_large: float) -> Solver:
    """Factorise H = I + Z'WZ for these weights and standard deviations."""
    diagonal = 1 + scale_large**2 * _sums(shape.large, weights, shape.large_size)
    if shape.single:
        return Solver(shape, np.zeros((0, 0)), diagonal, sparse.csr_array((0, shape.large_size)))
    cross = sparse.csr_array(
        (scale_small * scale_large * weights, (shape.small, shape.large)), shape=(shape.small_size, shape.large_size)
    )
    half = cross @ sparse.diags_array(1 / np.sqrt(diagonal))
    schur = -(half @ half.T).toarray()
    schur[np.diag_indices_from(schur)] += 1 + scale_small**2 * _sums(shape.small, weights, shape.small_size)
    return Solver(shape, np.asarray(linalg.cholesky(schur, lower=True, check_finite=False)), diagonal, cross)


def gather(shape: Factors, values: Floats, scale_small: float, scale_large: float) -> tuple[Floats, Floats]:
    """Z' values."""
    large = scale_large * _sums(shape.large, values, shape.large_size)
    if shape.single:
        return np.zeros(0), large
    return scale_small * _sums(shape.small, values, shape.small_size), large


def spread(shape: Factors, small: Floats, large: Floats, scale_small: float, scale_large: float) -> Floats:
    """Z (small, large): what the random effects add to each rating."""
    effect = scale_large * large[shape.large]
    return effect if shape.single else effect + scale_small * small[shape.small]


def _cho_solve(lower: Floats, right: Floats) -> Floats:
    return np.asarray(linalg.cho_solve((lower, True), right, check_finite=False), float)


def _sums(places: Codes, values: Floats, size: int) -> Floats:
    return np.asarray(np.bincount(places, values, size), float)
