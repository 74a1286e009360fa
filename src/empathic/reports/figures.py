"""Numbers with intervals become figures: one SVG each, the same for the page and for a paper.

Colour is never the only cue: each system has a colour (Okabe & Ito) and a shape.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

COLOURS = ("#0072b2", "#b85c00", "#007a5a", "#7b3fa0", "#b0487f", "#8a7400", "#5f6368", "#c0392b", "#2b6f77", "#444488")
WIDTH, LEFT, RIGHT, ROW, HEAD, AXIS = 480, 14, 14, 14, 26, 34
LABEL = 17  # a row's name stands above its dots, so that the figure is readable on a telephone
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif"
STYLE = (
    f"text{{font:12px {FONT};fill:currentColor}}.f-small{{font-size:11px}}.f-quiet{{opacity:.8}}.f-row{{font-size:13px}}"
    ".f-grid{stroke:currentColor;opacity:.14}.f-zero{stroke:currentColor;opacity:.6;stroke-dasharray:3 3}"
)


class Dot(NamedTuple):
    """One value with its interval, of one system, in one row."""

    row: str
    system: str
    value: float
    low: float | None
    high: float | None


class Scale(NamedTuple):
    """Numbers to places on the page."""

    low: float
    high: float
    left: float = LEFT  # where the axis begins: what stands before it is room for names

    def __call__(self, value: float) -> float:
        return self.left + (value - self.low) / (self.high - self.low) * (WIDTH - self.left - RIGHT)

    def ticks(self) -> list[float]:
        """About five round numbers."""
        step = 10.0 ** math.floor(math.log10((self.high - self.low) / 4))
        step = next(step * k for k in (1, 2, 5, 10) if (self.high - self.low) / (step * k) <= 6)
        first = math.ceil(self.low / step)
        return [step * k for k in range(first, math.floor(self.high / step) + 1)]


def dots(found: Sequence[Dot], systems: Sequence[str], *, title: str, axis: str, zero: bool = False) -> str:
    """Rows of dots with intervals on one axis; `zero` draws the line nothing differs at."""
    rows = list(dict.fromkeys(dot.row for dot in found))
    tall = HEAD + sum(_row_height(found, row) for row in rows) + AXIS
    scale = _scale(found, zero)
    parts = [opening(tall, title), *grid(scale, tall, axis, zero)]
    y = float(HEAD)
    for row in rows:
        members = [dot for dot in found if dot.row == row]
        parts.append(f'<text x="0" y="{y + 12:.1f}">{escape(row)}</text>')
        for place, dot in enumerate(members):
            parts.append(_dot(dot, scale, y + LABEL + 9 + place * ROW, systems.index(dot.system)))
        y += _row_height(found, row)
        parts.append(f'<line class="f-grid" x1="0" x2="{WIDTH}" y1="{y - 5:.1f}" y2="{y - 5:.1f}"/>')
    return "".join([*parts, "</svg>"])


def legend(systems: Sequence[str]) -> str:
    """The colour and shape of each system."""
    items = (
        f'<li><svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">{mark(8, 8, place)}</svg> '
        f"{escape(system)}</li>"
        for place, system in enumerate(systems)
    )
    return f'<ul class="legend">{"".join(items)}</ul>'


def mark(x: float, y: float, place: int) -> str:
    """A system's shape in its colour."""
    fill = f'fill="{COLOURS[place % len(COLOURS)]}"'
    if place % 5 == 0:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" {fill}/>'
    if place % 5 == 1:
        return f'<path d="M{x:.1f} {y - 5.5:.1f}l5 9h-10z" {fill}/>'
    if place % 5 == 2:
        return f'<rect x="{x - 4:.1f}" y="{y - 4:.1f}" width="8" height="8" {fill}/>'
    if place % 5 == 3:
        return f'<path d="M{x:.1f} {y - 6:.1f}l5.5 6l-5.5 6l-5.5 -6z" {fill}/>'
    return f'<path d="M{x - 1.7:.1f} {y - 5:.1f}h3.4v3.3h3.3v3.4h-3.3v3.3h-3.4v-3.3h-3.3v-3.4h3.3z" {fill}/>'


def opening(tall: float, title: str) -> str:
    """The start of a figure."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {tall:.0f}" width="{WIDTH}" height="{tall:.0f}" '
        f'role="img" aria-label="{escape(title, quote=True)}"><title>{escape(title)}</title><style>{STYLE}</style>'
    )


def grid(scale: Scale, tall: float, axis: str, zero: bool) -> list[str]:
    """Ticks, their numbers and what they measure."""
    bottom = tall - AXIS + 4
    lines = []
    for tick in scale.ticks():
        x = scale(tick)
        lines.append(f'<line class="f-grid" x1="{x:.1f}" x2="{x:.1f}" y1="{HEAD - 6}" y2="{bottom:.1f}"/>')
        lines.append(
            f'<text class="f-small" x="{x:.1f}" y="{bottom + 13:.1f}" text-anchor="middle">{short(tick)}</text>'
        )
    if zero:
        lines.append(
            f'<line class="f-zero" x1="{scale(0):.1f}" x2="{scale(0):.1f}" y1="{HEAD - 6}" y2="{bottom:.1f}"/>'
        )
    middle = (scale.left + WIDTH - RIGHT) / 2
    label = f'<text class="f-small f-quiet" x="{middle:.0f}" y="12" text-anchor="middle">{escape(axis)}</text>'
    return [*lines, label]


def _dot(dot: Dot, scale: Scale, y: float, place: int) -> str:
    colour = COLOURS[place % len(COLOURS)]
    told = f"{dot.system}: {short(dot.value)}"
    line = ""
    if dot.low is not None and dot.high is not None:
        told += f" [{short(dot.low)}, {short(dot.high)}]"
        line = (
            f'<line x1="{scale(dot.low):.1f}" x2="{scale(dot.high):.1f}" y1="{y:.1f}" y2="{y:.1f}" '
            f'stroke="{colour}" stroke-width="2"/>'
        )
    shape = mark(scale(dot.value), y, place)
    return f'<g class="dot" data-tip="{escape(told, quote=True)}"><title>{escape(told)}</title>{line}{shape}</g>'


def _row_height(found: Sequence[Dot], row: str) -> int:
    return LABEL + ROW * sum(dot.row == row for dot in found) + 12


def _scale(found: Sequence[Dot], zero: bool) -> Scale:
    ends = [end for dot in found for end in (dot.value, dot.low, dot.high) if end is not None] + ([0.0] if zero else [])
    low, high = min(ends), max(ends)
    margin = (high - low) * 0.04 or max(abs(high) * 0.05, 0.5)
    return Scale(low - margin, high + margin)


def short(value: float) -> str:
    """Three digits."""
    return f"{value + 0.0:.3g}"
