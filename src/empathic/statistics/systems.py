"""Scores of several systems at the same places become means, paired differences and groups that cannot be told apart.

The unit is the dialogue: responses within one are summed before anything is drawn, so repeats and turns of one dialogue
do not count as independent. Intervals: cluster bootstrap by dialogue (percentile). p: sign flips of whole dialogues,
and where fewer than ten draws reach the observed difference, the cluster t test, whose tail is finer than the draws.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.records import Estimate
from empathic.statistics.estimates import absent, estimate
from empathic.statistics.multiplicity import adjust_family

Floats = npt.NDArray[np.float64]
MEAN, PAIR = "cluster-bootstrap-mean.v1", "paired-cluster.v1"
FEWEST = 6  # dialogues; fewer cannot reach p < .05 by flipping signs
POWER = 0.80
_BLOCK, _KEPT = 256, 8  # draws at a time; blocks of draws kept for the next pair


class Scores(NamedTuple):
    """One system's numbers: for each place its key and dialogue; per metric the values, NaN where missing."""

    system: str
    places: Sequence[Any]  # what identifies the same place in another system: (dialogue, position, repeat)
    dialogues: Sequence[str]
    columns: Mapping[str, Floats]


class Drawing(NamedTuple):
    """How intervals and p values are drawn."""

    draws: int
    seed: int
    level: float


class Sums(NamedTuple):
    """Values of many metrics summed by dialogue: rows are dialogues, columns are metrics."""

    totals: Floats
    counts: Floats
    squares: Floats


def means(scores: Scores, *, draws: int = 2000, seed: int, level: float = 0.95) -> list[Estimate]:
    """The mean of each metric with its interval."""
    names = list(scores.columns)
    values = np.column_stack([scores.columns[name] for name in names]) if names else np.empty((0, 0))
    sums = _sum_by_dialogue(values, scores.dialogues)
    lows, highs = _bootstrap(sums, draws=draws, seed=seed, level=level)
    return [
        _mean(name, scores.system, _column(sums, place), (lows[place], highs[place]), Drawing(draws, seed, level))
        for place, name in enumerate(names)
    ]


def compare(base: Scores, other: Scores, *, draws: int = 2000, seed: int, level: float = 0.95) -> list[Estimate]:
    """other − base for each metric both have, over the places both have."""
    names = [name for name in base.columns if name in other.columns]
    left, right = common_places(base, other)
    dialogues = [base.dialogues[place] for place in left]
    values = np.empty((len(left), len(names)))
    for column, name in enumerate(names):
        values[:, column] = other.columns[name][right] - base.columns[name][left]
    sums = _sum_by_dialogue(values, dialogues)
    lows, highs = _bootstrap(sums, draws=draws, seed=seed, level=level)
    exceeded = _sign_flips(sums.totals, draws=draws, seed=seed)
    labels = {"base": base.system, "system": other.system}
    drawing = Drawing(draws, seed, level)
    return [
        _difference({"metric": name, **labels}, _column(sums, i), (lows[i], highs[i]), int(exceeded[i]), drawing)
        for i, name in enumerate(names)
    ]


def compare_all(
    systems: Sequence[Scores], *, draws: int = 2000, seed: int, level: float = 0.95, headline: Sequence[str] = ()
) -> list[Estimate]:
    """Every pair of systems; Holm over the headline metrics as one family, Benjamini–Hochberg over all others."""
    found = [
        each
        for base, other in combinations(systems, 2)
        for each in compare(base, other, draws=draws, seed=seed, level=level)
    ]
    first = [each for each in found if not headline or each.labels["metric"] in headline]
    rest = [each for each in found if headline and each.labels["metric"] not in headline]
    return [
        *adjust_family(first, family="headline metrics × pairs of systems", method="holm"),
        *adjust_family(rest, family="further metrics × pairs of systems", method="bh"),
    ]


