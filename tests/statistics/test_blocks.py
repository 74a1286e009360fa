from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm

from empathic.errors import SettingError
from empathic.statistics import blocks


def unbalanced(seed: int) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    n = 60
    frame = pd.DataFrame({"a": rng.integers(0, 3, n), "b": rng.integers(0, 2, n), "s": rng.integers(0, 8, n)})
    frame["y"] = rng.normal(size=n) + frame.a + 0.5 * frame.s
    return frame


@pytest.mark.parametrize("seed", range(3))
def test_unbalanced_type_three_tests_agree_with_statsmodels(seed: int) -> None:
    frame = unbalanced(seed)
    table = anova_lm(smf.ols("y ~ C(a, Sum) * C(b, Sum)", frame).fit(), typ=3)
    factors = blocks.read_factors({"a": frame.a, "b": frame.b}, len(frame))
    (stratum,) = blocks.split(frame.y.to_numpy(), blocks.design(factors), None)
    for term, row in {("a",): 1, ("b",): 2, ("a", "b"): 3}.items():
        test = blocks.f_test(stratum, term)
        assert isinstance(test, blocks.FTest)
        assert test.f == pytest.approx(table["F"].iloc[row], rel=1e-8)
        assert test.p == pytest.approx(table["PR(>F)"].iloc[row], rel=1e-8)


@pytest.mark.parametrize("seed", range(3))
def test_unbalanced_tests_within_blocks_equal_a_model_with_a_dummy_per_block(seed: int) -> None:
    frame = unbalanced(seed)
    table = anova_lm(smf.ols("y ~ C(a, Sum) * C(b, Sum) + C(s, Sum)", frame).fit(), typ=3)
    factors = blocks.read_factors({"a": frame.a, "b": frame.b}, len(frame))
    strata = blocks.split(frame.y.to_numpy(), blocks.design(factors), blocks.factor("s", frame.s))
    test = blocks.f_test(blocks.stratum_of(strata, ("a", "b")), ("a", "b"))
    assert isinstance(test, blocks.FTest)
    assert test.f == pytest.approx(table.loc["C(a, Sum):C(b, Sum)", "F"], rel=1e-8)
    assert test.df2 == table.loc["Residual", "df"]


def test_a_term_constant_within_blocks_is_tested_among_block_means() -> None:
    factors = blocks.read_factors({"group": ["x", "x", "x", "x", "z", "z", "z", "z"], "a": list("uvuvuvuv")}, 8)
    block = blocks.factor("s", [1, 1, 2, 2, 3, 3, 4, 4])
    strata = blocks.split(np.array([1.0, 2, 2, 4, 5, 5, 6, 9]), blocks.design(factors), block)
    test = blocks.f_test(blocks.stratum_of(strata, ("group",)), ("group",))
    assert isinstance(test, blocks.FTest)
    means = np.array([1.5, 3.0, 5.0, 7.5])
    by_hand = 2 * (means[:2].mean() - means[2:].mean()) ** 2 / 2 / ((means[:2].var() + means[2:].var()) * 2 / 2)
    assert (test.f, test.df1, test.df2) == (pytest.approx(by_hand), 1, 2)


def test_levels_keep_their_order_of_appearance() -> None:
    found = blocks.factor("a", ["z", "a", "z", "m"])
    assert found.levels == ("z", "a", "m")
    assert found.codes.tolist() == [0, 1, 0, 2]


def test_why_values_cannot_be_analysed() -> None:
    two = blocks.read_factors({"a": list("xxyy"), "b": list("uvuv")}, 4)
    assert "2 of 4 values are missing" in blocks.unfit(np.array([1, np.nan, np.nan, 2]), two, None)
    assert blocks.unfit(np.ones(4), two, None) == "all values are equal"
    assert "one block" in blocks.unfit(np.arange(4.0), two, blocks.factor("s", list("1111")))
    holes = blocks.read_factors({"a": list("xxyy"), "b": list("uvuu")}, 4)
    assert "has no value" in blocks.unfit(np.arange(4.0), holes, None)
    one = blocks.read_factors({"a": list("xxxx")}, 4)
    assert "'a' has fewer than two levels" in blocks.unfit(np.arange(4.0), one, None)
    (stratum,) = blocks.split(np.arange(4.0), blocks.design(two), None)
    assert blocks.f_test(stratum, ("a",)) == "there are too few values for the number of cells"


def test_a_factor_of_another_length_is_refused() -> None:
    with pytest.raises(SettingError, match="'a' has 2 labels for 3 values"):
        blocks.read_factors({"a": [1, 2]}, 3)
