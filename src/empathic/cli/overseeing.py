"""The ratings of a running study become agreement with intervals and flags with their rules, for the researcher's desk.

The desk asks through `contracts.Oversight` and knows neither statistics nor instruments; here they meet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from empathic.cli import ratings as rated
from empathic.contracts import Flag
from empathic.instruments.scoring import points_of
from empathic.records import Estimate, Instrument, Item, Rater, Rating
from empathic.statistics import quality, scale
from empathic.statistics.consistency import cronbach_alpha
from empathic.statistics.estimates import Array
from empathic.statistics.icc import icc, one_way
from empathic.statistics.observations import sheets, table
from empathic.statistics.quality import Suspicion

LEVEL, REPLICATES, SEED = 0.95, 1000, 1
MANY_ITEMS, MANY_THINGS = 5, 5  # fewer equal answers in a row are no straight line
SHEET_ITEMS = 8  # shorter sheets are equal by chance
Sheets = Mapping[tuple[str, str], Mapping[str, Rating]]


def agreement(instruments: Sequence[Instrument], ratings: Sequence[Rating]) -> list[Estimate]:
    """Krippendorff's α, ICC and Cronbach's α of every instrument that has answers."""
    return [
        each
        for instrument in instruments
        if (own := [rating for rating in ratings if rating.instrument == instrument.id])
        for each in _agreement(instrument, own)
    ]


def _agreement(instrument: Instrument, own: Sequence[Rating]) -> Iterator[Estimate]:
    observed, shape = rated.observations(instrument, own), rated.scale_of(instrument)
    about = {"instrument": instrument.id, "title": instrument.title}
    if own[0].target != own[0].rater:
        units, unit = _units(own)
        pooled = [each._replace(target=units.get(each.target, each.target)) for each in observed]
        # As the design's analysis has them: a bootstrap over units depends on their order.
        pooled.sort(key=lambda each: each.target)
        for found in scale.agreement(shape, pooled, level=LEVEL, replicates=REPLICATES, seed=SEED):
            yield _named(found.alpha, "Krippendorff’s α", **about, measure=found.measure, unit=unit)
        for measure in shape.components or shape.items:
            for form in _correlations(table(pooled, measure).values):
                yield _named(form, form.name, **about, measure=measure, unit=unit)
    for measure, items in shape.components.items():
        if len(items) > 1:
            whole = sheets(observed, items)
            found_alpha = cronbach_alpha(whole.values, level=LEVEL)
            yield _named(found_alpha, "Cronbach’s α", **about, measure=measure, unit="answer sheet")


def _units(own: Sequence[Rating]) -> tuple[dict[str, str], str]:
    """What several people rated: a thing; for chats, which are everybody's own, a bot in happy or in sad situations."""
    talks = {each.target: f"{each.system} | {each.condition}" for each in own if "scenario" in each.metadata}
    return talks, "bot and polarity (the chats differ)" if talks else "thing rated"


def _correlations(values: Array) -> tuple[Estimate, ...]:
    """Two-way where everybody rated everything, else one-way."""
    if values.size and np.isfinite(values).all():
        found = icc(values, level=LEVEL)
        return found[1], found[4]
    return one_way(values, level=LEVEL)


def _named(found: Estimate, name: str, **labels: str) -> Estimate:
    return msgspec.structs.replace(found, name=name, labels=labels)


def flags(instruments: Sequence[Instrument], raters: Sequence[Rater], ratings: Sequence[Rating]) -> list[Flag]:
    """Every rule of the desk, with those it catches."""
    found = [_checks(raters), *_fast(raters, ratings)]
    for instrument in instruments:
        given = _sheets(each for each in ratings if each.instrument == instrument.id)
        if given:
            found += _of_sheets(instrument, given)
    return found


def _checks(raters: Sequence[Rater]) -> Flag:
    wrong = {each.id: len(each.traits["checks_failed"]) for each in raters if each.traits.get("checks_failed")}
    rule = "an attention check was answered otherwise than asked"
    return Flag(name="failed attention checks", rule=rule, raters=tuple(wrong), counts=wrong)


def _fast(raters: Sequence[Rater], ratings: Sequence[Rating]) -> Iterator[Flag]:
    pace = seconds_per_answer(ratings)
    yield _flag("too fast", quality.too_fast(list(pace.values()), raters=list(pace)))
    minutes = {each.id: each.traits["minutes"] for each in raters if each.traits.get("minutes") is not None}
    yield _flag("far below the median time", quality.far_below_median(list(minutes.values()), raters=list(minutes)))


def seconds_per_answer(ratings: Iterable[Rating]) -> dict[str, float]:
    """Rater → mean seconds per answer; answers stored together took their page's time together."""
    pages: dict[str, dict[str | None, float]] = {}
    counts: Counter[str] = Counter()
    for each in ratings:
        if each.seconds is not None and each.value is not None:
            pages.setdefault(each.rater, {})[each.time] = each.seconds
            counts[each.rater] += 1
    return {rater: sum(times.values()) / counts[rater] for rater, times in pages.items()}


