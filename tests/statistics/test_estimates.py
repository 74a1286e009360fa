from __future__ import annotations

import math

import numpy as np

from empathic.statistics.estimates import absent, estimate, vector


def test_an_absent_estimate_has_no_value_but_a_reason_and_a_signature() -> None:
    missing = absent("F", "anova.v1", "there is one group", n=3, groups=1)
    assert missing.value is None
    assert missing.missing == "there is one group"
    assert missing.signature is not None
    assert missing.signature.startswith("anova.v1|groups:1|empathic:")


def test_a_value_that_is_not_finite_is_absent_and_a_bound_that_is_not_is_none() -> None:
    assert estimate("x", math.nan, "m.v1").missing == "the computation has no finite result"
    bounded = estimate("x", np.float64(1), "m.v1", interval=(-math.inf, 2), p=math.nan, df=(np.int64(3),))
    assert (bounded.low, bounded.high, bounded.p, bounded.df) == (None, 2.0, None, (3.0,))
    assert type(bounded.value) is float


def test_a_vector_turns_none_into_nan() -> None:
    assert np.isnan(vector([1, None])).tolist() == [False, True]
