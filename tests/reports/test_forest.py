from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree

from empathic.reports.forest import Row, forest, key, shape

ROWS = [Row("age=70", -0.2, -0.3, -0.1, "different"), Row("age=<50>", 0.01, -0.02, 0.04, "equivalent"),
        Row("age=30", 0.1, None, None, "inconclusive")]  # fmt: skip


def test_a_forest_is_well_formed_with_a_row_for_every_group() -> None:
    svg = forest(ROWS, title="Groups", axis="difference", margin=0.1)
    root = ElementTree.fromstring(svg)
    assert root.attrib["role"] == "img"
    tips = re.findall(r'data-tip="([^"]*)"', svg)
    assert tips[0] == "age=70: -0.2 [-0.3, -0.1], different"
    assert tips[1].startswith("age=&lt;50&gt;: 0.01")
    assert tips[2] == "age=30: 0.1, inconclusive"


def test_the_margin_is_a_band_around_the_centre() -> None:
    svg = forest(ROWS, title="x", axis="y", margin=0.1)
    assert 'class="f-band"' in svg
    assert 'class="f-band"' not in forest(ROWS, title="x", axis="y")
    left, width = map(float, re.search(r'f-band" x="([\d.]+)" y="\d+" width="([\d.]+)"', svg).groups())
    centre = float(re.search(r'f-zero" x1="([\d.]+)"', svg).group(1))
    assert abs(left + width / 2 - centre) < 0.2


def test_verdicts_have_shapes_of_their_own() -> None:
    shapes = {
        re.sub(r"[\d.#-]|[a-f]{6}", "", shape(0, 0, verdict)) for verdict in ("different", "equivalent", "inconclusive")
    }
    assert len(shapes) == 3
    assert 'fill="none"' in shape(0, 0, "inconclusive")


def test_the_key_names_every_verdict() -> None:
    assert "different" in key(["different", "<b>"])
    assert "&lt;b&gt;" in key(["different", "<b>"])


def test_one_row_without_spread_still_has_a_scale() -> None:
    assert "<svg" in forest([Row("x", 0.0, 0.0, 0.0)], title="x", axis="y")


def test_names_stand_beside_their_row_and_outside_the_axis() -> None:
    svg = forest(ROWS, title="x", axis="y", margin=0.1)
    name = float(re.search(r'f-row" x="0" y="([\d.]+)">age=70', svg).group(1))
    line = re.search(r'x1="([\d.]+)" x2="[\d.]+" y1="([\d.]+)" y2="[\d.]+" stroke="#c4511b"', svg)
    left, middle = map(float, line.groups())
    assert abs(name - middle) < 6
    assert left > len("age=<50>") * 8
