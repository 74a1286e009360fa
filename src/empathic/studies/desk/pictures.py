"""Progress becomes small pictures: a bar per cell, and the curve of those who finished. Own SVG, no script, no style.

Colour is never the only cue: finished is solid, live is striped, free is empty; the numbers stand beside.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markupsafe import Markup

from empathic.studies.desk.forecast import Forecast

BAR, STRIPE = 120.0, 4.0
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 640, 180, 40, 24, 12
MOST_STEPS = 300


class Frame(NamedTuple):
    """Times and counts to places on the curve."""

    start: float
    end: float
    top: int

    def x(self, time: float) -> float:
        return LEFT + (time - self.start) / max(self.end - self.start, 1.0) * (WIDTH - LEFT - 6)

    def y(self, count: float) -> float:
        return HEIGHT - BOTTOM - count / self.top * (HEIGHT - BOTTOM - TOP)


def bar(finished: int, live: int, target: int) -> Markup:
    """One cell: how much of its target is finished and held."""
    whole = max(target, finished + live, 1)
    done, held = BAR * finished / whole, BAR * live / whole
    told = f"{finished} finished, {live} live, of {target}"
    stripe = Markup('<rect class="live" x="{:.1f}" y="1" width="2" height="10"/>')
    stripes = max(int(held // STRIPE), min(live, 1))
    return Markup("").join(
        [
            Markup('<svg class="bar" viewBox="0 0 120 12" role="img" aria-label="{}">').format(told),
            Markup('<rect class="free" x="0.5" y="0.5" width="119" height="11"/>'),
            Markup('<rect class="done" x="0" y="0" width="{:.1f}" height="12"/>').format(done),
            *(stripe.format(done + STRIPE * number + 1) for number in range(stripes)),
            Markup("</svg>"),
        ]
    )


def curve(times: Sequence[float], *, target: int, now: float, ahead: Forecast) -> Markup | None:
    """How many had finished at each time, the target, and where it leads; None before anybody finished."""
    if not times:
        return None
    first = min(times)
    # A finish far away would press what has happened into a corner.
    frame = Frame(first, max(now, min(ahead.at or now, now + 2 * (now - first))), max(target, len(times), 1))
    told = f"{len(times)} of {target} have finished since {moment(first)} UTC"
    return Markup("").join(
        [
            Markup('<svg class="curve" viewBox="0 0 {} {}" role="img" aria-label="{}">').format(WIDTH, HEIGHT, told),
            _level("target", frame, target),
            _level("axis", frame, 0),
            Markup('<path class="done" d="{}"/>').format("".join(_stairs(frame, sorted(times), now))),
            _ahead(frame, len(times), target, now, ahead),
            *(_label(LEFT - 6, frame.y(count) + 4, "end", str(count)) for count in (0, target)),
            _label(LEFT, HEIGHT - 6, "start", moment(frame.start)),
            _label(WIDTH - 6, HEIGHT - 6, "end", moment(frame.end)),
            Markup("</svg>"),
        ]
    )


def _stairs(frame: Frame, times: Sequence[float], now: float) -> Iterator[str]:
    """One step up per person, or per several people where there are many."""
    yield f"M{frame.x(frame.start):.1f} {frame.y(0):.1f}"
    each = len(times) // MOST_STEPS + 1
    for count, time in enumerate(times, 1):
        if count % each == 0 or count == len(times):
            yield f"H{frame.x(time):.1f}V{frame.y(count):.1f}"
    yield f"H{frame.x(now):.1f}"


def _ahead(frame: Frame, count: int, target: int, now: float, ahead: Forecast) -> Markup:
    if ahead.at is None:
        return Markup("")
    share = min(1.0, (frame.end - now) / max(ahead.at - now, 1.0))
    ends = (frame.x(now), frame.y(count), frame.x(frame.end), frame.y(count + (target - count) * share))
    return Markup('<path class="ahead" d="M{:.1f} {:.1f}L{:.1f} {:.1f}"/>').format(*ends)


def _level(name: str, frame: Frame, count: int) -> Markup:
    line = Markup('<line class="{0}" x1="{1}" x2="{2}" y1="{3:.1f}" y2="{3:.1f}"/>')
    return line.format(name, LEFT, WIDTH - 6, frame.y(count))


def _label(x: float, y: float, anchor: str, text: str) -> Markup:
    return Markup('<text x="{:.1f}" y="{:.1f}" text-anchor="{}">{}</text>').format(x, y, anchor, text)


def moment(time: float) -> str:
    """Day and time, UTC."""
    return datetime.datetime.fromtimestamp(time, datetime.UTC).strftime("%d %b %H:%M")


def interval(value: float, low: float | None, high: float | None) -> Markup:
    """A reliability with its interval between 0 and 1, Krippendorff's bounds .667 and .8 marked."""

    def x(number: float) -> float:
        return 4 + 112 * min(max(number, 0.0), 1.0)

    told = f"{value:.2f}" if low is None or high is None else f"{value:.2f}, interval {low:.2f} to {high:.2f}"
    span = Markup('<line class="span" x1="{:.1f}" x2="{:.1f}" y1="8" y2="8"/>')
    return Markup("").join(
        [
            Markup('<svg class="scale" viewBox="0 0 120 16" role="img" aria-label="{}">').format(told),
            Markup('<line class="axis" x1="4" x2="116" y1="8" y2="8"/>'),
            *(
                Markup('<line class="bound" x1="{0:.1f}" x2="{0:.1f}" y1="1" y2="15"/>').format(x(bound))
                for bound in (0.667, 0.8)
            ),
            Markup("") if low is None or high is None else span.format(x(low), x(high)),
            Markup('<circle class="dot" cx="{:.1f}" cy="8" r="4"/></svg>').format(x(value)),
        ]
    )
