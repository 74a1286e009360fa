"""An Instrument becomes its documentation page: items, points, scoring, citation, evidence and limits."""

from __future__ import annotations

from collections.abc import Iterator

from empathic.instruments.scoring import items_of, points_of
from empathic.records import Instrument, Item, Point

_TARGETS = {
    "response": "one response",
    "transcript": "a whole conversation",
    "turn": "one turn",
    "rater": "the rater",
}


def page(instrument: Instrument) -> str:
    """The Markdown page of one instrument."""
    return "\n".join(_lines(instrument)).rstrip() + "\n"


def _lines(instrument: Instrument) -> Iterator[str]:
    yield f"# {instrument.title}"
    yield ""
    yield f"`{instrument.id}`, version {instrument.version}. Rated: {_TARGETS[instrument.target]}, "
    yield f"from the {instrument.perspective}-person perspective. Language: {instrument.language}. "
    yield f"Licence: {instrument.licence}."
    yield from ("", f"*{instrument.citation}*", "", "## Instruction", "", instrument.instruction, "")
    yield from ("## Points", "", _points(instrument.points), "")
    yield from ("## Items", "", "| id | item | reversed | components |", "|---|---|---|---|")
    for item in instrument.items:
        yield _row(instrument, item)
    yield from ("", "## Scoring", "")
    for component in instrument.components:
        names = ", ".join(f"`{item.id}`" for item in items_of(instrument, component))
        yield f"- `{component.id}` ({component.title}): {component.rule} of {names}"
    yield from ("", _rules(instrument), "", "## Evidence", "", instrument.evidence or "None.", "")
    yield from ("## Limits", "", instrument.limits or "None stated.")


def _points(points: tuple[Point, ...]) -> str:
    return " · ".join(f"{point.value:g}{' ' + point.label if point.label else ''}" for point in points)


def _row(instrument: Instrument, item: Item) -> str:
    text = f"**{item.title}.** {item.text}" if item.title else item.text
    if item.help:
        text += f" *{item.help}*"
    if item.points is not None:
        text += f" ({_points(points_of(instrument, item))})"
    return f"| `{item.id}` | {text} | {'yes' if item.reversed else ''} | {', '.join(item.components)} |"


def _rules(instrument: Instrument) -> str:
    turned = "Answers are stored as given; a reversed item counts as lowest + highest − answer when it is scored."
    missing = f"A component is missing when more than {instrument.missing_items:.0%} of its items are."
    return f"{turned} {missing}" if any(item.reversed for item in instrument.items) else missing