def _sheets(ratings: Iterable[Rating]) -> dict[tuple[str, str], dict[str, Rating]]:
    """(rater, target) → item → rating, answered ones only."""
    found: dict[tuple[str, str], dict[str, Rating]] = {}
    for each in ratings:
        if each.value is not None:
            found.setdefault((each.rater, each.target), {})[each.item] = each
    return found


def _of_sheets(instrument: Instrument, given: Sheets) -> Iterator[Flag]:
    amounts = [item for item in instrument.items if not item.nominal]
    if len(amounts) >= MANY_ITEMS:
        yield _straight(instrument, amounts, given)
    elif len(amounts) == 1:
        yield from _same_for_all(instrument, amounts[0], given)
    if any(item.reversed for item in amounts):
        yield _contradictory(instrument, amounts, given)
    if len(amounts) >= SHEET_ITEMS and all(rater == target for rater, target in given):
        whole = {rater: sheet for (rater, _), sheet in given.items() if len(sheet) == len(instrument.items)}
        rows = _rows(amounts, whole.values())
        yield _flag("sheets equal to another's", quality.duplicated_sheets(rows, raters=list(whole)), instrument)
        yield _flag("likely repeat workers", quality.suspected_repeats(rows, raters=list(whole)), instrument)


def _straight(instrument: Instrument, items: Sequence[Item], given: Sheets) -> Flag:
    """Sheets with one and the same answer to all items, before any is turned."""
    whole = {key: sheet for key, sheet in given.items() if all(item.id in sheet for item in items)}
    keys = {str(place): rater for place, (rater, _) in enumerate(whole)}
    found = quality.straight_lining(_rows(items, whole.values()), raters=list(keys))
    counts = Counter(keys[key] for key in found.flagged)
    rule = f"the same answer to all {len(items)} items of a sheet"
    return Flag(
        name="straight-lining",
        rule=rule,
        about=instrument.title,
        raters=tuple(counts),
        counts=dict(counts),
        share=found.share,
    )


def _same_for_all(instrument: Instrument, item: Item, given: Sheets) -> Iterator[Flag]:
    """Raters who gave every thing they saw the same answer."""
    seen: dict[str, list[Rating]] = {}
    for (rater, _), sheet in given.items():
        seen.setdefault(rater, []).append(sheet[item.id])
    many = {rater: own for rater, own in seen.items() if len(own) >= MANY_THINGS}
    if many:
        flat = tuple(rater for rater, own in many.items() if len({each.value for each in own}) == 1)
        rule = f"the same answer to everything that was rated ({MANY_THINGS} or more)"
        yield Flag(name="straight-lining", rule=rule, about=instrument.title, raters=flat)


def _contradictory(instrument: Instrument, items: Sequence[Item], given: Sheets) -> Flag:
    """Answers on the same side of the middle to an item and its reverse, or to the plain and the reversed items."""
    points = points_of(instrument, items[0])
    ends = (points[0].value, points[-1].value)
    pairs = [(item.id, item.twin) for item in items if item.twin and not item.reversed]
    sides = [_Sides((one,), (other,)) for one, other in pairs] or [_Sides.of(items)]
    firsts, seconds, who = [], [], []
    for (rater, _), sheet in given.items():
        for side in sides:
            firsts.append(_mean(sheet, side.plain))
            seconds.append(_mean(sheet, side.turned))
            who.append(rater)
    found = quality.contradictions(firsts, seconds, raters=who, points=ends)
    flag = _flag("contradictory reversed items", found, instrument)
    if pairs:
        return flag
    rule = f"the means of the plain and of the reversed items both above or both below {sum(ends) / 2:g}"
    return msgspec.structs.replace(flag, rule=rule)


class _Sides(NamedTuple):
    """Items asked one way, and the other way round."""

    plain: tuple[str, ...]
    turned: tuple[str, ...]

    @classmethod
    def of(cls, items: Sequence[Item]) -> _Sides:
        plain = tuple(item.id for item in items if not item.reversed)
        return cls(plain, tuple(item.id for item in items if item.reversed))


def _mean(sheet: Mapping[str, Rating], names: Sequence[str]) -> float:
    """NaN where an answer is missing: then nothing contradicts."""
    values = [value for name in names if name in sheet and (value := sheet[name].value) is not None]
    return float(np.mean(values)) if len(values) == len(names) > 0 else float("nan")


def _rows(items: Sequence[Item], given: Iterable[Mapping[str, Rating]]) -> Array:
    rows = [[float(sheet[item.id].value or 0.0) for item in items] for sheet in given]
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(items))


def _flag(name: str, found: Suspicion, instrument: Instrument | None = None) -> Flag:
    return Flag(
        name=name,
        rule=found.rule,
        about=instrument.title if instrument else "",
        raters=found.flagged,
        counts=found.counts,
        groups=found.groups,
        share=found.share,
        by_chance=found.by_chance,
    )