def common_places(base: Scores, other: Scores) -> tuple[list[int], list[int]]:
    """Where the places both systems have stand in each."""
    where = {place: index for index, place in enumerate(other.places)}
    left = [index for index, place in enumerate(base.places) if place in where]
    return left, [where[base.places[index]] for index in left]


def groups(differences: Sequence[Estimate], systems: Sequence[str], *, alpha: float = 0.05) -> list[tuple[str, ...]]:
    """The largest sets of systems of which no two differ (adjusted p ≥ α) on one metric; they may overlap."""
    apart = {
        frozenset((each.labels["base"], each.labels["system"]))
        for each in differences
        if each.p_adjusted is not None and each.p_adjusted < alpha
    }
    found: list[frozenset[str]] = []
    for size in range(len(systems), 0, -1):
        for members in combinations(systems, size):
            together = not any(frozenset(pair) in apart for pair in combinations(members, 2))
            if together and not any(set(members) <= larger for larger in found):
                found.append(frozenset(members))
    return [tuple(name for name in systems if name in members) for members in found]


def needed_dialogues(difference: Estimate, smallest: float, *, alpha: float = 0.05) -> int | None:
    """How many dialogues show a difference of `smallest` with power .80: n (MDD / smallest)²."""
    detectable = difference.details.get("minimum_detectable")
    dialogues = difference.details.get("dialogues")
    if not detectable or not dialogues or smallest <= 0:
        return None
    return int(np.ceil(float(dialogues) * (float(detectable) / smallest) ** 2))


def _sum_by_dialogue(values: Floats, dialogues: Sequence[str]) -> Sums:
    levels, codes = np.unique(np.asarray(dialogues, dtype=str), return_inverse=True)
    there = np.isfinite(values)
    filled = np.where(there, values, 0.0)
    shape = (len(levels), values.shape[1])
    totals, counts = np.zeros(shape), np.zeros(shape)
    np.add.at(totals, codes, filled)
    np.add.at(counts, codes, there.astype(float))
    return Sums(totals, counts, (filled**2).sum(axis=0))


def _column(sums: Sums, place: int) -> Sums:
    used = sums.counts[:, place] > 0
    return Sums(sums.totals[used, place], sums.counts[used, place], sums.squares[place : place + 1])


