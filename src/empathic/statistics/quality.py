"""Raters' answers become suspicions: contradictions, straight lines, identical answer sheets, likely repeat workers.

Each check says its rule, how many answers or raters it catches (with a Wilson interval) and their ids. It excludes
nobody: whoever drops a rater lists the id and shows both results.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from scipy import stats

from empathic.errors import SettingError
from empathic.records import Estimate, Record
from empathic.registry import signature
from empathic.statistics import effects
from empathic.statistics.estimates import Array, absent, estimate, vector

Groups = tuple[tuple[str, ...], ...]


class Suspicion(Record, frozen=True):
    """What one check found."""

    rule: str
    share: Estimate
    flagged: tuple[str, ...] = ()  # ids, each once, in the order given
    counts: dict[str, int] = {}  # id → how often
    groups: Groups = ()  # ids that belong together
    by_chance: Estimate | None = None  # how many ids chance alone would put into groups


def contradictions(
    item: npt.ArrayLike, reverse: npt.ArrayLike, *, raters: Sequence[str], points: tuple[float, float]
) -> Suspicion:
    """Answers on the same side of the middle to an item and to its reverse: polite and impolite, both agreed with."""
    first, second = vector(item), vector(reverse)
    _same_length(raters, first, second)
    rule = f"both above or both below the middle of {points[0]:g}–{points[1]:g} on an item and its reverse"
    answered = np.isfinite(first) & np.isfinite(second)
    middle = sum(points) / 2
    wrong = answered & (np.where(answered, first - middle, 0) * np.where(answered, second - middle, 0) > 0)
    counts = Counter(rater for rater, bad in zip(raters, wrong, strict=True) if bad)
    return Suspicion(
        rule=rule,
        share=_share("contradictory answers", int(wrong.sum()), int(answered.sum())),
        flagged=tuple(dict.fromkeys(rater for rater in raters if rater in counts)),
        counts={rater: counts[rater] for rater in dict.fromkeys(raters) if rater in counts},
    )


def straight_lining(sheets: npt.ArrayLike, *, raters: Sequence[str], longest: int | None = None) -> Suspicion:
    """Raters who gave one and the same answer `longest` times in a row (default: to all items), before any reversal."""
    array = _table(sheets, raters)
    limit = longest or array.shape[1]
    runs = {rater: _longest_run(row) for rater, row in zip(raters, array, strict=True)}
    flagged = tuple(rater for rater, run in runs.items() if run >= max(2, limit))
    return Suspicion(
        rule=f"the same answer {max(2, limit)} times in a row",
        share=_share("straight-liners", len(flagged), len(array)),
        flagged=flagged,
        counts={rater: runs[rater] for rater in flagged},
    )


def too_fast(seconds: npt.ArrayLike, *, raters: Sequence[str], least: float = 2.0) -> Suspicion:
    """Raters who took less than `least` seconds per answer on average.

    Two seconds are too few to read an item and choose (Huang, Curran, Keeney, Poposki & DeShon 2012, Journal of Business
    and Psychology 27, 99–114).
    """
    array = vector(seconds)
    _same_length(raters, array)
    known = np.isfinite(array)
    flagged = tuple(rater for rater, time in zip(raters, array, strict=True) if time < least)
    return Suspicion(
        rule=f"less than {least:g} seconds per answer on average",
        share=_share("too fast", len(flagged), int(known.sum())),
        flagged=flagged,
    )


def far_below_median(
    minutes: npt.ArrayLike, *, raters: Sequence[str], share: float = 1 / 3, least: int = 10
) -> Suspicion:
    """Raters who needed less than a share of the median time; told only when `least` of them are done."""
    array = vector(minutes)
    _same_length(raters, array)
    known = array[np.isfinite(array)]
    rule = f"less than {share:.2g} of the median time"
    if known.size < least:
        reason = f"{known.size} people are done, at least {least} are needed"
        return Suspicion(rule=rule, share=absent("far below the median time", "share.v1", reason, n=int(known.size)))
    limit = share * float(np.median(known))
    flagged = tuple(rater for rater, time in zip(raters, array, strict=True) if time < limit)
    found = _share("far below the median time", len(flagged), known.size)
    return Suspicion(rule=f"{rule} ({limit:.1f} minutes)", share=found, flagged=flagged)


def duplicated_sheets(
    sheets: npt.ArrayLike, *, raters: Sequence[str], simulations: int = 200, seed: int = 1
) -> Suspicion:
    """Raters whose whole answer sheet equals another's, and how many chance would give (see `expected_duplicates`)."""
    array = _table(sheets, raters)
    groups = _identical(array, raters)
    members = {rater for group in groups for rater in group}
    return Suspicion(
        rule=f"all {array.shape[1]} answers equal to another rater's",
        share=_share("raters with a duplicated sheet", len(members), len(array)),
        flagged=tuple(rater for rater in raters if rater in members),
        groups=groups,
        by_chance=expected_duplicates(array, simulations=simulations, seed=seed),
    )


