"""Ratings as answered become component scores; reversed items are turned here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from empathic.errors import InputError
from empathic.records import Component, Instrument, Item, Point, Rating, Record
from empathic.registry import signature


class ComponentScore(Record, frozen=True):
    """What one rater's sheet about one thing says on one component."""

    rater: str
    target: str
    component: str
    value: float | None
    items: int  # how many items were answered
    missing: str | None = None
    system: str | None = None
    dialogue: str | None = None
    condition: str | None = None


class Sheet(NamedTuple):
    """All answers of one rater about one thing."""

    rater: str
    target: str
    answers: Mapping[str, Rating]


def points_of(instrument: Instrument, item: Item) -> tuple[Point, ...]:
    """The points an item is answered on."""
    return item.points if item.points is not None else instrument.points


def turned(instrument: Instrument, item: Item, value: float) -> float:
    """The value as it counts: lowest + highest − value for a reversed item."""
    if not item.reversed:
        return value
    points = points_of(instrument, item)
    return points[0].value + points[-1].value - value


def check(instrument: Instrument, rating: Rating) -> None:
    """Refuse a rating that this instrument cannot hold."""
    item = next((item for item in instrument.items if item.id == rating.item), None)
    if item is None:
        known = ", ".join(item.id for item in instrument.items)
        raise InputError(f"'{instrument.id}' has no item '{rating.item}'; its items: {known}", field="item")
    allowed = [point.value for point in points_of(instrument, item)]
    if rating.value is not None and rating.value not in allowed:
        shown = ", ".join(f"{value:g}" for value in allowed)
        raise InputError(f"{rating.value:g} is no point of item '{item.id}' (points: {shown})", field="value")
    if rating.value is None and not rating.missing:
        raise InputError(f"item '{item.id}' has neither a value nor a reason why it is missing", field="missing")


def sheets(ratings: Iterable[Rating]) -> list[Sheet]:
    """Ratings grouped by rater and target, in the order of their first answer; an item answered twice is refused."""
    grouped: dict[tuple[str, str], dict[str, Rating]] = {}
    for rating in ratings:
        answers = grouped.setdefault((rating.rater, rating.target), {})
        if rating.item in answers:
            raise InputError(
                f"rater '{rating.rater}' answers item '{rating.item}' twice about '{rating.target}'", field="item"
            )
        answers[rating.item] = rating
    return [Sheet(rater, target, answers) for (rater, target), answers in grouped.items()]


def score(instrument: Instrument, ratings: Iterable[Rating]) -> Iterator[ComponentScore]:
    """One score per sheet and component of the instrument; ratings of other instruments are refused."""
    checked = []
    for rating in ratings:
        if rating.instrument != instrument.id:
            raise InputError(f"a rating on '{rating.instrument}' cannot be scored as '{instrument.id}'")
        check(instrument, rating)
        checked.append(rating)
    for sheet in sheets(checked):
        for component in instrument.components:
            yield _score_one(instrument, component, sheet)


def items_of(instrument: Instrument, component: Component) -> tuple[Item, ...]:
    """The items a component is made of."""
    if component.items:
        return tuple(item for item in instrument.items if item.id in component.items)
    return tuple(item for item in instrument.items if component.id in item.components)


def score_signature(instrument: Instrument, component: Component) -> str:
    """The string that reproduces a component score."""
    return signature(f"{instrument.id}.v{instrument.version}", component=component.id, rule=component.rule)


def _score_one(instrument: Instrument, component: Component, sheet: Sheet) -> ComponentScore:
    items = items_of(instrument, component)
    values = [
        turned(instrument, item, answer.value)
        for item in items
        if (answer := sheet.answers.get(item.id)) is not None and answer.value is not None
    ]
    first = next(iter(sheet.answers.values()))
    missing = _too_few(instrument, len(values), len(items))
    return ComponentScore(
        rater=sheet.rater,
        target=sheet.target,
        component=component.id,
        value=None if missing else _combine(component, values, len(items)),
        items=len(values),
        missing=missing,
        system=first.system,
        dialogue=first.dialogue,
        condition=first.condition,
    )


def _too_few(instrument: Instrument, answered: int, wanted: int) -> str | None:
    share = (wanted - answered) / wanted
    if answered == 0:
        return f"none of {wanted} items was answered"
    if share > instrument.missing_items:
        return f"{wanted - answered} of {wanted} items missing, at most {instrument.missing_items:.0%} may be"
    return None


def _combine(component: Component, values: list[float], wanted: int) -> float:
    """Mean of the answered items; a sum over all items takes the mean of the answered for the missing ones."""
    mean = sum(values) / len(values)
    if component.rule == "mean":
        return mean
    return sum(values) if len(values) == wanted else mean * wanted
