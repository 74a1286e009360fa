from __future__ import annotations

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats

from empathic.statistics.effects import t_estimate
from empathic.statistics.slopes import fieller, slopes


@pytest.fixture
def raters() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(3)
    groups, trait = np.repeat(["a", "b", "c"], [30, 40, 25]), random.normal(45, 9, 95)
    slope = np.select([groups == "a", groups == "b"], [0.002, 0.02], 0.05)
    return 2 + slope * trait + random.normal(size=95) * trait / 60, trait, groups


def test_ols_slopes_are_those_of_scipy(raters) -> None:
    y, x, g = raters
    for name, found in zip("abc", slopes(y, x, g, errors="ols").slopes, strict=True):
        oracle = stats.linregress(x[g == name], y[g == name])
        assert (found.value, found.details["se"], found.p) == pytest.approx(
            (oracle.slope, oracle.stderr, oracle.pvalue)
        )
        assert found.details["r_squared"] == pytest.approx(oracle.rvalue**2)
        assert found.labels == {"system": name}


def test_hc3_slopes_are_those_of_statsmodels(raters) -> None:
    y, x, g = raters
    for name, found in zip("abc", slopes(y, x, g).slopes, strict=True):
        oracle = sm.OLS(y[g == name], sm.add_constant(x[g == name])).fit(cov_type="HC3", use_t=True)
        assert (found.value, found.details["se"], found.p) == pytest.approx(
            (oracle.params[1], oracle.bse[1], oracle.pvalues[1])
        )


@pytest.mark.parametrize("errors", ["hc3", "ols"])
def test_equality_is_the_interaction_of_the_joint_model(raters, errors) -> None:
    y, x, g = raters
    cells = np.column_stack([g == name for name in "abc"]).astype(float)
    model = sm.OLS(y, np.hstack([cells, cells * x[:, None]]))
    fit = model.fit(cov_type="HC3", use_t=True) if errors == "hc3" else model.fit()
    oracle = fit.f_test(np.array([[0, 0, 0, -1, 1, 0], [0, 0, 0, -1, 0, 1]]))
    found = slopes(y, x, g, errors=errors).equality
    assert (found.statistic, found.p) == pytest.approx((float(oracle.fvalue), float(oracle.pvalue)))
    assert found.df == (2, 89)


def test_differences_use_both_errors(raters) -> None:
    y, x, g = raters
    found = slopes(y, x, g, errors="ols")
    gap, (a, b, _) = found.differences[0], found.slopes
    assert gap.statistic == pytest.approx((b.value - a.value) / np.hypot(a.details["se"], b.details["se"]))
    assert gap.df == (66,)
    assert slopes(y, x, g).differences[0].df == (89,)
    assert gap.labels == {"system": "b", "baseline": "a"}


def test_a_fieller_set_is_where_the_contrast_is_not_rejected(raters) -> None:
    y, x, g = raters
    _, second, third = slopes(y, x + 3, g, errors="ols").slopes
    found = fieller(third, second)
    if found.value is None:
        pytest.fail(found.missing)
    t = stats.t.ppf(0.975, found.df[0])
    for bound in (found.low, found.high):
        gap = third.value - bound * second.value
        error = np.sqrt(third.details["se"] ** 2 + bound**2 * second.details["se"] ** 2)
        assert abs(gap) / error == pytest.approx(t)


def test_a_denominator_near_zero_has_no_ratio_but_a_set() -> None:
    """The "approximately 5 times" of Welivita & Pu (2024): the set is (-inf, -5.48] and [1.75, +inf), g = 4.13."""
    human = t_estimate("slope", 0.0022351727800917834, 0.002311046776121069, 198, method="ols", n=200)
    empathic = t_estimate("slope", 0.013048868093654836, 0.0023083609949256325, 198, method="ols", n=200)
    found = fieller(empathic, human)
    assert found.value is None
    assert "not told from zero" in found.missing
    assert found.details["g"] == pytest.approx(4.13190375445685)
    assert (found.details["below"], found.details["above"]) == pytest.approx((-5.48, 1.75), abs=5e-3)


def test_two_slopes_near_zero_have_the_whole_line_as_their_set() -> None:
    nothing = t_estimate("slope", 0.001, 0.01, 50, method="ols", n=52)
    assert fieller(nothing, nothing).details["set"] == "(-inf, +inf)"


@pytest.mark.parametrize(
    ("y", "x", "g", "word"),
    [
        ([1, 2], [1, 2], ["a", "b"], "at least 3"),
        ([1, 2, 3, None], [1, 2, 3, 4], ["a"] * 4, "not numbers"),
        ([1, 2, 3, 4], [1, 2, 3], ["a"] * 4, "lengths"),
        ([1, 2, 3, 4], [2, 2, 2, 2], ["a"] * 4, "does not vary"),
        ([1, 2, 3, 4], [1, 2, 3, 4], ["a"] * 4, "around the line"),
        ([1, 2, 1, 4], [1, 1, 1, 2], ["a"] * 4, "leverage"),
    ],
)
def test_degenerate_input_is_missing_with_a_reason(y, x, g, word) -> None:
    found = slopes(y, x, g)
    assert found.slopes[0].value is None
    assert word in found.slopes[0].missing
    assert found.equality.value is None


def test_a_ratio_of_missing_slopes_is_missing() -> None:
    found = slopes([1, 2, 3, 4, 5, 7], [2, 2, 2, 1, 3, 4], ["a"] * 3 + ["b"] * 3, errors="ols")
    assert fieller(*found.slopes).missing == "the trait does not vary in this group"
    assert found.differences[0].value is None
