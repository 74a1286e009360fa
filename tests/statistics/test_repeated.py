from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pingouin
import pytest
from scipy import stats
from statsmodels.stats.anova import AnovaRM

from empathic.errors import SettingError
from empathic.statistics.repeated import complete, contrast, contrasts, mauchly, repeated_measures, strata

WINER = np.array([[30, 28, 16, 34], [14, 18, 10, 22], [24, 20, 18, 30], [38, 34, 20, 44], [26, 28, 14, 30]])


def random_design(*shape: int, seed: int = 3) -> np.ndarray:
    rng = np.random.default_rng(seed)
    subject = rng.normal(size=(shape[0], *[1] * (len(shape) - 1)))
    return rng.normal(size=shape) + subject + 0.3 * np.arange(shape[-1])


def long(values: np.ndarray, names: str) -> pd.DataFrame:
    places = itertools.product(*map(range, values.shape))
    return pd.DataFrame([(*place, values[place]) for place in places], columns=["s", *names, "y"])


def test_winers_drugs_have_the_textbooks_f() -> None:
    """Winer (1971), Statistical principles in experimental design, p. 268: F(3, 12) = 24.76."""
    (drug,) = repeated_measures(WINER, factors=["drug"])
    assert drug.statistic == pytest.approx(24.76, abs=0.005)
    assert drug.details["df_uncorrected"] == [3, 12]
    (stratum,) = strata(WINER.astype(float), [(0,)])
    assert (stratum.effect, stratum.error) == (pytest.approx(698.20), pytest.approx(112.80))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:The inplace keyword")
def test_one_factor_agrees_with_pingouin_in_everything() -> None:
    (drug,) = repeated_measures(WINER, factors=["a"])
    table = pingouin.rm_anova(long(WINER, "a"), dv="y", within="a", subject="s", correction=True, detailed=True)
    row: dict[str, Any] = {key.replace("-", "_"): value for key, value in table.iloc[0].items()}
    assert drug.statistic == pytest.approx(row["F"], rel=1e-6)
    assert drug.value == pytest.approx(row["ng2"], rel=1e-6)
    assert drug.details["epsilon_gg"] == pytest.approx(row["eps"], rel=1e-6)
    assert drug.p == pytest.approx(row.get("p_GG_corr", row.get("p_GG")), rel=1e-6)
    w, p = mauchly(WINER @ contrasts(4).T) or (None, None)
    oracle = pingouin.sphericity(pd.DataFrame(WINER))
    assert w == pytest.approx(oracle.W)
    assert p == pytest.approx(oracle.pval, rel=2e-3)  # R and pingouin put another d into Anderson's second-order term


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:The inplace keyword")
@pytest.mark.parametrize("seed", range(3))
def test_two_factors_agree_with_pingouin(seed: int) -> None:
    values = random_design(9, 3, 4, seed=seed)
    table = pingouin.rm_anova(long(values, "ab"), dv="y", within=["a", "b"], subject="s")
    found = repeated_measures(values, factors=["a", "b"])
    assert [one.statistic for one in found] == pytest.approx(table["F"].tolist(), rel=1e-6)
    assert [one.value for one in found] == pytest.approx(table["ng2"].tolist(), rel=1e-6)
    assert [one.details["epsilon_gg"] for one in found[:2]] == pytest.approx(table["eps"].tolist()[:2], rel=1e-6)


def test_three_factors_agree_with_statsmodels() -> None:
    values = random_design(7, 2, 3, 2)
    table = AnovaRM(long(values, "abc"), "y", "s", within=["a", "b", "c"]).fit().anova_table
    found = {one.labels["term"]: one for one in repeated_measures(values, factors=["a", "b", "c"])}
    for term, row in table.iterrows():
        assert found[term].statistic == pytest.approx(row["F Value"], rel=1e-8)
        assert found[term].details["p_uncorrected"] == pytest.approx(row["Pr > F"], rel=1e-8)


def test_the_interval_of_the_effect_holds_the_effect() -> None:
    (drug,) = repeated_measures(WINER, factors=["drug"])
    assert drug.low is not None and drug.high is not None and drug.value is not None
    assert 0 < drug.low < drug.value < drug.high < 1


def test_a_contrast_is_a_paired_t_test() -> None:
    found = contrast(WINER, weights=[1, -1, 0, 0], name="first − second")
    oracle = stats.ttest_rel(WINER[:, 0], WINER[:, 1])
    assert (found.statistic, found.p) == (pytest.approx(oracle.statistic), pytest.approx(oracle.pvalue))
    assert found.low == pytest.approx(oracle.confidence_interval().low)
    assert found.details["d_z"] == pytest.approx(oracle.statistic / 5**0.5)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        (np.ones((1, 3)), "1 subjects"),
        (np.ones((4, 1)), "fewer than two levels"),
        (np.ones((4, 3)), "no variation"),
        (np.arange(3) + np.zeros((4, 1)), "no variation"),
        (np.array([[1, 2], [np.nan, 3], [2, 2]]), "1 of 3 subjects lack a cell"),
    ],
)
@pytest.mark.parametrize("error", ["own", "pooled"])
def test_what_cannot_be_tested_is_missing_with_a_reason(values: np.ndarray, reason: str, error: str) -> None:
    (found,) = repeated_measures(values, factors=["a"], error=error)
    assert found.value is None and found.p is None
    assert reason in str(found.missing)


def test_a_contrast_that_cannot_be_tested_is_missing() -> None:
    assert "does not vary" in str(contrast(np.ones((4, 2)), weights=[1, -1], name="x").missing)
    assert "lacks a cell" in str(contrast([[1, np.nan], [1, 2]], weights=[1, -1], name="x").missing)
    assert contrast(np.ones((1, 2)), weights=[1, -1], name="x").value is None


def test_incomplete_subjects_are_told_apart() -> None:
    kept, dropped = complete([[1, 2], [np.nan, 1], [3, 4]])
    assert kept.tolist() == [[1, 2], [3, 4]]
    assert dropped == [1]


def test_a_wrong_shape_or_setting_is_refused() -> None:
    with pytest.raises(SettingError, match="2 factors need an array of 3 dimensions"):
        repeated_measures(WINER, factors=["a", "b"])
    with pytest.raises(SettingError, match="choose 'own' or 'pooled'"):
        repeated_measures(WINER, factors=["a"], error="ours")
    with pytest.raises(SettingError, match="shape"):
        contrast(WINER, weights=[1, -1], name="x")
