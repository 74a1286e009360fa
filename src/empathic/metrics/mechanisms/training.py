"""Labelled pairs become the weights of the embedded classifiers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from empathic.metrics.features import NAMES, quantities
from empathic.metrics.linear import Linear, Weights, fit_standardised
from empathic.metrics.mechanisms.pairs import Pair, as_batch
from empathic.metrics.quality import Quality, quality
from empathic.metrics.ragged import Floats, Ints

LABELS = ("er", "ip", "ex", "reflection")
STRENGTH = 0.03  # chosen by cross-validation within the train split


def fit_embedded(pairs: Sequence[Pair]) -> list[Weights]:
    """One classifier per label, from the pairs given (the train split)."""
    rows = rows_of([pair.prompt for pair in pairs], [pair.response for pair in pairs])
    return [
        fit_standardised(
            label,
            NAMES,
            rows,
            np.array([float(getattr(pair, label)) for pair in pairs]),
            strength=STRENGTH,
            fitted_on=f"pairs.jsonl, train split, n={len(pairs)}",
        )
        for label in LABELS
    ]


def rows_of(prompts: Sequence[str], texts: Sequence[str]) -> Floats:
    """The features of prompts and responses."""
    return quantities(as_batch(prompts, texts)).whole()


def numbers_of(levels: Floats, values: Sequence[float]) -> Ints:
    """Levels as their numbers from 0 (0, .5, 1 → 0, 1, 2)."""
    return np.searchsorted(levels, np.array(values, dtype=np.float64))


def quality_on(model: Linear, rows: Floats, values: Sequence[float]) -> Quality:
    """How good a classifier is on rows it was not fitted on."""
    return quality(numbers_of(model.levels, values), model.probabilities(rows))
