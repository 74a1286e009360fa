"""Groups with intervals and verdicts → a forest: one row each, the margin as a band, the verdict as a shape.

Shape and word carry the verdict, colour only repeats it.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from empathic.reports.figures import AXIS, HEAD, LEFT, Scale, grid, opening, short

ROW, LETTER, ROOM = 23, 9.2, 200.0  # of a row; of a letter at the size of a telephone; at most for names
COLOURS = {
    "different": "#c4511b",
    "equivalent": "#2f8a5b",
    "inconclusive": "#7a828c",
    "": "#2b7fb8",
}  # on light and on dark


class Row(NamedTuple):
    """One group: its value, its interval, and what may be said."""

    label: str
    value: float
    low: float | None
    high: float | None
    verdict: str = ""


def forest(rows: Sequence[Row], *, title: str, axis: str, centre: float = 0.0, margin: float | None = None) -> str:
    """Rows on one axis around a centre line; `margin` draws the band in which differences do not matter."""
    tall = HEAD + ROW * len(rows) + AXIS
    scale = _scale(rows, centre, margin)
    parts = [opening(tall, title), *_band(scale, tall, centre, margin), *grid(scale, tall, axis, False)]
    x = scale(centre)
    parts.append(f'<line class="f-zero" x1="{x:.1f}" x2="{x:.1f}" y1="{HEAD - 6}" y2="{tall - AXIS + 4}"/>')
    for place, row in enumerate(rows):
        parts.append(_row(row, scale, HEAD + place * ROW))
    return "".join([*parts, "</svg>"])


def key(verdicts: Sequence[str]) -> str:
    """What the shapes mean."""
    items = (
        f'<li><svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">{shape(8, 8, each)}</svg> {escape(each)}</li>'
        for each in verdicts
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def shape(x: float, y: float, verdict: str) -> str:
    """Different: a full diamond; equivalent: a full square; inconclusive: an empty circle."""
    colour = COLOURS.get(verdict, COLOURS[""])
    if verdict == "different":
        return f'<path d="M{x:.1f} {y - 6:.1f}l6 6l-6 6l-6 -6z" fill="{colour}"/>'
    if verdict == "equivalent":
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" fill="{colour}"/>'
    fill = "none" if verdict == "inconclusive" else colour
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.2" fill="{fill}" stroke="{colour}" stroke-width="2"/>'


def _row(row: Row, scale: Scale, y: float) -> str:
    told = f"{row.label}: {short(row.value)}"
    line, middle, colour = "", y + ROW / 2, COLOURS.get(row.verdict, COLOURS[""])
    if row.low is not None and row.high is not None:
        told += f" [{short(row.low)}, {short(row.high)}]"
        line = (
            f'<line x1="{scale(row.low):.1f}" x2="{scale(row.high):.1f}" y1="{middle:.1f}" y2="{middle:.1f}" '
            f'stroke="{colour}" stroke-width="2"/>'
        )
    told += f", {row.verdict}" if row.verdict else ""
    mark = shape(scale(row.value), middle, row.verdict)
    return (
        f'<text class="f-row" x="0" y="{middle + 4.5:.1f}">{escape(row.label)}</text>'
        f'<g class="dot" data-tip="{escape(told, quote=True)}"><title>{escape(told)}</title>{line}{mark}</g>'
    )


def _band(scale: Scale, tall: float, centre: float, margin: float | None) -> list[str]:
    if margin is None:
        return []
    left, right = scale(centre - margin), scale(centre + margin)
    return [
        f'<rect class="f-band" x="{left:.1f}" y="{HEAD - 6}" width="{right - left:.1f}" height="{tall - HEAD - AXIS + 10}" '
        f'fill="#1f7a4d" opacity=".1"/>'
    ]


def _scale(rows: Sequence[Row], centre: float, margin: float | None) -> Scale:
    ends = [end for row in rows for end in (row.value, row.low, row.high) if end is not None]
    ends += [centre - (margin or 0.0), centre + (margin or 0.0)]
    low, high = min(ends), max(ends)
    rim = (high - low) * 0.04 or max(abs(high) * 0.05, 0.5)
    names = max((len(row.label) for row in rows), default=0) * LETTER
    return Scale(low - rim, high + rim, left=LEFT + min(names, ROOM))
