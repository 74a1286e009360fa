"""Factor checks against the published analysis of Holzinger & Swineford (1939), statsmodels and by construction."""

from __future__ import annotations

import numpy as np
import pytest
from statsmodels.multivariate.factor import Factor

from empathic.statistics.factors import confirmatory, fit_correlations, parallel_analysis

# correlations of the nine tests of 301 pupils, below the diagonal
LOWER = [
    [0.297346],
    [0.440668, 0.339849],
    [0.372706, 0.152930, 0.158640],
    [0.293444, 0.139387, 0.077198, 0.733170],
    [0.356770, 0.192532, 0.197661, 0.704480, 0.719956],
    [0.066864, -0.075669, 0.071931, 0.173829, 0.102045, 0.121102],
    [0.223927, 0.092279, 0.186013, 0.106898, 0.138670, 0.149611, 0.486758],
    [0.390340, 0.206041, 0.328651, 0.207848, 0.227466, 0.214162, 0.340646, 0.449015],
]
NAMES = [f"x{place}" for place in range(1, 10)]
CLAIMED = {"visual": NAMES[:3], "textual": NAMES[3:6], "speed": NAMES[6:]}


@pytest.fixture(scope="module")
def pupils() -> np.ndarray:
    matrix = np.eye(9)
    for row, values in enumerate(LOWER, 1):
        matrix[row, :row] = matrix[:row, row] = values
    return matrix


def mask(factors: dict[str, list[str]]) -> np.ndarray:
    return np.array([[name in members for members in factors.values()] for name in NAMES])


def sample(rng: np.random.Generator, n: int, factors: int, items: int = 3) -> np.ndarray:
    scores = rng.normal(size=(n, factors))
    return np.repeat(scores, items, axis=1) + 0.7 * rng.normal(size=(n, factors * items))


def test_three_factors_fit_as_published_for_lavaan(pupils: np.ndarray) -> None:
    # lavaan's tutorial (Rosseel 2012, J. Stat. Software 48(2)): χ²(24) = 85.306, CFI .931, RMSEA .092 [.071, .114],
    # SRMR .065; correlations of the factors .459, .471, .283; standardised loadings .772 .424 .581 …
    found = fit_correlations("three", pupils, 301, NAMES, list(CLAIMED), mask(CLAIMED))
    assert (found.chi2, found.df) == (pytest.approx(85.306, abs=0.002), 24)
    assert (found.cfi, found.rmsea) == (pytest.approx(0.931, abs=5e-4), pytest.approx(0.092, abs=5e-4))
    assert (found.rmsea_low, found.rmsea_high) == (pytest.approx(0.071, abs=5e-4), pytest.approx(0.114, abs=5e-4))
    assert found.srmr == pytest.approx(0.065, abs=5e-4)
    assert list(found.correlations.values()) == pytest.approx([0.459, 0.471, 0.283], abs=6e-4)
    assert list(found.loadings["visual"].values()) == pytest.approx([0.772, 0.424, 0.581], abs=6e-4)
    assert found.cautions == ()


def test_one_factor_fits_as_published_for_lavaan(pupils: np.ndarray) -> None:
    one = {"general": NAMES}
    found = fit_correlations("one", pupils, 301, NAMES, ["general"], mask(one))
    assert (found.chi2, found.df) == (pytest.approx(312.264, abs=0.01), 27)
    three = fit_correlations("three", pupils, 301, NAMES, list(CLAIMED), mask(CLAIMED))
    assert three.bic < found.bic and three.aic < found.aic


def test_one_factor_agrees_with_the_factor_analysis_of_statsmodels(pupils: np.ndarray) -> None:
    found = fit_correlations("one", pupils, 301, NAMES, ["general"], mask({"general": NAMES}))
    other = Factor(corr=pupils, n_factor=1, method="ml", nobs=301).fit()
    expected = other.loadings[:, 0] * np.sign(other.loadings[:, 0].sum())
    assert list(found.loadings["general"].values()) == pytest.approx(expected.tolist(), abs=2e-3)


