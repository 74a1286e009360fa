from __future__ import annotations

import warnings

import numpy as np
import pytest

from empathic.statistics.factorial import factorial

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import pandas
    import statsmodels.formula.api as smf
    from statsmodels.stats.anova import anova_lm


def design(seed: int, size: int = 120) -> pandas.DataFrame:
    random = np.random.default_rng(seed)
    frame = pandas.DataFrame({"a": random.choice(list("xyz"), size), "b": random.choice(list("pq"), size)})
    frame["c"] = random.choice(list("mn"), size)
    frame["v"] = random.normal(size=size) + (frame.a == "x") + 0.7 * (frame.b == "p") * (frame.a == "z")
    return frame


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", [2, 3])
def test_an_unbalanced_design_has_the_f_of_statsmodels(seed: int, kind: int) -> None:
    frame = design(seed)
    model = smf.ols("v ~ C(a, Sum) * C(b, Sum) * C(c, Sum)", frame).fit()
    oracle = anova_lm(model, typ=kind)
    rows = [row for row in oracle.index if row not in ("Intercept", "Residual")]
    found = {e.name: e for e in factorial(frame.v, {name: frame[name] for name in "abc"}, kind=kind)}
    for row in rows:
        name = row.replace("C(", "").replace(", Sum)", "")
        assert found[name].statistic == pytest.approx(oracle.loc[row, "F"]), name
        assert found[name].p == pytest.approx(oracle.loc[row, "PR(>F)"]), name


def test_an_additive_model_blocks_on_the_second_factor() -> None:
    frame = design(7)
    oracle = anova_lm(smf.ols("v ~ C(a) + C(b)", frame).fit(), typ=2)
    found = factorial(frame.v, {"a": frame.a, "b": frame.b}, depth=1)
    assert [e.name for e in found] == ["a", "b"]
    assert found[0].statistic == pytest.approx(oracle.loc["C(a)", "F"])


def test_a_missing_cell_is_refused_by_type_three_and_counted_by_type_two() -> None:
    frame = design(3)
    frame = frame[~((frame.a == "x") & (frame.b == "p"))]
    refused = factorial(frame.v, {"a": frame.a, "b": frame.b}, kind=3)
    assert "1 of 6 cells are empty" in refused[0].missing
    found = factorial(frame.v, {"a": frame.a, "b": frame.b}, kind=2)
    oracle = anova_lm(smf.ols("v ~ C(a) + C(b)", frame).fit(), typ=2)
    assert found[2].df == (1, len(frame) - 5)
    assert found[0].details["ss"] == pytest.approx(oracle.loc["C(a)", "sum_sq"])
    cells = frame.groupby(frame.a + frame.b).v
    assert found[0].details["ss_error"] == pytest.approx(((frame.v - cells.transform("mean")) ** 2).sum())


@pytest.mark.parametrize(
    ("values", "factors", "word"),
    [
        ([1, 2, 3], {"a": [1, 1, 1]}, "one level"),
        ([2, 2, 2, 2], {"a": [1, 1, 2, 2]}, "equal"),
        ([1, float("nan"), 2, 4], {"a": [1, 1, 2, 2]}, "not numbers"),
        ([1, 2, 3, 4], {"a": [1, 1, 2, 2], "b": [1, 2, 1, 2]}, "nothing is left"),
        ([1, 2, 3, 4], {"a": [1, 1, 2]}, "lengths"),
        ([1, 1, 2, 2, 3, 3], {"a": [1, 1, 2, 2, 3, 3]}, "nothing is left"),
    ],
)
def test_degenerate_input_is_missing_with_a_reason(values, factors, word) -> None:
    found = factorial(values, factors)
    assert found
    assert all(word in e.missing and e.value is None for e in found)


def test_an_effect_the_filled_cells_cannot_show_is_missing() -> None:
    a, b = np.repeat(["x", "y", "y"], 4), np.repeat(["p", "p", "q"], 4)
    found = {e.name: e for e in factorial(np.random.default_rng(0).normal(size=12), {"a": a, "b": b})}
    assert "cannot show" in found["a:b"].missing
    assert found["a"].value is not None
