"""True and predicted levels become the figures beside a score: accuracy, macro-F1, weighted κ, calibration."""

from __future__ import annotations

import msgspec
import numpy as np

from empathic.metrics.ragged import Floats, Ints
from empathic.records import Record

BINS = 10


class Quality(Record, frozen=True):
    """How good a classifier is on n rows it was not fitted on."""

    n: int
    accuracy: float
    macro_f1: float
    kappa: float  # quadratic weights for levels, none for labels without an order
    majority: float  # accuracy of always saying the commonest level
    calibration: float | None = None  # expected calibration error, 10 bins: 0 is perfect; None without probabilities
    correlation: float | None = None  # Pearson's r of expected and true level; None for labels without an order


def quality(true: Ints, predicted: Floats, *, nominal: bool = False) -> Quality:
    """`true` are level numbers from 0, `predicted` the probabilities of the levels; `nominal`: levels have no order."""
    found = label_quality(true, predicted.argmax(axis=1), nominal=nominal)
    expected = predicted @ np.arange(predicted.shape[1])
    ordered = not nominal and np.ptp(true) > 0 and np.ptp(expected) > 0
    return msgspec.structs.replace(
        found,
        calibration=calibration(true, predicted),
        correlation=float(np.corrcoef(expected, true)[0, 1]) if ordered else None,
    )


def label_quality(true: Ints, guess: Ints, *, nominal: bool = True) -> Quality:
    """The figures that need no probabilities."""
    count = int(max(true.max(), guess.max())) + 1
    return Quality(
        n=len(true),
        accuracy=float((guess == true).mean()),
        macro_f1=macro_f1(true, guess),
        kappa=kappa(true, guess, count, nominal=nominal),
        majority=float(np.bincount(true).max() / len(true)),
    )


def macro_f1(true: Ints, guess: Ints) -> float:
    """Mean over the levels of F1 = 2·tp / (2·tp + fp + fn), over levels that occur in either."""
    scores = []
    for level in np.union1d(true, guess):
        hit = float(((true == level) & (guess == level)).sum())
        scores.append(2 * hit / float((true == level).sum() + (guess == level).sum()))
    return float(np.mean(scores))


def kappa(true: Ints, guess: Ints, count: int, *, nominal: bool = False) -> float:
    """κ = 1 − Σ w·observed / Σ w·expected, w = (i − j)² or, without an order, [i ≠ j] (Cohen 1968); 1 if all agree."""
    observed = np.zeros((count, count))
    np.add.at(observed, (true, guess), 1.0)
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / len(true)
    apart = (np.arange(count)[:, None] - np.arange(count)) ** 2
    apart = (apart > 0).astype(int) if nominal else apart
    chance = float((apart * expected).sum())
    return 1.0 - float((apart * observed).sum()) / chance if chance else 1.0


def calibration(true: Ints, predicted: Floats) -> float:
    """ECE = Σ_bins n_b/n · |accuracy − mean confidence| over the likeliest level (Guo et al. 2017)."""
    sure, right = predicted.max(axis=1), predicted.argmax(axis=1) == true
    place = np.minimum((sure * BINS).astype(int), BINS - 1)
    error = 0.0
    for bin_ in range(BINS):
        inside = place == bin_
        if inside.any():
            error += inside.mean() * abs(float(right[inside].mean()) - float(sure[inside].mean()))
    return float(error)
