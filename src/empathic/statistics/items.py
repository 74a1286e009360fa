"""Answer sheets of a scale become its item analysis: distribution, item–rest correlation, α if the item is left out.

The item–rest correlation is that of an item with the sum of the others (Nunnally & Bernstein 1994, Psychometric
theory); its interval is a bootstrap over targets, because sheets about one target are not independent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from empathic.records import Estimate, Record
from empathic.statistics.bootstrap import draws, percentile
from empathic.statistics.consistency import cronbach_alpha
from empathic.statistics.estimates import Array, absent, estimate
from empathic.statistics.inputs import codes
from empathic.statistics.observations import Observation, Sheets

METHOD = "item-rest-correlation.v1"


class ItemAnalysis(Record, frozen=True, omit_defaults=False):
    """What is known of one item: its answers, and how it hangs together with the others."""

    item: str
    n: int
    missing: int
    counts: dict[str, int]  # point → how often it was given
    mean: float | None
    sd: float | None
    lowest: float | None  # share of the answers at the lowest point
    highest: float | None
    item_rest: Estimate
    alpha_without: Estimate


def item_analysis(
    observations: Sequence[Observation],
    complete: Sheets,
    points: Mapping[str, Sequence[float]],
    *,
    level: float = 0.95,
    replicates: int = 1000,
    seed: int = 1,
) -> tuple[ItemAnalysis, ...]:
    """Every item of a scale, in the order of `points` (item → its points), the order of the sheets' columns."""
    found = []
    for place, (item, scale) in enumerate(points.items()):
        rest = np.delete(complete.values, place, axis=1)
        column = complete.values[:, place]
        found.append(
            _item(
                item,
                [each.value for each in observations if each.measure == item],
                scale,
                item_rest(column, rest, complete.targets, level=level, replicates=replicates, seed=seed),
                cronbach_alpha(rest, name=f"α without {item}", level=level),
            )
        )
    return tuple(found)


def _item(
    item: str, answers: Sequence[float | None], scale: Sequence[float], rest: Estimate, alpha: Estimate
) -> ItemAnalysis:
    given = np.array([value for value in answers if value is not None], dtype=np.float64)
    share = {place: float((given == scale[place]).mean()) if given.size else None for place in (0, -1)}
    return ItemAnalysis(
        item=item,
        n=int(given.size),
        missing=len(answers) - int(given.size),
        counts={f"{point:g}": int((given == point).sum()) for point in scale},
        mean=float(given.mean()) if given.size else None,
        sd=float(given.std(ddof=1)) if given.size > 1 else None,
        lowest=share[0],
        highest=share[-1],
        item_rest=rest,
        alpha_without=alpha,
    )


def item_rest(
    item: Array, rest: Array, targets: Sequence[str], *, level: float = 0.95, replicates: int = 1000, seed: int = 1
) -> Estimate:
    """Pearson's r of an item with the sum of the others, interval by bootstrap over targets."""
    name, total = "item–rest correlation", rest.sum(axis=1)
    if reason := _unfit(item, rest):
        return absent(name, METHOD, reason, n=len(item), replicates=replicates, seed=seed)
    levels, places = codes(targets)
    sums = np.zeros((len(levels), 6))
    x, y = item - item.mean(), total - total.mean()
    np.add.at(sums, places, np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y]))
    value = float(_correlation(sums.sum(axis=0)[None])[0])
    sampled = _correlation(draws(len(levels), replicates=replicates, seed=seed) @ sums)
    interval = percentile(sampled, level=level) if len(levels) > 1 else None
    return estimate(
        name,
        value,
        METHOD,
        interval=interval,
        level=level,
        n=len(item),
        details={"targets": len(levels)},
        replicates=replicates,
        seed=seed,
    )


def _unfit(item: Array, rest: Array) -> str | None:
    if len(item) < 3 or not rest.shape[1]:
        return f"{len(item)} complete sheets with {rest.shape[1]} other items"
    if np.ptp(item) == 0:
        return "the item does not vary"
    return "the other items do not vary" if np.ptp(rest.sum(axis=1)) == 0 else None


def _correlation(sums: Array) -> Array:
    n, x, y, xx, yy, xy = sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray((n * xy - x * y) / np.sqrt((n * xx - x**2) * (n * yy - y**2)))
