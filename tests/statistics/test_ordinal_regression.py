from __future__ import annotations

import numpy as np
import pytest
from statsmodels.miscmodels.ordinal_model import OrderedModel

from empathic.statistics.ordinal_regression import ordinal_regression


def data(seed: int, n: int = 300) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=n), rng.integers(1, 6, n).astype(float)
    latent = 0.8 * x - 0.3 * z + rng.logistic(size=n)
    return np.digitize(latent, [-2, -0.5, 1]).astype(float), {"x": x, "z": z}


@pytest.mark.parametrize("seed", range(3))
def test_slopes_errors_and_likelihood_agree_with_statsmodels(seed: int) -> None:
    y, columns = data(seed)
    oracle = OrderedModel(y, np.column_stack(list(columns.values())), distr="logit").fit(method="newton", disp=False)
    found = ordinal_regression(y, columns)
    assert [one.value for one in found.slopes] == pytest.approx(oracle.params[:2].tolist(), abs=1e-5)
    assert [one.details["standard_error"] for one in found.slopes] == pytest.approx(oracle.bse[:2].tolist(), rel=1e-3)
    assert found.fit.details["loglik"] == pytest.approx(oracle.llf, abs=1e-6)
    assert found.fit.value == pytest.approx(oracle.prsquared, abs=1e-6)


def test_doubling_every_row_leaves_clustered_errors_as_they_were() -> None:
    y, columns = data(7)
    ids = np.arange(len(y))
    once = ordinal_regression(y, columns, clusters=ids)
    twice = ordinal_regression(
        np.tile(y, 2), {name: np.tile(column, 2) for name, column in columns.items()}, clusters=np.tile(ids, 2)
    )
    for one, other in zip(once.slopes, twice.slopes, strict=True):
        assert one.details["standard_error"] == pytest.approx(other.details["standard_error"], rel=1e-6)
    assert once.fit.p is None


@pytest.mark.parametrize(
    ("y", "columns", "reason"),
    [
        ([1, 1, 1, 1], {"x": [1, 2, 3, 4]}, "all ratings are equal"),
        ([1, 2, 3, 1], {"x": [1, 1, 1, 1]}, "does not vary"),
        ([1, 2, 3, 1], {"x": [1, 2, 3, 4], "z": [2, 4, 6, 8]}, "follows from the others"),
        ([1, 2, 3, None], {"x": [1, 2, 3, 4]}, "missing"),
        ([1, 2, 3], {"x": [1, 2]}, "differ in length"),
        ([1, 2, 3], {}, "no predictor"),
        ([1, 1, 1, 2, 2, 2], {"x": [1, 2, 3, 11, 12, 13]}, "separat"),
    ],
)
def test_what_cannot_be_fitted_is_missing_with_a_reason(y, columns, reason: str) -> None:
    found = ordinal_regression(y, columns)
    for one in (found.fit, *found.slopes):
        assert one.value is None and reason in str(one.missing)
