"""The forecast: the rate of the last hours, honest when there is none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from scipy import stats

from empathic.studies.desk.forecast import HOURS, finish_times, forecast, poisson_limits
from empathic.studies.store import Store

NOW = 1_700_000_000.0


def test_ten_an_hour_fill_thirty_places_in_three_hours() -> None:
    times = [NOW - 6 * 60 * number for number in range(1, 100)]
    found = forecast(times, left=30, now=NOW)
    assert found.per_hour == pytest.approx(10, rel=0.02)
    assert found.at == pytest.approx(NOW + 3 * 3600, rel=1e-6)
    assert found.early is not None
    assert found.late is not None
    assert found.early < found.at < found.late
    assert (found.finished, found.hours) == (59, HOURS)


def test_a_young_study_is_measured_from_its_first_finisher() -> None:
    times = [NOW - 3600 + 600 * number for number in range(7)]
    found = forecast(times, left=6, now=NOW)
    assert found.hours == pytest.approx(1.0)
    assert found.per_hour == pytest.approx(6.0)
    assert found.at == pytest.approx(NOW + 3600)


@pytest.mark.parametrize(
    ("times", "left", "status", "why"),
    [
        ([], 10, "open", "can’t tell yet: 0 finished"),
        ([NOW - 3600] * 4, 10, "open", "can’t tell yet: 4 finished"),
        ([NOW - 60] * 40, 10, "open", "can’t tell yet: 40 finished"),
        ([NOW - 7 * 3600] * 40, 10, "open", "can’t tell yet: 0 finished"),
        ([NOW - 3600] * 40, 10, "paused", "the study is paused"),
        ([NOW - 3600] * 40, 0, "open", "all places are filled"),
    ],
)
def test_what_cannot_be_told_is_said(times: list[float], left: int, status: str, why: str) -> None:
    found = forecast(times, left=left, now=NOW, status=status)
    assert found.at is None
    assert found.missing is not None
    assert why in found.missing


@pytest.mark.parametrize("count", [4, 5, 10, 50, 400])
def test_the_limits_are_those_of_the_poisson_distribution(count: int) -> None:
    low, high = poisson_limits(count)
    assert low == pytest.approx(stats.chi2.ppf(0.025, 2 * count) / 2, rel=0.02)
    assert high == pytest.approx(stats.chi2.ppf(0.975, 2 * count + 2) / 2, rel=0.01)


def test_the_times_are_those_of_people_who_hold_a_finished_place(
    published: Store, complete: Callable[..., str], begin: Callable[..., str], clock: Callable[[], float]
) -> None:
    for name in ("a", "b", "c"):
        clock.now += 60  # type: ignore[attr-defined]
        complete(published, name)
    begin(published, "d")
    complete(published, "preview", mode="preview")
    with published.read() as connection:
        found = finish_times(connection, "live")
    start = 1_700_000_000.0
    assert sorted(time for own in found.values() for time in own) == [start + 60, start + 120, start + 180]
