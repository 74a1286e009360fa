"""Rows of numbers and levels become a linear classifier; rows and a classifier become probabilities of the levels.

    p(level = k | x) ∝ exp(w_k · (x − mean) / scale + b_k)

Multinomial logistic regression with an L2 penalty, minimised by L-BFGS:

    Σ_i c_{y_i} · (−log p(y_i | x_i)) + ‖w‖² / (2C),   c_k = (n / (K · n_k))^balance

`balance` ½ gives rare levels the square root of the weight that would make all levels count the same.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import scipy  # its parts are loaded when first used: importing the package stays quick

from empathic import files
from empathic.metrics.ragged import Floats, Ints
from empathic.records import Record


class Above(NamedTuple):
    """Sparse rows above dense ones, as one matrix."""

    upper: scipy.sparse.csr_array
    lower: Floats

    def __matmul__(self, other: Floats) -> Floats:
        return np.concatenate([self.upper @ other, self.lower @ other])


class Beside(NamedTuple):
    """Sparse columns beside dense ones, as one matrix: thousands of dense ones are slow among the sparse."""

    left: scipy.sparse.csr_array
    right: Floats

    @property
    def shape(self) -> tuple[int, int]:
        return self.right.shape[0], self.left.shape[1] + self.right.shape[1]

    @property
    def T(self) -> Above:  # noqa: N802
        return Above(self.left.T.tocsr(), self.right.T)

    def __matmul__(self, other: Floats) -> Floats:
        width = self.left.shape[1]
        return np.asarray(self.left @ other[:width] + self.right @ other[width:])


Rows: TypeAlias = "Floats | scipy.sparse.csr_array | Beside"


class Weights(Record, frozen=True):
    """A fitted classifier as data: one row of weights per level."""

    name: str
    levels: tuple[float, ...]
    features: tuple[str, ...]
    mean: tuple[float, ...]
    scale: tuple[float, ...]
    weights: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]
    fitted_on: str = ""


def fit(
    rows: Rows, levels: Ints, count: int, *, strength: float, balance: float = 0.5, tolerance: float = 1e-12
) -> tuple[Floats, Floats]:
    """Weights (levels × features) and bias of the classifier; `strength` is C above, `tolerance` when to stop."""
    present = np.bincount(levels, minlength=count)
    cost = (len(levels) / (count * np.maximum(present, 1))) ** balance
    width, target = rows.shape[1], np.eye(count)[levels]
    sample = cost[levels]

    turned = rows.T.tocsr() if scipy.sparse.issparse(rows) else rows.T

    def loss(flat: Floats) -> tuple[float, Floats]:
        weights, bias = flat[: count * width].reshape(count, width), flat[count * width :]
        logits = np.asarray(rows @ weights.T) + bias
        logits -= logits.max(axis=1, keepdims=True)
        logs = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        value = -float(sample @ (logs * target).sum(axis=1)) + float((weights**2).sum()) / (2 * strength)
        residual = sample[:, None] * (np.exp(logs) - target)
        slope = np.asarray(turned @ residual).T + weights / strength
        return value, np.concatenate([slope.ravel(), residual.sum(axis=0)])

    options: Any = {"maxiter": 1000, "ftol": tolerance, "gtol": 1e-5, "maxfun": 5000}
    found = scipy.optimize.minimize(loss, np.zeros(count * (width + 1)), jac=True, method="L-BFGS-B", options=options)
    return found.x[: count * width].reshape(count, width), found.x[count * width :]


def probabilities(rows: Rows, weights: Floats, bias: Floats) -> Floats:
    """The probability of each level, one row per row."""
    logits = np.asarray(rows @ weights.T) + bias
    # by column: to look for the largest of three in each of many short rows takes ten times as long
    raised = np.exp(logits - functools.reduce(np.maximum, logits.T)[:, None])
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


class Linear:
    """A classifier ready to be used on rows of its features."""

    def __init__(self, data: Weights) -> None:
        self.data = data
        self.levels = np.array(data.levels)
        scale = np.array(data.scale)
        # the standardisation is folded into the weights: one multiplication per batch
        self.weights = np.array(data.weights) / scale
        self.bias = np.array(data.bias) - self.weights @ np.array(data.mean)

    def probabilities(self, rows: Floats) -> Floats:
        """The probability of each level."""
        return probabilities(rows, self.weights, self.bias)

    def expected(self, rows: Floats) -> Floats:
        """The expected level Σ p_k · k: finer than the likeliest level, and what correlates best with people."""
        return np.asarray(self.probabilities(rows) @ self.levels)


def fit_standardised(
    name: str, names: Sequence[str], rows: Floats, values: Floats, *, strength: float, fitted_on: str
) -> Weights:
    """Fit on standardised rows; `values` are levels as numbers (0, 1, 2 or 0, .5, 1)."""
    levels, numbers = np.unique(values, return_inverse=True)
    mean, scale = rows.mean(axis=0), rows.std(axis=0)
    scale = np.where(scale > 0, scale, 1.0)
    weights, bias = fit((rows - mean) / scale, numbers, len(levels), strength=strength)
    return Weights(
        name=name,
        levels=tuple(levels.tolist()),
        features=tuple(names),
        mean=tuple(_rounded(mean)),
        scale=tuple(_rounded(scale)),
        weights=tuple(tuple(_rounded(row)) for row in weights),
        bias=tuple(_rounded(bias)),
        fitted_on=fitted_on,
    )


def _rounded(values: Floats) -> list[float]:
    """Six decimals are more than the data can tell, and make the file the same on every machine."""
    return [float(round(value, 6)) for value in values.tolist()]


def read(path: Path) -> dict[str, Linear]:
    """The classifiers of a file, by name."""
    return {each.name: Linear(each) for each in files.read_json(path, list[Weights])}


def write(path: Path, fitted: Sequence[Weights]) -> None:
    """Keep classifiers as JSON."""
    files.write_json(path, fitted)


def as_sparse(rows: Any) -> scipy.sparse.csr_array:
    """Any matrix as compressed rows."""
    return scipy.sparse.csr_array(rows)
