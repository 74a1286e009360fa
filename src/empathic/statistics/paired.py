"""Pairs of values, several per target, become agreement figures with a bootstrap over targets, all at once.

Each target's pairs are weighted to count as one. From the weighted moments of (x, y) follow: quadratic weighted κ
= 1 − E(x−y)² / (s²_x + s²_y + (x̄−ȳ)²) (Fleiss & Cohen 1973, which is Lin's concordance); ICC(2,1) of two columns
(Shrout & Fleiss 1979); Pearson's r, of ranks Spearman's. For names instead of amounts: κ = (p_o − p_e) / (1 − p_e)
(Cohen 1960).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from scipy import stats

from empathic.records import Estimate
from empathic.statistics.bootstrap import draws, percentile
from empathic.statistics.estimates import Array, absent, estimate
from empathic.statistics.inputs import Codes

Pairs = Mapping[str, Sequence[tuple[float, float]]]  # target → pairs
Figure = Callable[[Array], Array]


class How(NamedTuple):
    """The level of intervals, and the bootstrap behind them."""

    level: float = 0.95
    replicates: int = 1000
    seed: int = 1


USUAL = How()


def figure(kind: str, pairs: Pairs, *, name: str, how: How = USUAL) -> Estimate:
    """One of `quadratic`, `nominal`, `icc`, `spearman` over the pairs of all targets."""
    method = f"paired-{kind}.v1"
    if reason := _unfit(pairs):
        return absent(name, method, reason, n=len(pairs), replicates=how.replicates, seed=how.seed)
    sums, compute = prepared(kind, pairs)
    value = float(compute(sums.sum(axis=0)[None])[0])
    sampled = compute(draws(len(sums), replicates=how.replicates, seed=how.seed) @ sums)
    return estimate(
        name,
        value,
        method,
        interval=percentile(sampled, level=how.level),
        level=how.level,
        n=len(pairs),
        details={"pairs": sum(map(len, pairs.values()))},
        replicates=how.replicates,
        seed=how.seed,
    )


def gap(kind: str, one: Pairs, other: Pairs, *, name: str, how: How = USUAL) -> Estimate:
    """The figure of `one` minus that of `other` over the targets both have, drawn together."""
    method, shared = f"paired-{kind}-gap.v1", [target for target in one if target in other]
    first, second = ({target: pairs[target] for target in shared} for pairs in (one, other))
    if reason := _unfit(first) or _unfit(second):
        return absent(name, method, reason, n=len(shared), replicates=how.replicates, seed=how.seed)
    both = [prepared(kind, pairs) for pairs in (first, second)]
    drawn = draws(len(shared), replicates=how.replicates, seed=how.seed)
    values = [float(compute(sums.sum(axis=0)[None])[0]) for sums, compute in both]
    sampled = both[0][1](drawn @ both[0][0]) - both[1][1](drawn @ both[1][0])
    return estimate(
        name,
        values[0] - values[1],
        method,
        interval=percentile(sampled, level=how.level),
        level=how.level,
        n=len(shared),
        replicates=how.replicates,
        seed=how.seed,
    )


def _unfit(pairs: Pairs) -> str | None:
    if len(pairs) < 2:
        return f"{len(pairs)} target(s) with a pair of ratings, at least 2 are needed"
    values = [value for given in pairs.values() for pair in given for value in pair]
    return "all ratings are equal, so agreement cannot be told from habit" if len(set(values)) < 2 else None


def prepared(kind: str, pairs: Pairs) -> tuple[Array, Figure]:
    """The sums of every target, and the function that turns added sums into the figure."""
    flat = np.array([pair for given in pairs.values() for pair in given], dtype=np.float64)
    sizes = np.array([len(given) for given in pairs.values()])
    owner = np.repeat(np.arange(len(sizes)), sizes)
    weights = 1 / sizes[owner]
    if kind == "nominal":
        return _joint(flat, owner, weights, len(sizes))
    if kind == "spearman":
        flat = np.column_stack([stats.rankdata(column) for column in flat.T])
    x, y = (flat - flat.mean(axis=0)).T if kind == "spearman" else (flat - flat.mean()).T
    rows = np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y]) * weights[:, None]
    sums = np.zeros((len(sizes), 6))
    np.add.at(sums, owner, rows)
    return sums, {"quadratic": _quadratic, "icc": _icc, "spearman": _pearson}[kind]


def _moments(sums: Array) -> tuple[Array, Array, Array, Array, Array]:
    n, x, y, xx, yy, xy = sums.T
    x, y = x / n, y / n
    return n, xx / n - x**2, yy / n - y**2, xy / n - x * y, x - y


def _quadratic(sums: Array) -> Array:
    _, vx, vy, c, d = _moments(sums)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(2 * c / (vx + vy + d**2))


def _icc(sums: Array) -> Array:
    n, vx, vy, c, d = _moments(sums)
    with np.errstate(invalid="ignore", divide="ignore"):
        between, error, raters = n * (vx + vy + 2 * c) / (n - 1) / 2, n * (vx + vy - 2 * c) / (n - 1) / 2, n * d**2 / 2
        return np.asarray((between - error) / (between + error + 2 * (raters - error) / n))


def _pearson(sums: Array) -> Array:
    _, vx, vy, c, _ = _moments(sums)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(c / np.sqrt(vx * vy))


def _joint(flat: Array, owner: Codes, weights: Array, count: int) -> tuple[Array, Figure]:
    names, codes = np.unique(flat, return_inverse=True)
    size = len(names)
    first, second = np.reshape(codes, flat.shape).T
    sums = np.zeros((count, size * size))
    np.add.at(sums, (owner, first * size + second), weights)

    def kappa(added: Array) -> Array:
        table = added.reshape(-1, size, size)
        table = table / table.sum(axis=(1, 2), keepdims=True)
        observed = np.einsum("bii->b", table)
        chance = (table.sum(axis=2) * table.sum(axis=1)).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((observed - chance) / (1 - chance))

    return sums, kappa
