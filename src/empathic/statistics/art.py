"""Values with crossed factors become nonparametric F tests by the aligned rank transform (ART), and ART-C contrasts.

For each term: aligned = (value − mean of its cell) + estimated effect of the term, the effect being the signed sum of
marginal means (main: marginal − grand; interaction: cell − row − column + grand); round to 8 decimals, so that float
noise splits no ties; midranks over all; F test of that term only (Wobbrock, Findlater, Gergle & Higgins 2011, CHI,
143–146). ART-C joins the contrasted factors to one and aligns for it (Elkin, Kay, Higgins & Wobbrock 2021, UIST).

On a response with few distinct values alignment orders the ties by cell means, and the test rejects a true null far
too often (see docs/statistics/art.md): such results carry `details["caution"]`.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.errors import UnknownName
from empathic.records import Estimate, Json
from empathic.statistics import blocks, eta
from empathic.statistics.blocks import Codes, Factor
from empathic.statistics.estimates import Array, absent, estimate, vector
from empathic.statistics.multiplicity import adjust_family

METHOD = "art.v1"
CONTRAST = "art-c.v1"
DECIMALS = 8
FEW_VALUES = 11
CAUTION = (
    "the response has {distinct} distinct values: alignment turns ties into rank differences, and ART then rejects "
    "true nulls too often; read the own-stratum, permutation or ordinal result instead"
)


def art(
    values: npt.ArrayLike,
    *,
    factors: Mapping[str, npt.ArrayLike],
    block: npt.ArrayLike | None = None,
    level: float = 0.95,
) -> tuple[Estimate, ...]:
    """One estimate per term: partial η² of the aligned ranks with F, df and p."""
    y = vector(values)
    read = blocks.read_factors(factors, y.size)
    grouping = None if block is None else blocks.factor("block", block)
    reason = blocks.unfit(y, read, grouping)
    terms = blocks.all_terms([one.name for one in read])
    if reason:
        return tuple(
            absent(f"effect of {':'.join(term)}", METHOD, reason, n=y.size, labels={"term": ":".join(term)})
            for term in terms
        )
    columns = blocks.design(read)
    return tuple(_test(y, read, grouping, columns, term, level) for term in terms)


def art_contrasts(
    values: npt.ArrayLike,
    *,
    factors: Mapping[str, npt.ArrayLike],
    among: Sequence[str],
    block: npt.ArrayLike | None = None,
    adjust: str = "holm",
    level: float = 0.95,
) -> list[Estimate]:
    """All pairwise ART-C contrasts of the (combined) levels of the factors `among`, adjusted as one family."""
    y = vector(values)
    read = blocks.read_factors(factors, y.size)
    chosen = _chosen(read, among)
    joined = join(chosen)
    grouping = None if block is None else blocks.factor("block", block)
    reason = blocks.unfit(y, read, grouping)
    pairs = list(itertools.combinations(range(len(joined.levels)), 2))
    if reason:
        return [_no_contrast(joined, pair, reason, y.size) for pair in pairs]
    ranks = stats.rankdata(_aligned_for_cells(y, read, chosen))
    model = _fit(ranks, [joined, *(one for one in read if one not in chosen)], grouping)
    if isinstance(model, str):
        return [_no_contrast(joined, pair, model, y.size) for pair in pairs]
    found = [_contrast(model, joined, pair, y.size, level) for pair in pairs]
    return adjust_family(found, family=f"ART-C among {':'.join(among)}", method=adjust)


def aligned(values: Array, factors: Sequence[Factor], term: Sequence[str]) -> Array:
    """The values stripped of all effects but the term's, rounded to 8 decimals before they are ranked."""
    chosen = [one for one in factors if one.name in term]
    effect = np.zeros_like(values)
    for size in range(len(chosen) + 1):
        for part in itertools.combinations(chosen, size):
            effect += (-1) ** (len(chosen) - size) * _means(values, part)
    return np.asarray(np.round(values - _means(values, factors) + effect, DECIMALS))


def join(factors: Sequence[Factor]) -> Factor:
    """Several factors as one, its levels named `a|b`."""
    names = ["|".join(parts) for parts in itertools.product(*(one.levels for one in factors))]
    return Factor(":".join(one.name for one in factors), blocks.cell_codes(factors), tuple(names))


class _Model(NamedTuple):
    """Ranks fitted with block effects: marginal means, their covariance without σ², and the error."""

    means: Array
    covariance: Array
    strange: Array  # what of each mean's weights lies outside the space of the design
    mse: float
    df: int


def _means(values: Array, factors: Sequence[Factor]) -> Array:
    if not factors:
        return np.full_like(values, values.mean())
    codes = blocks.cell_codes(factors)
    return np.asarray((np.bincount(codes, weights=values) / np.maximum(1, np.bincount(codes)))[codes])


def _aligned_for_cells(values: Array, factors: Sequence[Factor], chosen: Sequence[Factor]) -> Array:
    residual = values - _means(values, factors)
    return np.asarray(np.round(residual + _means(values, chosen) - values.mean(), DECIMALS))


