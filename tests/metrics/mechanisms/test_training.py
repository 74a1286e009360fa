from __future__ import annotations

import numpy as np
import pytest

from empathic.metrics.mechanisms import embedded
from empathic.metrics.mechanisms.pairs import read_pairs
from empathic.metrics.mechanisms.training import LABELS, fit_embedded, numbers_of


def test_the_embedded_weights_are_what_the_train_split_gives() -> None:
    for fitted in fit_embedded(read_pairs("train")):
        kept = embedded()[fitted.name].data
        assert kept.features == fitted.features
        assert kept.fitted_on == "pairs.jsonl, train split, n=1407"
        assert np.array(kept.mean) == pytest.approx(np.array(fitted.mean), abs=1e-5)
        assert np.array(kept.weights) == pytest.approx(np.array(fitted.weights), abs=5e-3)


def test_there_is_a_classifier_for_each_label() -> None:
    assert tuple(embedded()) == LABELS


def test_levels_are_numbered_from_zero() -> None:
    assert numbers_of(np.array([0, 0.5, 1]), [1, 0, 0.5]).tolist() == [2, 0, 1]
