from __future__ import annotations

import numpy as np
import pytest

from empathic.statistics.bootstrap import draws, percentile


def test_every_replicate_draws_as_many_units_as_there_are() -> None:
    counts = draws(7, replicates=50, seed=3)
    assert counts.shape == (50, 7)
    assert set(counts.sum(axis=1)) == {7.0}
    assert np.array_equal(counts, draws(7, replicates=50, seed=3))
    assert not np.array_equal(counts, draws(7, replicates=50, seed=4))


def test_the_interval_leaves_out_replicates_that_failed_unless_most_did() -> None:
    replicated = np.array([np.nan, *range(101)])
    assert percentile(replicated, level=0.9) == pytest.approx((5.0, 95.0))
    assert percentile(np.array([np.nan, np.nan, 1.0]), level=0.9) is None
