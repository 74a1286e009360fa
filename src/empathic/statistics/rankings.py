"""Rankings with ties, whole, partial or pairwise, become worths of the ranked things (Plackett–Luce, Bradley–Terry).

A ranking is a row of choices: the best group S of the alternatives A, then the best of the rest, and so on, with
P(S | A) = f(S) / Σ f(T) over T ⊆ A of an observed tie size, f(S) = δ_|S| (Π_{i∈S} α_i)^{1/|S|}
(Turner, van Etten, Firth & Kosmidis 2020, Computational Statistics 35, 1027–1057). Without ties this is Plackett–Luce,
for pairs the model of Davidson (1970), JASA 65, 317–328, and for pairs without ties Bradley–Terry. log f is linear in
log α and log δ, so Newton's method finds the maximum; errors are clustered by rater where raters are given.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse, stats

from empathic.errors import SettingError
from empathic.records import Estimate, Record
from empathic.statistics.estimates import Array, absent, estimate
from empathic.statistics.multiplicity import adjust_family

METHOD = "plackett-luce-ties.v1"
MOST_SETS = 200_000
TINY = 1e-9


class Rankings(Record, frozen=True):
    """The worths (log α, centred), all pairwise differences of them, and the test that all are equal."""

    equal: Estimate
    worths: tuple[Estimate, ...]
    contrasts: tuple[Estimate, ...]


class Choices(NamedTuple):
    """Every kind of choice that was made: its own features, its alternatives' features, and who made it how often."""

    chosen: list[Array]
    offered: list[Array]
    made: Array  # clusters × kinds


class Fit(NamedTuple):
    """The maximum: coefficients (log α without the first, then log δ) and their covariance."""

    coefficients: Array
    covariance: Array
    clusters: int