def suspected_repeats(sheets: npt.ArrayLike, *, raters: Sequence[str], apart: int = 2) -> Suspicion:
    """Identical sheets that no further sheet resembles within `apart` items: likely one person working twice.

    Without worker ids this is a suspicion, not a proof.
    """
    array = _table(sheets, raters)
    places = {rater: place for place, rater in enumerate(raters)}
    alone = []
    for group in _identical(array, raters):
        differing = (array != array[places[group[0]]]).sum(axis=1)
        if int((differing <= apart).sum()) == len(group):
            alone.append(group)
    members = {rater for group in alone for rater in group}
    return Suspicion(
        rule=f"identical sheets, every other sheet differs in more than {apart} items",
        share=_share("suspected repeat workers", len(members), len(array)),
        flagged=tuple(rater for rater in raters if rater in members),
        groups=tuple(alone),
    )


def expected_duplicates(sheets: npt.ArrayLike, *, simulations: int = 200, seed: int = 1) -> Estimate:
    """How many raters would share their sheet by chance: a Gaussian copula keeps marginals and correlations."""
    array = np.asarray(sheets, dtype=np.float64)
    name, method = "raters with a duplicated sheet, by chance", "duplicate-sheets-copula.v1"
    if len(array) < 3 or not np.isfinite(array).all():
        return absent(name, method, "fewer than 3 complete sheets", n=len(array), simulations=simulations, seed=seed)
    rng, root = np.random.default_rng(seed), _root(array)
    ordered = np.sort(array, axis=0)
    drawn = []
    for _ in range(simulations):
        places = stats.norm.cdf(rng.standard_normal(array.shape) @ root.T)
        simulated = np.take_along_axis(ordered, (places * len(array)).astype(np.intp), axis=0)
        _, sizes = np.unique(simulated, axis=0, return_counts=True)
        drawn.append(int(sizes[sizes > 1].sum()))
    low, high = np.quantile(drawn, [0.025, 0.975])
    return estimate(
        name,
        float(np.mean(drawn)),
        method,
        interval=(float(low), float(high)),
        n=len(array),
        simulations=simulations,
        seed=seed,
    )


def _root(array: Array) -> Array:
    """A matrix square root of the latent normal correlations behind the answers.

    With m the mean of a standard normal within each answer's share, E[m₁ m₂] = r Var m₁ Var m₂ to first order in r.
    """
    scores = np.column_stack([_latent_means(column) for column in array.T])
    variances = scores.var(axis=0)
    scale = np.where(variances > 0, variances, 1.0)
    correlations = np.clip(scores.T @ scores / len(array) / np.outer(scale, scale), -0.99, 0.99)
    np.fill_diagonal(correlations, 1.0)
    values, vectors = np.linalg.eigh(correlations)
    root = vectors * np.sqrt(np.clip(values, 0, None))
    return np.asarray(root / np.linalg.norm(root, axis=1, keepdims=True))


def _latent_means(column: Array) -> Array:
    _, codes, counts = np.unique(column, return_inverse=True, return_counts=True)
    shares = counts / counts.sum()
    cuts = stats.norm.pdf(stats.norm.ppf(np.concatenate([[0.0], np.cumsum(shares)]).clip(0, 1)))
    return np.asarray(((cuts[:-1] - cuts[1:]) / shares)[codes])


def _identical(array: Array, raters: Sequence[str]) -> Groups:
    found: dict[bytes, list[str]] = defaultdict(list)
    for rater, row in zip(raters, array, strict=True):
        if np.isfinite(row).all():
            found[row.tobytes()].append(rater)
    return tuple(tuple(group) for group in found.values() if len(group) > 1)


def _longest_run(row: Array) -> int:
    longest = run = 0
    before: float | None = None
    for value in row:
        run = run + 1 if value == before else int(np.isfinite(value))
        before, longest = value, max(longest, run)
    return longest


def _table(sheets: npt.ArrayLike, raters: Sequence[str]) -> Array:
    array = np.asarray(sheets, dtype=np.float64)
    if array.ndim != 2 or len(array) != len(raters):
        raise SettingError(f"A table with one row for each of the {len(raters)} raters is needed, not {array.shape}.")
    return array + 0.0  # -0.0 and 0.0 are the same answer


def _same_length(raters: Sequence[str], *arrays: Array) -> None:
    sizes = {len(raters), *(array.size for array in arrays)}
    if len(sizes) > 1:
        raise SettingError(f"Raters and answers must have one length; given {sorted(sizes)}.")


def _share(name: str, hits: int, n: int) -> Estimate:
    if n == 0:
        return absent(name, "share.v1", "there are no answers")
    found = effects.proportion(hits, n)
    return Estimate(
        name=name,
        value=found.value,
        method="share.v1",
        low=found.low,
        high=found.high,
        n=n,
        details={"count": hits},
        signature=signature("share.v1"),
    )
