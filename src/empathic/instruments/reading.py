"""A TOML file becomes an Instrument, or one error that says which item is wrong and how."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from empathic import files
from empathic.errors import InputError
from empathic.records import Instrument, Item, Point


def read(path: Path) -> Instrument:
    """The instrument in a TOML file, checked."""
    with files.open_binary(path) as stream:
        data = stream.read()
    try:
        content = tomllib.loads(data.decode())
        instrument = msgspec.convert(content, Instrument)
    except UnicodeDecodeError:
        raise InputError("is not UTF-8 text; save it as UTF-8", path=path) from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"is not valid TOML: {error}", path=path) from None
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        raise InputError(what, path=path, field=where.rstrip("`").lstrip(".") or None) from None
    for field, problem in problems(instrument):
        raise InputError(problem, path=path, field=field)
    return instrument


def problems(instrument: Instrument) -> Iterable[tuple[str, str]]:
    """What is wrong with an instrument: pairs of field and problem."""
    yield from _repeated("items", [item.id for item in instrument.items])
    yield from _repeated("components", [component.id for component in instrument.components])
    yield from _bad_points("points", instrument.points)
    if not instrument.items:
        yield "items", "an instrument needs at least one item"
    items, components = {item.id for item in instrument.items}, {part.id for part in instrument.components}
    for item in instrument.items:
        yield from _item_problems(item, items, components)
    for component in instrument.components:
        named = component.items or [item.id for item in instrument.items if component.id in item.components]
        if not named:
            yield f"components.{component.id}", "no item belongs to this component"
        for unknown in set(named) - items:
            yield f"components.{component.id}", f"no item is called '{unknown}'"


def _item_problems(item: Item, items: set[str], components: set[str]) -> Iterable[tuple[str, str]]:
    for unknown in set(item.components) - components:
        yield f"items.{item.id}", f"no component is called '{unknown}'; list it under `components`"
    if item.twin is not None and item.twin not in items:
        yield f"items.{item.id}", f"its twin '{item.twin}' is no item"
    if item.nominal and (item.components or item.reversed):
        yield f"items.{item.id}", "a nominal item can neither be reversed nor belong to a component"
    if item.points is not None:
        yield from _bad_points(f"items.{item.id}.points", item.points)


def _bad_points(field: str, points: tuple[Point, ...]) -> Iterable[tuple[str, str]]:
    values = [point.value for point in points]
    if len(values) < 2:
        yield field, "a scale needs at least two points"
    if values != sorted(set(values)):
        yield field, f"the points must rise without repeating: {values}"


def _repeated(field: str, names: list[str]) -> Iterable[tuple[str, str]]:
    for name, count in Counter(names).items():
        if count > 1:
            yield field, f"'{name}' appears {count} times"