def plackett_luce(
    values: npt.ArrayLike,
    *,
    names: Sequence[str],
    clusters: Sequence[object] | None = None,
    adjust: str = "holm",
    level: float = 0.95,
) -> Rankings:
    """Worths from rankings × things; a higher value is a better place, equal values tie, NaN was not ranked.

    `clusters` (one label per ranking) makes the errors robust to several rankings by the same rater.
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != len(names):
        raise SettingError(f"A table of rankings × {len(names)} things is needed, not {array.shape}.")
    labels = range(len(array)) if clusters is None else clusters
    if len(labels) != len(array):
        raise SettingError(f"There are {len(labels)} clusters for {len(array)} rankings.")
    reason = _unfit(array, names)
    choices = "" if reason else read_choices(array, labels)
    fit = choices if isinstance(choices, str) else _fit(choices, len(names), robust=clusters is not None)
    if isinstance(fit, str):
        return _absent(names, reason or fit, len(array), clusters is not None)
    return _report(fit, names, len(array), clusters is not None, adjust, level)


def read_choices(array: Array, clusters: Sequence[object] | range) -> Choices | str:
    """The stages of all rankings, each kind of choice once."""
    stages = [(place, *stage) for place, row in enumerate(array) for stage in _stages(row)]
    sizes = sorted({len(chosen) for _, chosen, _ in stages} | {1})
    kinds = {pair: number for number, pair in enumerate(dict.fromkeys((chosen, rest) for _, chosen, rest in stages))}
    sets = sum(_subset_count(len(rest), sizes) for _, rest in kinds)
    if sets > MOST_SETS:
        return f"ties among this many things make {sets:,} possible choices; compare fewer at a time"
    groups = {label: number for number, label in enumerate(dict.fromkeys(clusters))}
    made = np.zeros((len(groups), len(kinds)))
    for place, chosen, rest in stages:
        made[groups[clusters[place]], kinds[chosen, rest]] += 1
    width = array.shape[1]
    offered = {
        rest: np.array([_features(t, width, sizes) for size in sizes for t in itertools.combinations(rest, size)])
        for rest in {rest for _, rest in kinds}
    }
    return Choices([_features(c, width, sizes) for c, _ in kinds], [offered[rest] for _, rest in kinds], made)


def _stages(row: Array) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """(chosen, alternatives) from the best to the last but one."""
    left = tuple(int(place) for place in np.flatnonzero(np.isfinite(row)))
    stages = []
    while len(left) > 1:
        best = max(row[place] for place in left)
        chosen = tuple(place for place in left if row[place] == best)
        stages.append((chosen, left))
        left = tuple(place for place in left if place not in chosen)
    return stages


def _features(chosen: tuple[int, ...], width: int, sizes: Sequence[int]) -> Array:
    features = np.zeros(width + len(sizes) - 1)
    features[list(chosen)] = 1 / len(chosen)
    if len(chosen) > 1:
        features[width + sizes.index(len(chosen)) - 1] = 1
    return features[1:]  # the first thing's log α is 0


def _subset_count(count: int, sizes: Sequence[int]) -> int:
    return int(sum(float(np.prod(np.arange(count, count - size, -1) / np.arange(1, size + 1))) for size in sizes))


def _unfit(array: Array, names: Sequence[str]) -> str:
    if len(names) < 2:
        return "there is one thing only"
    compared = np.isfinite(array).sum(axis=1) > 1
    if not compared.any():
        return "no ranking compares two things"
    if all(np.ptp(row[np.isfinite(row)]) == 0 for row in array[compared]):
        return "every ranking ties everything"
    with np.errstate(invalid="ignore"):
        above = (array[compared][:, :, None] >= array[compared][:, None, :]).any(axis=0)
    pieces, piece = sparse.csgraph.connected_components(sparse.csr_matrix(above), connection="strong")
    if pieces > 1:
        first = [name for name, number in zip(names, piece, strict=True) if number == piece[0]]
        return f"{', '.join(first)} always won or always lost against the others (or never met them): no finite worth"
    return ""


def _fit(choices: Choices, things: int, *, robust: bool) -> Fit | str:
    totals = choices.made.sum(axis=0)
    coefficients = np.zeros(len(choices.chosen[0]))
    current, gradient, information = _likelihood(choices, totals, coefficients)
    for _ in range(100):
        step = np.linalg.lstsq(information, gradient, rcond=1e-12)[0]
        scale = 1.0
        while scale > 1e-6:
            proposed = _likelihood(choices, totals, coefficients + scale * step)
            if proposed[0] >= current - 1e-12 * abs(current):
                break
            scale /= 2
        coefficients = coefficients + scale * step
        current, gradient, information = proposed
        if np.abs(step).max() < 1e-10:
            break
    if np.abs(gradient).max() > 1e-6 * totals.sum() or np.abs(coefficients).max() > 30:
        return "the likelihood has no finite maximum"
    inverse: Array = np.asarray(np.linalg.inv(information), dtype=np.float64)
    clusters = len(choices.made)
    if not robust:
        return Fit(coefficients, inverse, clusters)
    if clusters < 2:
        return "there is one cluster, at least 2 are needed"
    scores = choices.made @ np.array([x - _mean(o, coefficients)[0] for x, o in _pairs(choices)])
    covariance = inverse @ (scores.T @ scores) @ inverse * clusters / (clusters - 1)
    if np.linalg.matrix_rank(scores, tol=1e-8) < things - 1 or (np.diag(covariance)[: things - 1] <= 0).any():
        return f"{clusters} clusters are too few for {things} things"
    return Fit(coefficients, covariance, clusters)


def _pairs(choices: Choices) -> list[tuple[Array, Array]]:
    return list(zip(choices.chosen, choices.offered, strict=True))


def _mean(offered: Array, coefficients: Array) -> tuple[Array, Array, float]:
    """Expected features, probabilities and log Σ f of one set of alternatives."""
    strength = offered @ coefficients
    top = float(strength.max())
    weights = np.exp(strength - top)
    total = float(weights.sum())
    return weights @ offered / total, weights / total, top + float(np.log(total))


def _likelihood(choices: Choices, totals: Array, coefficients: Array) -> tuple[float, Array, Array]:
    value, width = 0.0, len(coefficients)
    gradient, information = np.zeros(width), np.zeros((width, width))
    for count, (chosen, offered) in zip(totals, _pairs(choices), strict=True):
        mean, probability, log_sum = _mean(offered, coefficients)
        value += count * (float(chosen @ coefficients) - log_sum)
        gradient += count * (chosen - mean)
        information += count * ((offered * probability[:, None]).T @ offered - np.outer(mean, mean))
    return value, gradient, information


def _report(fit: Fit, names: Sequence[str], n: int, robust: bool, adjust: str, level: float) -> Rankings:
    k = len(names)
    logs = np.concatenate([[0.0], fit.coefficients[: k - 1]])
    covariance = np.zeros((k, k))
    covariance[1:, 1:] = fit.covariance[: k - 1, : k - 1]
    centring = np.eye(k) - 1 / k
    share = np.exp(logs) / np.exp(logs).sum()
    ties = fit.coefficients[k - 1 :].tolist()
    details = {"log_tie": ties, "clusters": fit.clusters}
    worths = [
        _wald(f"worth of {name}", row, logs, covariance, n, robust, level, {"system": name}, {"share": float(part)})
        for name, row, part in zip(names, centring, share, strict=True)
    ]
    pairs = list(itertools.combinations(range(k), 2))
    contrasts = [_difference(pair, names, logs, covariance, n, robust, level) for pair in pairs]
    chi2 = float(logs[1:] @ np.linalg.pinv(covariance[1:, 1:], hermitian=True) @ logs[1:])
    equal = estimate(
        "all worths equal",
        float(np.std(logs)),
        METHOD,
        n=n,
        statistic=chi2,
        df=(k - 1,),
        p=float(stats.chi2.sf(chi2, k - 1)),
        details=details,
        clustered=robust,
    )
    family = adjust_family(contrasts, family="differences of worth", method=adjust)
    return Rankings(equal=equal, worths=tuple(worths), contrasts=tuple(family))


def _difference(
    pair: tuple[int, int], names: Sequence[str], logs: Array, covariance: Array, n: int, robust: bool, level: float
) -> Estimate:
    one, other = pair
    weights = np.zeros(len(names))
    weights[one], weights[other] = 1, -1
    labels = {"system": names[one], "baseline": names[other]}
    odds = {"odds_ratio": float(np.exp(logs[one] - logs[other]))}
    return _wald(f"worth, {names[one]} − {names[other]}", weights, logs, covariance, n, robust, level, labels, odds)


def _wald(
    name: str,
    weights: Array,
    logs: Array,
    covariance: Array,
    n: int,
    robust: bool,
    level: float,
    labels: dict[str, str],
    details: dict[str, float],
) -> Estimate:
    value, error = float(weights @ logs), float(np.sqrt(max(0.0, float(weights @ covariance @ weights))))
    if error <= TINY:
        return absent(name, METHOD, "the error is zero: too few clusters", n=n, labels=labels, clustered=robust)
    half, z = float(stats.norm.ppf((1 + level) / 2)) * error, value / error
    return estimate(
        name,
        value,
        METHOD,
        interval=(value - half, value + half),
        level=level,
        n=n,
        statistic=z,
        p=2 * float(stats.norm.sf(abs(z))),
        labels=labels,
        details={**details, "standard_error": error},
        clustered=robust,
    )


def _absent(names: Sequence[str], reason: str, n: int, robust: bool) -> Rankings:
    def nothing(name: str) -> Estimate:
        return absent(name, METHOD, reason, n=n, clustered=robust)

    pairs = itertools.combinations(names, 2)
    return Rankings(
        equal=nothing("all worths equal"),
        worths=tuple(nothing(f"worth of {name}") for name in names),
        contrasts=tuple(nothing(f"worth, {one} − {other}") for one, other in pairs),
    )