def test_a_model_that_made_the_correlations_is_recovered_exactly_cross_loadings_included() -> None:
    factors = {"a": NAMES[:5], "b": NAMES[4:]}
    loadings = np.where(mask(factors), 0.6, 0.0)
    loadings[4] = [0.5, 0.3]
    phi = np.array([[1, 0.4], [0.4, 1]])
    matrix = loadings @ phi @ loadings.T
    np.fill_diagonal(matrix, 1)
    found = fit_correlations("two", matrix, 200, NAMES, ["a", "b"], mask(factors))
    assert found.chi2 == pytest.approx(0, abs=1e-4) and found.cfi == 1 and found.rmsea == 0
    assert (found.loadings["a"]["x5"], found.loadings["b"]["x5"]) == (
        pytest.approx(0.5, abs=1e-3),
        pytest.approx(0.3, abs=1e-3),
    )
    assert found.correlations == {"a, b": pytest.approx(0.4, abs=1e-3)}


@pytest.mark.parametrize("factors", [1, 2, 3])
def test_parallel_analysis_finds_the_number_that_made_the_data(factors: int) -> None:
    values = sample(np.random.default_rng(factors), 300, factors)
    found = parallel_analysis(values, replicates=100)
    assert found.factors == factors
    assert sum(found.eigenvalues) == pytest.approx(values.shape[1])


def test_independent_items_have_no_factor_about_as_often_as_promised() -> None:
    rng = np.random.default_rng(9)
    found = [parallel_analysis(rng.normal(size=(100, 5)), replicates=60, seed=s).factors for s in range(40)]
    assert found.count(0) >= 33  # 38 expected


def test_factors_are_told_apart_from_answer_sheets() -> None:
    values = sample(np.random.default_rng(1), 200, 2)
    names = [f"i{place}" for place in range(6)]
    one = confirmatory("one", values, names, {"g": names})
    two = confirmatory("two", values, names, {"a": names[:3], "b": names[3:]})
    assert one.p < 0.001 and two.p > 0.01 and two.bic < one.bic
    assert two.n == 200


def test_what_cannot_be_fitted_says_why() -> None:
    names = ["a", "b", "c"]
    rng = np.random.default_rng(0)
    few = confirmatory("m", rng.normal(size=(4, 3)), names, {"g": names})
    assert "more sheets than items" in few.missing and few.chi2 is None
    flat = np.column_stack([rng.normal(size=(20, 2)), np.ones(20)])
    assert parallel_analysis(flat).missing == "everybody gave the same answer to item 3"
    tied = rng.normal(size=(20, 2))
    assert "follow exactly" in parallel_analysis(np.column_stack([tied, tied.sum(axis=1)])).missing
    crowded = confirmatory("m", rng.normal(size=(50, 3)), names, {"g": names, "h": names})
    assert "more parameters" in crowded.missing
    lonely = confirmatory("m", rng.normal(size=(50, 4)), [*names, "d"], {"g": names, "h": ["d"]})
    assert "not identified" in lonely.missing


def test_factors_that_are_one_and_items_without_error_are_cautioned() -> None:
    rng = np.random.default_rng(3)
    values = sample(rng, 400, 1, items=6)
    names = [f"i{place}" for place in range(6)]
    found = confirmatory("two", values, names, {"a": names[:3], "b": names[3:]})
    assert found.missing is None
    if found.correlations["a, b"] > 0.995:
        assert "two factors cannot be told apart" in found.cautions
    twin = np.column_stack([values[:, :3], values[:, 0] + 1e-3 * rng.normal(size=400)])
    heywood = confirmatory("one", twin, names[:4], {"g": names[:4]})
    assert "an item has no error of its own (Heywood case)" in heywood.cautions