def _bootstrap(sums: Sums, *, draws: int, seed: int, level: float) -> tuple[Floats, Floats]:
    """Percentiles of the mean over resampled dialogues, for all metrics at once."""
    size, metrics = sums.totals.shape
    if size == 0 or metrics == 0:
        return np.full(metrics, np.nan), np.full(metrics, np.nan)
    blocks = [_resampled(sums, _weights(size, block, seed)) for block in _blocks(draws)]
    low, high = np.quantile(np.vstack(blocks), [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def _resampled(sums: Sums, weights: Floats) -> Floats:
    counts = weights @ sums.counts
    return np.asarray(np.where(counts > 0, (weights @ sums.totals) / np.maximum(counts, 1), 0.0))


def _sign_flips(totals: Floats, *, draws: int, seed: int) -> npt.NDArray[np.intp]:
    """How many of the draws, whole dialogues flipped, have a sum at least as far from zero as the observed."""
    observed = np.abs(totals.sum(axis=0)) * (1 - 1e-12)
    reached = np.zeros(totals.shape[1], dtype=np.intp)
    for block in _blocks(draws):
        reached += (np.abs(_signs(totals.shape[0], block, seed) @ totals) >= observed).sum(axis=0)
    return reached


def _blocks(draws: int) -> list[tuple[int, int]]:
    return [(start, min(_BLOCK, draws - start)) for start in range(0, draws, _BLOCK)]


@functools.lru_cache(maxsize=_KEPT)
def _weights(size: int, block: tuple[int, int], seed: int) -> Floats:
    """How often each dialogue is drawn; every pair of systems with as many dialogues shares the draws."""
    random = np.random.default_rng([seed, 0, block[0]])
    drawn = random.integers(0, size, size=(block[1], size)) + np.arange(block[1])[:, None] * size
    return np.bincount(drawn.ravel(), minlength=block[1] * size).reshape(block[1], size).astype(np.float64)


@functools.lru_cache(maxsize=_KEPT)
def _signs(size: int, block: tuple[int, int], seed: int) -> Floats:
    random = np.random.default_rng([seed, 1, block[0]])
    return np.asarray(random.integers(0, 2, size=(block[1], size)) * 2.0 - 1.0, dtype=np.float64)


def _standard_error(sums: Sums) -> float:
    """Of a ratio mean over clusters: √(k/(k−1) Σ(t_i − c_i m)²) / Σc_i."""
    size, total = sums.counts.size, sums.counts.sum()
    residuals = sums.totals - sums.counts * (sums.totals.sum() / total)
    return float(np.sqrt(size / (size - 1) * (residuals**2).sum()) / total)


def _mean(name: str, system: str, sums: Sums, interval: tuple[float, float], drawing: Drawing) -> Estimate:
    title, labels = f"{name} of {system}", {"metric": name, "system": system}
    if sums.counts.size == 0:
        return _absent(title, MEAN, "no response could be measured", sums, labels, drawing)
    value = float(sums.totals.sum() / sums.counts.sum())
    details = {"dialogues": int(sums.counts.size), "sd": _deviation(sums, value)}
    return estimate(
        title,
        value,
        MEAN,
        interval=interval if sums.counts.size > 1 else None,
        level=drawing.level,
        n=int(sums.counts.sum()),
        labels=labels,
        details=details,
        draws=drawing.draws,
        seed=drawing.seed,
    )


def _difference(
    labels: dict[str, str], sums: Sums, interval: tuple[float, float], exceeded: int, drawing: Drawing
) -> Estimate:
    title, dialogues = f"{labels['metric']}: {labels['system']} − {labels['base']}", int(sums.counts.size)
    if dialogues < FEWEST:
        reason = f"{dialogues} dialogues in common, at least {FEWEST} are needed"
        return _absent(title, PAIR, reason, sums, labels, drawing)
    value, error = float(sums.totals.sum() / sums.counts.sum()), _standard_error(sums)
    if error == 0.0 and value != 0.0:
        return _absent(title, PAIR, f"the difference is {value:g} everywhere, without spread", sums, labels, drawing)
    test = _test(value, error, sums, exceeded, drawing)
    return estimate(
        title,
        value,
        PAIR,
        interval=interval,
        level=drawing.level,
        n=int(sums.counts.sum()),
        statistic=value / error if error else None,
        df=(dialogues - 1,),
        p=test["p"],
        labels=labels,
        details=test,
        draws=drawing.draws,
        seed=drawing.seed,
    )


def _test(value: float, error: float, sums: Sums, exceeded: int, drawing: Drawing) -> dict[str, Any]:
    """p by sign flips and by t, d_z, and the difference that 80 % power would find with these dialogues."""
    dialogues = int(sums.counts.size)
    if error == 0.0:
        return {"p": 1.0, "dialogues": dialogues, "standard_error": 0.0, "identical": True}
    df, spread = dialogues - 1, _deviation(sums, value)
    tail = float(2 * stats.t.sf(abs(value / error), df))
    flipped = (exceeded + 1) / (drawing.draws + 1)
    return {
        "p": flipped if exceeded >= 10 else min(flipped, tail),
        "p_sign_flips": flipped,
        "p_t": tail,
        "dialogues": dialogues,
        "standard_error": error,
        "d_z": value / spread if spread > 0 else None,
        "minimum_detectable": float(stats.t.ppf(0.975, df) + stats.t.ppf(POWER, df)) * error,
    }


def _deviation(sums: Sums, mean: float) -> float:
    return float(np.sqrt(max(0.0, sums.squares[0] / sums.counts.sum() - mean**2)))


def _absent(title: str, method: str, reason: str, sums: Sums, labels: dict[str, str], drawing: Drawing) -> Estimate:
    n = int(sums.counts.sum())
    return absent(title, method, reason, n=n, labels=labels, draws=drawing.draws, seed=drawing.seed)
