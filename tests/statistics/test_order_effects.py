"""An effect of the item's place is found where there is one, and only there."""

from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm

from empathic.statistics.observations import Observation
from empathic.statistics.order_effects import order_effect


def drawn(slope: float, seed: int = 1) -> list[Observation]:
    rng = np.random.default_rng(seed)
    given = []
    for target in range(20):
        for repeat in range(4):
            for place, item in enumerate(rng.permutation(6)):
                value = float(4 + item / 3 + target / 10 + slope * place + 0.3 * rng.normal())
                given.append(Observation(f"judge:p/m#{repeat}", f"t{target}", f"i{item}", value, place=place))
    return given


def test_a_slope_per_place_is_recovered() -> None:
    found = order_effect(drawn(0.2))
    assert found.value == pytest.approx(0.2, abs=0.02) and found.p < 0.001
    assert order_effect(drawn(0.0, seed=4)).p > 0.01


def test_the_slope_and_its_error_agree_with_statsmodels_on_demeaned_values() -> None:
    given = drawn(0.1)
    cells = [(each.target, each.measure) for each in given]
    y, x = (np.array([getattr(each, field) for each in given], float) for field in ("value", "place"))
    for array in (x, y):
        for cell in set(cells):
            here = [place for place, other in enumerate(cells) if other == cell]
            array[here] -= array[here].mean()
    kept = np.abs(x) > 1e-12
    groups = np.array([each.target for each in given])[kept]
    fit = sm.OLS(y[kept], x[kept]).fit(
        cov_type="cluster", cov_kwds={"groups": np.unique(groups, return_inverse=True)[1]}
    )
    found = order_effect(given)
    assert found.value == pytest.approx(float(fit.params[0]))
    assert found.details["se"] == pytest.approx(float(fit.bse[0]))


def test_without_different_places_there_is_nothing_to_compare() -> None:
    fixed = [Observation("judge:p/m#0", f"t{t}", f"i{i}", 3.0, place=i) for t in range(3) for i in range(3)]
    assert "permuted repeats" in order_effect(fixed).missing
    assert "permuted repeats" in order_effect([]).missing
    constant = [Observation(f"judge:p/m#{r}", f"t{t}", "i", 3.0, place=r) for t in range(3) for r in range(2)]
    assert order_effect(constant).missing == "the same item always got the same value"


def test_an_effect_of_swapped_names_is_found_within_targets_and_items() -> None:
    rng = np.random.default_rng(3)
    given = [
        Observation(f"judge:p/m#{repeat}", f"t{target}", "i", target / 9 + swap / 2 + rng.normal() / 5, swapped=swap)
        for target in range(30)
        for repeat, swap in enumerate((0, 1, 0, 1))
    ]
    found = order_effect(given, by="swapped")
    assert found.name == "effect of swapped names" and found.value == pytest.approx(0.5, abs=0.1) and found.p < 0.001
    assert "in both ways" in order_effect(given).missing
