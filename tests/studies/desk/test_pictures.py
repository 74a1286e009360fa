"""Pictures: what is drawn is what is counted."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from empathic.studies.desk.forecast import Forecast, forecast
from empathic.studies.desk.pictures import BAR, bar, curve, moment

NOW = 1_700_000_000.0


def numbers(text: str, name: str, attribute: str) -> list[float]:
    return [float(found) for found in re.findall(rf'class="{name}"[^>]*? {attribute}="([\d.]+)"', text)]


def test_a_bar_is_filled_as_far_as_the_cell_is() -> None:
    drawn = bar(5, 2, 10)
    assert numbers(drawn, "done", "width") == [BAR / 2]
    stripes = numbers(drawn, "live", "x")
    assert min(stripes) > BAR / 2
    assert max(stripes) < BAR * 0.7
    assert 'aria-label="5 finished, 2 live, of 10"' in drawn
    assert ElementTree.fromstring(drawn).tag == "svg"


def test_one_who_is_live_is_seen_however_large_the_target_and_more_than_the_target_fits() -> None:
    assert len(numbers(bar(0, 1, 1000), "live", "x")) == 1
    assert numbers(bar(3, 0, 2), "done", "width") == [BAR]
    assert numbers(bar(0, 0, 0), "done", "width") == [0.0]


def test_the_curve_climbs_once_per_finisher_and_leads_to_the_target() -> None:
    times = [NOW - 3600 + 600 * number for number in range(7)]
    ahead = forecast(times, left=6, now=NOW)
    drawn = curve(times, target=13, now=NOW, ahead=ahead)
    assert drawn is not None
    path = re.search(r'class="done" d="([^"]+)"', drawn)
    assert path is not None
    assert path[1].count("V") == 7
    dashed = re.search(r'class="ahead" d="M([\d.]+) ([\d.]+)L([\d.]+) ([\d.]+)"', drawn)
    target = re.search(r'class="target"[^>]* y1="([\d.]+)"', drawn)
    assert dashed is not None
    assert target is not None
    assert dashed[4] == target[1]
    assert "7 of 13 have finished" in drawn
    assert ElementTree.fromstring(drawn).tag == "svg"


def test_many_finishers_are_drawn_in_fewer_steps_and_nobody_is_no_picture() -> None:
    drawn = curve([NOW - number for number in range(5000)], target=5000, now=NOW, ahead=Forecast())
    assert drawn is not None
    assert len(drawn) < 10_000
    assert curve([], target=10, now=NOW, ahead=Forecast()) is None


def test_a_moment_is_told_in_utc() -> None:
    assert moment(0.0) == "01 Jan 00:00"
