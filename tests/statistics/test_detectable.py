from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from empathic.errors import SettingError
from empathic.statistics.detectable import Size, power, share_sd
from empathic.statistics.groups import layout, observations
from empathic.statistics.maxt import maxt

SIZE = Size(templates=20, levels=(3, 3), repeats=9, orders=5, sd=share_sd(0.8), measures=6)


def test_the_number_of_asks_is_the_product() -> None:
    assert SIZE.asks == 20 * 9 * 9 * 5


def test_the_variance_of_a_mean_falls_with_orders_only_as_far_as_they_differ() -> None:
    """σ²(ρ + (1−ρ)/m)/n by hand."""
    alike = Size(templates=2, levels=(2, 2), repeats=2, orders=5, sd=0.4, icc=1.0)
    apart = Size(templates=2, levels=(2, 2), repeats=2, orders=5, sd=0.4, icc=0.0)
    assert alike.variance == pytest.approx(0.08)
    assert apart.variance == pytest.approx(0.016)


def test_the_smallest_difference_has_the_power_wanted() -> None:
    found = power(SIZE, 0.08, seed=1, runs=1000)
    again = power(SIZE, found.smallest.value or 0.0, seed=1, runs=1000)
    assert again.at.value == pytest.approx(0.8, abs=0.01)
    assert found.at.low <= found.at.value <= found.at.high


def test_more_templates_repeats_or_orders_find_less_and_more_measures_do_not() -> None:
    def smallest(**changes: object) -> float:
        size = Size(**{**{"templates": 20, "levels": (3, 3), "repeats": 4, "orders": 5}, **changes})  # type: ignore[arg-type]
        return power(size, 0.1, seed=1, runs=1000).smallest.value or 0.0

    assert smallest(templates=40) < smallest()
    assert smallest(repeats=16) == pytest.approx(smallest() / 2, rel=0.05)
    assert smallest(orders=10) < smallest()
    assert smallest(measures=10) > smallest()
    assert smallest(template_sd=0.2) > smallest()


def test_repeats_cannot_replace_templates_when_differences_vary_between_them() -> None:
    few = Size(templates=4, levels=(3, 3), repeats=50, template_sd=0.2)
    many = Size(templates=20, levels=(3, 3), repeats=10, template_sd=0.2)
    assert few.asks == many.asks
    assert power(few, 0.1, seed=1, runs=500).smallest.value > 1.8 * power(many, 0.1, seed=1, runs=500).smallest.value


def test_the_critical_value_lies_between_one_test_and_all_of_them_independent() -> None:
    critical = power(Size(templates=200, levels=(3, 3)), 0.1, seed=1, runs=4000).at.details["critical"]
    assert stats.norm.isf(0.025) < critical < stats.norm.isf(0.025 / 36) * 1.05


def test_the_promised_power_is_what_the_analysis_has() -> None:
    """60 data sets of single answers through maxT, against the power computed from the table of means."""
    size = Size(templates=8, levels=(3, 3), repeats=4, sd=1.0)
    effect = 0.75
    promised = power(size, effect, seed=1, runs=2000).at.value
    random, found = np.random.default_rng(1), 0
    a, b = np.tile(np.repeat(list("abc"), 12), 8), np.tile(np.tile(np.repeat(list("xyz"), 4), 3), 8)
    names = np.repeat([f"t{k}" for k in range(8)], 36)
    for seed in range(60):
        values = random.normal(size=288) + effect * ((a == "a") & (b == "x"))
        made = layout(
            observations(values, names, {"a": a, "b": b}, references={"a": "a", "b": "x"}, crossed=("a", "b"))
        )
        cell = next(
            k for k, each in enumerate(made.contrasts) if each.kind == "deviation" and each.group.levels == ("a", "x")
        )
        found += maxt(made, values, draws=199, seed=seed).p[cell] <= 0.05
    assert found / 60 == pytest.approx(promised, abs=0.2)


@pytest.mark.parametrize(
    ("changes", "word"),
    [({"templates": 1}, "templates must be at least 2"), ({"levels": (3, 1)}, "levels"), ({"repeats": 0}, "repeats"),
     ({"icc": 1.5}, "icc"), ({"sd": 0.0}, "sd"), ({"alpha": 0.0}, "alpha"), ({"measures": 0}, "measures")],
)  # fmt: skip
def test_sizes_that_cannot_be_are_refused(changes: dict[str, object], word: str) -> None:
    given = {"templates": 20, "levels": (3, 3), **changes}
    with pytest.raises(SettingError, match=word):
        power(Size(**given), 0.1, seed=1)  # type: ignore[arg-type]


def test_a_share_lies_between_0_and_1() -> None:
    assert share_sd(0.8) == pytest.approx(0.4)
    with pytest.raises(SettingError, match="--accuracy 0.8"):
        share_sd(1.0)
