from __future__ import annotations

import re
from xml.etree import ElementTree

from empathic.reports.figures import COLOURS, Dot, Scale, dots, legend, mark

FOUND = [
    Dot("warmth", "a", 1.0, 0.5, 1.5),
    Dot("warmth", "b <x>", 2.0, None, None),
    Dot("length", "a", -1.0, -2.0, 0.0),
]


def test_a_figure_is_one_valid_svg_that_says_every_value() -> None:
    svg = dots(FOUND, ["a", "b <x>"], title="A & B", axis="mean", zero=True)
    root = ElementTree.fromstring(svg)
    titles = [each.text for each in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles == ["A & B", "a: 1 [0.5, 1.5]", "b <x>: 2", "a: -1 [-2, 0]"]
    assert 'class="f-zero"' in svg
    assert root.get("aria-label") == "A & B"


def test_the_place_of_a_dot_is_its_value_on_the_axis() -> None:
    svg = dots(FOUND, ["a", "b <x>"], title="t", axis="x")
    circles = [float(x) for x in re.findall(r'<circle cx="([\d.]+)"', svg)]
    scale = Scale(-2 - 4 * 0.04, 2 + 4 * 0.04)
    assert circles == [round(scale(1.0), 1), round(scale(-1.0), 1)]


def test_ticks_are_few_and_round() -> None:
    assert Scale(0.0, 1.0).ticks() == [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
    assert all(3 <= len(Scale(0.0, high).ticks()) <= 8 for high in (0.013, 0.7, 3.0, 44.0, 5000.0))


def test_equal_values_still_make_a_figure() -> None:
    assert dots([Dot("r", "a", 0.0, 0.0, 0.0)], ["a"], title="t", axis="x").count("<circle") == 1


def test_every_system_has_its_own_colour_and_neighbours_their_own_shape() -> None:
    shapes = [re.sub(r'fill="[^"]*"', "", mark(8, 8, place)) for place in range(5)]
    assert len(set(shapes)) == 5
    assert len(set(COLOURS)) == len(COLOURS)
    assert legend(["a", "<b>"]).count("<li>") == 2
    assert "&lt;b&gt;" in legend(["<b>"])
