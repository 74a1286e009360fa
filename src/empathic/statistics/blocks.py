"""Values with crossed factors, and optionally blocks, become F tests of every term in its own stratum.

Type III sums of squares with sum-to-zero coding. With blocks (raters, tasks) the values are split into block means and
deviations from them: a term constant within blocks is tested among the means, every other term within blocks, as
`aov(… + Error(block))` does for balanced data; for unbalanced data it is the intrablock analysis.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.errors import SettingError
from empathic.statistics.estimates import Array

Codes = npt.NDArray[np.intp]
TINY = 1e-10


class Factor(NamedTuple):
    """A factor as codes 0 … L−1 and the names of its levels."""

    name: str
    codes: Codes
    levels: tuple[str, ...]


class FTest(NamedTuple):
    """One F test of one term."""

    term: tuple[str, ...]
    f: float
    df1: int
    df2: int
    p: float


class Stratum(NamedTuple):
    """One error stratum: the response, the columns of each of its terms, and the mean's column, if it has one."""

    y: Array
    columns: dict[tuple[str, ...], Array]
    mean: Array
    lost: int  # degrees of freedom spent on blocks


def factor(name: str, labels: npt.ArrayLike) -> Factor:
    """Labels of any kind as a factor, levels in the order of their first appearance."""
    array = np.asarray(labels).ravel().astype(str)
    seen, first, inverse = np.unique(array, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return Factor(name, place[inverse], tuple(str(level) for level in seen[order]))


def read_factors(factors: Mapping[str, npt.ArrayLike], size: int) -> list[Factor]:
    """The factors, each with one label per value."""
    read = [factor(name, labels) for name, labels in factors.items()]
    for one in read:
        if len(one.codes) != size:
            raise SettingError(f"The factor '{one.name}' has {len(one.codes)} labels for {size} values.")
    return read


def all_terms(names: Sequence[str]) -> list[tuple[str, ...]]:
    """Main effects first, then interactions by order."""
    return [term for size in range(1, len(names) + 1) for term in itertools.combinations(names, size)]


def unfit(values: Array, factors: Sequence[Factor], block: Factor | None) -> str:
    """Why these values cannot be analysed, or an empty string."""
    if not np.isfinite(values).all():
        return f"{int((~np.isfinite(values)).sum())} of {values.size} values are missing"
    if any(len(one.levels) < 2 for one in factors):
        return f"the factor '{next(one.name for one in factors if len(one.levels) < 2)}' has fewer than two levels"
    cells = int(np.prod([len(one.levels) for one in factors]))
    if len(np.unique(cell_codes(factors))) < cells:
        return "a combination of the factors' levels has no value"
    if np.ptp(values) == 0:
        return "all values are equal"
    if block is not None and len(block.levels) < 2:
        return "there is one block, at least 2 are needed"
    return ""


def cell_codes(factors: Sequence[Factor]) -> Codes:
    """One number per combination of levels."""
    codes = np.zeros_like(factors[0].codes)
    for one in factors:
        codes = codes * len(one.levels) + one.codes
    return codes


def design(factors: Sequence[Factor]) -> dict[tuple[str, ...], Array]:
    """The sum-to-zero columns of every term."""
    main = {one.name: _sum_coding(one) for one in factors}
    return {term: _product([main[name] for name in term]) for term in all_terms(list(main))}


def split(y: Array, columns: dict[tuple[str, ...], Array], block: Factor | None) -> list[Stratum]:
    """The error strata: one without blocks; with them, among block means and within blocks."""
    if block is None:
        return [Stratum(y, columns, np.ones((len(y), 1)), 0)]
    sizes = np.bincount(block.codes).astype(np.float64)

    def means(matrix: Array) -> Array:
        return np.array([np.bincount(block.codes, weights=column) / sizes for column in matrix.T]).T

    inner: dict[tuple[str, ...], Array] = {}
    outer: dict[tuple[str, ...], Array] = {}
    for term, matrix in columns.items():
        averaged = means(matrix)
        deviation = matrix - averaged[block.codes]
        if np.abs(deviation).max() > TINY:
            inner[term] = deviation
        else:
            outer[term] = averaged * np.sqrt(sizes)[:, None]
    average = means(y[:, None])
    within = Stratum((y[:, None] - average[block.codes])[:, 0], inner, np.empty((len(y), 0)), len(sizes))
    among = Stratum(average[:, 0] * np.sqrt(sizes), outer, np.sqrt(sizes)[:, None], 0)
    return [stratum for stratum in (among, within) if stratum.columns]


def f_test(stratum: Stratum, term: tuple[str, ...]) -> FTest | str:
    """F = (RSS without the term − RSS) / df₁ over RSS / df₂, or why there is none."""
    others = [matrix for name, matrix in stratum.columns.items() if name != term]
    reduced = np.column_stack([stratum.mean, *others]) if others or stratum.mean.size else stratum.mean
    full = np.column_stack([reduced, stratum.columns[term]])
    rss_full, rank_full = _residual(full, stratum.y)
    rss_reduced, rank_reduced = _residual(reduced, stratum.y)
    df1, df2 = rank_full - rank_reduced, len(stratum.y) - stratum.lost - rank_full
    if df1 < 1 or df2 < 1:
        return "there are too few values for the number of cells"
    if rss_full <= 1e-12 * float(stratum.y @ stratum.y):
        return "there is no variation to test against"
    f = max(0.0, rss_reduced - rss_full) / df1 / (rss_full / df2)
    return FTest(term, f, df1, df2, float(stats.f.sf(f, df1, df2)))


def stratum_of(strata: Sequence[Stratum], term: tuple[str, ...]) -> Stratum:
    """The stratum in which a term is tested."""
    return next(stratum for stratum in strata if term in stratum.columns)


def _sum_coding(one: Factor) -> Array:
    coding = np.vstack([np.eye(len(one.levels) - 1), -np.ones(len(one.levels) - 1)])
    return np.asarray(coding[one.codes])


def _product(matrices: Sequence[Array]) -> Array:
    result = matrices[0]
    for matrix in matrices[1:]:
        result = np.einsum("ni,nj->nij", result, matrix).reshape(len(result), -1)
    return result


def _residual(matrix: Array, y: Array) -> tuple[float, int]:
    if matrix.shape[1] == 0:
        return float(y @ y), 0
    solution, _, rank, _ = np.linalg.lstsq(matrix, y, rcond=1e-10)
    residual = y - matrix @ solution
    return float(residual @ residual), int(rank)