def _test(
    y: Array,
    factors: Sequence[Factor],
    block: Factor | None,
    columns: dict[tuple[str, ...], Array],
    term: tuple[str, ...],
    level: float,
) -> Estimate:
    name, labels = f"effect of {':'.join(term)}", {"term": ":".join(term)}
    response = aligned(y, factors, term)
    strata = blocks.split(stats.rankdata(response), columns, block)
    test = blocks.f_test(blocks.stratum_of(strata, term), term)
    if isinstance(test, str):
        return absent(name, METHOD, test, n=y.size, labels=labels, decimals=DECIMALS)
    distinct = len(np.unique(y))
    details: Json = {
        "distinct_values": distinct,
        "distinct_aligned": len(np.unique(response)),
        "left_in_ranks": _left(strata, term),
    }
    if distinct < FEW_VALUES:
        details["caution"] = CAUTION.format(distinct=distinct)
    share = eta.partial_eta(test.f, test.df1, test.df2)
    span = eta.partial_eta_interval(test.f, test.df1, test.df2, level=level)
    df = (test.df1, test.df2)
    return estimate(
        name,
        share,
        METHOD,
        interval=span,
        level=level,
        n=y.size,
        statistic=test.f,
        df=df,
        p=test.p,
        labels=labels,
        details=details,
        decimals=DECIMALS,
    )


def _left(strata: Sequence[blocks.Stratum], term: tuple[str, ...]) -> Json:
    """The F of every other term left in the ranks: near 1 where alignment worked."""
    tests = [blocks.f_test(stratum, other) for stratum in strata for other in stratum.columns if other != term]
    return {":".join(test.term): test.f for test in tests if not isinstance(test, str)}


def _chosen(factors: Sequence[Factor], among: Sequence[str]) -> list[Factor]:
    known = {one.name: one for one in factors}
    for name in among:
        if name not in known:
            raise UnknownName("factor", name, known)
    return [known[name] for name in among]


def _fit(ranks: Array, factors: Sequence[Factor], block: Factor | None) -> _Model | str:
    """Least squares with block effects; the means of the first factor, other factors weighted equally."""
    columns = blocks.design(factors)
    matrix = np.column_stack([np.ones(len(ranks)), *columns.values()])
    picked = np.column_stack([_selector(factors[0], term, part) for term, part in columns.items()])
    weights = np.column_stack([np.ones(len(factors[0].levels)), picked])
    y, blocks_lost = ranks, 0
    if block is not None:
        matrix, y = _within(matrix[:, 1:], block.codes), _within(ranks[:, None], block.codes)[:, 0]
        weights, blocks_lost = weights[:, 1:], len(block.levels)
    inverse = np.linalg.pinv(matrix.T @ matrix, rcond=1e-10, hermitian=True)
    coefficients = inverse @ (matrix.T @ y)
    residual = y - matrix @ coefficients
    df = len(y) - blocks_lost - int(np.linalg.matrix_rank(matrix, tol=1e-8))
    error = float(residual @ residual)
    if df < 1 or error <= 1e-12 * float(y @ y):
        return "there is no variation to test against"
    strange = weights - weights @ inverse @ (matrix.T @ matrix)
    return _Model(weights @ coefficients, weights @ inverse @ weights.T, strange, error / df, df)


def _selector(first: Factor, term: tuple[str, ...], columns: Array) -> Array:
    """What each marginal mean takes of a term: its own coding for the first factor, 0 for averaged-out terms."""
    if term != (first.name,):
        return np.zeros((len(first.levels), columns.shape[1]))
    return np.vstack([np.eye(len(first.levels) - 1), -np.ones(len(first.levels) - 1)])


def _within(matrix: Array, codes: Codes) -> Array:
    sizes = np.bincount(codes)
    means = np.array([np.bincount(codes, weights=column) / sizes for column in matrix.T]).T
    return np.asarray(matrix - means[codes])


def _contrast(model: _Model, joined: Factor, pair: tuple[int, int], n: int, level: float) -> Estimate:
    one, other = pair
    if np.abs(model.strange[one] - model.strange[other]).max() > blocks.TINY**0.5:
        return _no_contrast(joined, pair, "these levels never meet within a block", n)
    difference = float(model.means[one] - model.means[other])
    variance = model.covariance[one, one] + model.covariance[other, other] - 2 * model.covariance[one, other]
    error = float(np.sqrt(variance * model.mse))
    t = difference / error
    half = float(stats.t.ppf((1 + level) / 2, model.df)) * error
    p = 2 * float(stats.t.sf(abs(t), model.df))
    labels = {"level": joined.levels[one], "against": joined.levels[other]}
    name = f"mean aligned rank, {joined.levels[one]} − {joined.levels[other]}"
    span = (difference - half, difference + half)
    return estimate(
        name,
        difference,
        CONTRAST,
        interval=span,
        level=level,
        n=n,
        statistic=t,
        df=(model.df,),
        p=p,
        labels=labels,
        decimals=DECIMALS,
    )


def _no_contrast(joined: Factor, pair: tuple[int, int], reason: str, n: int) -> Estimate:
    one, other = (joined.levels[place] for place in pair)
    name = f"mean aligned rank, {one} − {other}"
    return absent(name, CONTRAST, reason, n=n, labels={"level": one, "against": other}, decimals=DECIMALS)
