"""Item analysis against pingouin, numpy and hand calculation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pingouin
import pytest

from empathic.statistics.items import item_analysis, item_rest
from empathic.statistics.observations import Observation, sheets

POINTS = {name: tuple(float(point) for point in range(1, 8)) for name in ("a", "b", "c", "d")}


@pytest.fixture(scope="module")
def given() -> list[Observation]:
    rng = np.random.default_rng(3)
    common = rng.normal(size=60)
    observations = []
    for sheet in range(60):
        for item in POINTS:
            value = float(np.clip(np.round(4 + 1.5 * common[sheet] + rng.normal()), 1, 7))
            observations.append(Observation(f"r{sheet % 3}", f"t{sheet // 3}", item, value))
    return observations


def test_item_rest_and_alpha_without_the_item_agree_with_numpy_and_pingouin(given: list[Observation]) -> None:
    complete = sheets(given, list(POINTS))
    found = item_analysis(given, complete, POINTS, replicates=200)
    frame = pd.DataFrame(complete.values, columns=list(POINTS))
    for analysis in found:
        rest = frame.drop(columns=analysis.item)
        expected = np.corrcoef(frame[analysis.item], rest.sum(axis=1))[0, 1]
        assert analysis.item_rest.value == pytest.approx(expected)
        assert analysis.alpha_without.value == pytest.approx(pingouin.cronbach_alpha(rest)[0])
        assert analysis.mean == pytest.approx(frame[analysis.item].mean())
        assert analysis.sd == pytest.approx(frame[analysis.item].std())


def test_the_distribution_counts_every_point_and_what_is_missing(given: list[Observation]) -> None:
    with_gap = [*given, Observation("r9", "t0", "a", None)]
    first = item_analysis(with_gap, sheets(with_gap, list(POINTS)), POINTS, replicates=10)[0]
    values = [each.value for each in given if each.measure == "a"]
    assert first.counts == {f"{point}": values.count(point) for point in range(1, 8)}
    assert (first.n, first.missing) == (60, 1)
    assert first.lowest == pytest.approx(values.count(1.0) / 60)
    assert first.highest == pytest.approx(values.count(7.0) / 60)


def test_the_interval_is_wider_when_sheets_of_a_target_repeat_each_other() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=40)
    y = (x + rng.normal(size=40))[:, None]
    repeated, rest = np.repeat(x, 3), np.repeat(y, 3, axis=0)
    alone = item_rest(repeated, rest, [str(place) for place in range(120)], replicates=500)
    together = item_rest(repeated, rest, [str(place // 3) for place in range(120)], replicates=500)
    assert together.value == pytest.approx(alone.value)
    assert together.high - together.low > 1.4 * (alone.high - alone.low)  # √3 expected


def test_an_item_that_does_not_vary_has_no_correlation_and_says_so() -> None:
    targets = ["t"] * 5
    assert item_rest(np.ones(5), np.arange(5.0)[:, None], targets).missing == "the item does not vary"
    assert item_rest(np.arange(5.0), np.ones((5, 2)), targets).missing == "the other items do not vary"
    assert item_rest(np.ones(2), np.ones((2, 0)), targets[:2]).missing == "2 complete sheets with 0 other items"
    assert item_rest(np.arange(5.0), np.arange(5.0)[:, None], targets).low is None


def test_an_item_nobody_answered_has_no_mean() -> None:
    none = [Observation("r", "t", item, None) for item in POINTS]
    first = item_analysis(none, sheets(none, list(POINTS)), POINTS)[0]
    assert (first.n, first.missing, first.mean, first.sd, first.lowest) == (0, 1, None, None, None)
