"""Files of ratings and an instrument become what the statistics of a scale need: observations and the scale's shape."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from empathic import datasets, instruments, registry
from empathic.errors import InputError, SettingError
from empathic.instruments.scoring import items_of, points_of
from empathic.records import Component, Instrument, Item, Rating
from empathic.statistics.observations import Observation
from empathic.statistics.scale import Scale

SWAPPED = {"A/B": 0, "B/A": 1}  # what a judge's permuted repeats call the speaker and the listener


def find(name: str | None, ratings: Sequence[Rating] = ()) -> Instrument:
    """The instrument of that name; without a name, the only one the ratings are on."""
    if name is None:
        used = sorted({rating.instrument for rating in ratings})
        if len(used) != 1:
            raise SettingError(f"The ratings are on {', '.join(used) or 'nothing'}: choose one with --instrument NAME.")
        name = used[0]
    instrument: Instrument = registry.find("instrument", name).thing
    return instrument


def read(paths: Iterable[Path], format_: str | None = None) -> list[Rating]:
    """The ratings in files of any format, or in run folders."""
    return [rating for path in paths for rating in _read_one(path, format_)]


def _read_one(path: Path, format_: str | None) -> Iterator[Rating]:
    inner = path / "ratings.jsonl" if path.is_dir() and (path / "ratings.jsonl").exists() else path
    count = 0
    for record in datasets.read(inner, format_):
        if isinstance(record, Rating):
            count += 1
            yield record
    if not count:
        raise InputError("holds no ratings", path=inner)


def on(instrument: Instrument, ratings: Iterable[Rating]) -> list[Rating]:
    """The ratings on one instrument; none is an error that names what there is."""
    given = list(ratings)
    found = [rating for rating in given if rating.instrument == instrument.id]
    if not found:
        used = ", ".join(sorted({rating.instrument for rating in given}))
        raise InputError(f"no rating is on '{instrument.id}'; there are ratings on: {used}")
    return found


def scale_of(instrument: Instrument) -> Scale:
    """The shape of an instrument: items with their points, components with their items."""
    points = {item.id: tuple(point.value for point in points_of(instrument, item)) for item in instrument.items}
    nominal = {item.id for item in instrument.items if item.nominal}
    components = {
        measure(instrument, component): tuple(item.id for item in items_of(instrument, component))
        for component in instrument.components
    }
    amounts = {item: scale for item, scale in points.items() if item not in nominal}
    total = next((name for name, items in components.items() if len(items) == len(amounts)), None)
    named = {item: scale for item, scale in points.items() if item in nominal}
    return Scale(id=instrument.id, items=amounts, nominal=named, components=components, total=total)


def measure(instrument: Instrument, component: Component) -> str:
    """What a component is called beside the items: its id, marked if an item has the same."""
    taken = any(item.id == component.id for item in instrument.items)
    return f"{component.id} (score)" if taken else component.id


def observations(instrument: Instrument, ratings: Sequence[Rating]) -> list[Observation]:
    """Every answer with reversed items turned, and every component score."""
    items = {item.id: item for item in instrument.items}
    scores = list(instruments.score(instrument, ratings))
    found = [_observation(instrument, items[rating.item], rating) for rating in ratings]
    names = {component.id: measure(instrument, component) for component in instrument.components}
    found += [
        Observation(each.rater, each.target, names[each.component], each.value, each.system, dialogue=each.dialogue)
        for each in scores
    ]
    return found


def _observation(instrument: Instrument, item: Item, rating: Rating) -> Observation:
    value = None if rating.value is None else instruments.turned(instrument, item, rating.value)
    return Observation(
        rating.rater,
        rating.target,
        item.id,
        value,
        rating.system,
        place=rating.order,
        dialogue=rating.dialogue,
        swapped=SWAPPED.get(str(rating.metadata.get("labels"))),
    )


def missing(ratings: Iterable[Rating]) -> dict[str, int]:
    """Why ratings are missing, and how often."""
    counts = Counter(rating.missing for rating in ratings if rating.value is None and rating.missing)
    return dict(counts.most_common())
