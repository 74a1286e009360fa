from __future__ import annotations

import numpy as np
import pingouin
import pytest

from empathic.metrics.quality import calibration, kappa, label_quality, macro_f1, quality

TRUE = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 0])
GUESS = np.array([0, 0, 1, 1, 2, 2, 2, 2, 0, 0])


def test_macro_f1_is_the_mean_of_hand_counted_f1() -> None:
    # level 0: 3 hits of 4 true and 4 guessed; level 1: 1 of 2 and 2; level 2: 3 of 4 and 4
    assert macro_f1(TRUE, GUESS) == pytest.approx((6 / 8 + 2 / 4 + 6 / 8) / 3)


def test_kappa_is_counted_by_hand() -> None:
    # observed disagreement 3 of 10; by chance Σ row·column/10 off the diagonal: 10 − (16 + 4 + 16)/10 = 6.4
    assert kappa(TRUE, GUESS, 3, nominal=True) == pytest.approx(1 - 3 / 6.4)
    # squared distances: 0→1, 1→2 count 1, 2→0 counts 4; by chance (8 + 8 + 8 + 8) · 1/10 + (16 + 16) · 4/10 = 16
    assert kappa(TRUE, GUESS, 3) == pytest.approx(1 - 6 / 16)
    assert kappa(TRUE, TRUE, 3) == 1.0
    assert kappa(np.zeros(4, int), np.zeros(4, int), 1) == 1.0


def test_a_sure_and_right_classifier_is_calibrated_and_a_sure_and_wrong_one_is_not() -> None:
    sure = np.eye(3)[TRUE]
    assert calibration(TRUE, sure) == 0.0
    assert calibration((TRUE + 1) % 3, sure) == 1.0
    half = np.full((10, 2), 0.5)
    assert calibration(np.array([0] * 5 + [1] * 5), half) == pytest.approx(0.0)


def test_the_figures_come_together() -> None:
    predicted = 0.8 * np.eye(3)[GUESS] + 0.2 / 3
    found = quality(TRUE, predicted)
    assert found.accuracy == 0.7
    assert found.majority == 0.4
    assert found.correlation == pytest.approx(pingouin.corr(TRUE, predicted @ np.arange(3))["r"].iloc[0])
    assert found.calibration == pytest.approx(abs(0.7 - (0.8 + 0.2 / 3)))


def test_labels_without_an_order_have_no_correlation() -> None:
    assert label_quality(TRUE, GUESS).calibration is None
    assert quality(TRUE, np.eye(3)[GUESS], nominal=True).correlation is None
