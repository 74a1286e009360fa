"""Texts, numbers and levels become a classifier fitted on a user's data, kept in the per-user data folder.

It is logistic regression over TF-IDF rows (`vectors`) beside the features of the package (`features`) and, if wanted,
what an encoder says of the texts (`contracts.Encoder`).
"""

from __future__ import annotations

import io
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy  # its parts are loaded when first used: importing the package stays quick

from empathic import files, registry
from empathic.contracts import Encoder
from empathic.errors import InputError, MissingPart, SettingError
from empathic.metrics import linear, vectors
from empathic.metrics.ragged import Floats, Ints

STRENGTH = 2.0
WEIGHT = 0.2  # of a standardised feature beside TF-IDF values, most of which are below .2
ENCODED_WEIGHT = 0.02  # of a standardised number of an encoder: there are thousands


class Fitted(NamedTuple):
    """Classifiers of one kind of text, by label."""

    source: str  # what it was fitted on
    vectors: vectors.Vectors
    mean: Floats
    scale: Floats
    weights: Mapping[str, tuple[Floats, Floats]]  # label → weights, bias
    levels: Mapping[str, Floats]
    encoder: Encoder | None = None
    spread: tuple[Floats, Floats] | None = None  # mean and scale of the encoder's numbers

    def rows(self, texts: Sequence[str], features: Floats, encoded: Floats | None = None) -> linear.Rows:
        """TF-IDF, standardised features and what the encoder says side by side."""
        dense = scipy.sparse.csr_array((features - self.mean) / self.scale * WEIGHT)
        found = scipy.sparse.csr_array(scipy.sparse.hstack([self.vectors.rows(texts), dense]))
        if encoded is None or self.spread is None:
            return found
        mean, scale = self.spread
        return linear.Beside(found, (encoded - mean) / scale * ENCODED_WEIGHT)

    def encode(self, texts: Sequence[str]) -> Floats | None:
        """What the encoder says of texts, to be given along with them; None without an encoder."""
        return None if self.encoder is None else np.asarray(self.encoder.encode(texts), dtype=np.float64)

    def probabilities(self, texts: Sequence[str], features: Floats, encoded: Floats | None = None) -> dict[str, Floats]:
        """Per label the probability of each level."""
        rows = self.rows(texts, features, encoded)
        return {label: linear.probabilities(rows, *pair) for label, pair in self.weights.items()}

    def expected(self, texts: Sequence[str], features: Floats, encoded: Floats | None = None) -> dict[str, Floats]:
        """Per label the expected level."""
        found = self.probabilities(texts, features, encoded)
        return {label: np.asarray(found[label] @ self.levels[label]) for label in found}


def fit(
    texts: Sequence[str],
    features: Floats,
    values: Mapping[str, Floats],
    *,
    source: str,
    encoder: Encoder | None = None,
    encoded: Floats | None = None,
) -> Fitted:
    """Fit one classifier per label on the same texts; `encoded` is what the encoder says of them."""
    levels = {label: np.unique(found) for label, found in values.items()}
    numbers = {label: np.searchsorted(levels[label], found) for label, found in values.items()}
    found = vectors.fit(texts, list(numbers.values()))
    spread = None if encoded is None else _spread(encoded)
    empty = Fitted(source, found, *_spread(features), {}, levels, encoder, spread)
    rows = empty.rows(texts, features, encoded)
    weights = {
        label: linear.fit(rows, numbers[label], len(levels[label]), strength=STRENGTH, tolerance=1e-5)
        for label in values
    }
    return empty._replace(weights=weights)


def _spread(numbers: Floats) -> tuple[Floats, Floats]:
    scale = numbers.std(axis=0)
    return numbers.mean(axis=0), np.where(scale > 0, scale, 1.0)


def cross_validated(
    texts: Sequence[str],
    features: Floats,
    values: Mapping[str, Floats],
    groups: Sequence[str],
    *,
    folds: int,
    seed: int,
    encoded: Floats | None = None,
) -> dict[str, Floats]:
    """Per label the probabilities each text gets from a classifier fitted without its group."""
    levels = {label: np.unique(found) for label, found in values.items()}
    result = {label: np.zeros((len(texts), len(levels[label]))) for label in values}
    for inside, outside in grouped_folds(groups, folds=folds, seed=seed):
        part = {label: found[inside] for label, found in values.items()}
        known, asked = (None if encoded is None else encoded[places] for places in (inside, outside))
        model = fit([texts[place] for place in inside], features[inside], part, source="", encoded=known)
        found = model.probabilities([texts[place] for place in outside], features[outside], asked)
        for label, probability in found.items():
            seen = np.searchsorted(levels[label], model.levels[label])
            result[label][np.ix_(outside, seen)] = probability
    return result


def grouped_folds(groups: Sequence[str], *, folds: int, seed: int) -> list[tuple[Ints, Ints]]:
    """Places to fit on and places to test on; no group is in both."""
    names, number = np.unique(np.array(groups), return_inverse=True)
    fold_of = np.random.default_rng(seed).permutation(len(names)) % folds
    own = fold_of[number]
    return [(np.flatnonzero(own != fold), np.flatnonzero(own == fold)) for fold in range(folds)]


def folder() -> Path:
    """Where fitted classifiers are kept."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "empathic" / "classifiers"


def save(name: str, model: Fitted) -> Path:
    """Keep a classifier under a name."""
    arrays: dict[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]] = {
        "terms": np.array(list(model.vectors.columns)),
        "idf": model.vectors.weights,
        "boundary": np.array([model.vectors.boundary]),
        "mean": model.mean,
        "scale": model.scale,
        "source": np.array([model.source]),
        "labels": np.array(list(model.weights)),
        "encoder": np.array([model.encoder.label if model.encoder else ""]),
    }
    if model.spread is not None:
        arrays |= {"encoded_mean": model.spread[0], "encoded_scale": model.spread[1]}
    for label, (weights, bias) in model.weights.items():
        arrays |= {f"weights:{label}": weights, f"bias:{label}": bias, f"levels:{label}": model.levels[label]}
    buffer, path = io.BytesIO(), folder() / f"{name}.npz"
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    with files.atomic(path) as stream:
        stream.write(buffer.getvalue())
    return path


def load(name: str) -> Fitted:
    """The classifier kept under a name, or of a file."""
    path = Path(name) if name.endswith(".npz") else folder() / f"{name}.npz"
    if not path.is_file():
        raise MissingPart(f"There is no fitted classifier '{name}' here. Type: {_how(name)}")
    try:
        with np.load(path, allow_pickle=False) as found:
            return _unpacked(found)
    except (ValueError, KeyError, OSError) as error:
        raise InputError(f"is no fitted classifier: {error}", path=path) from error


def _how(name: str) -> str:
    kind, _, encoder = name.partition("-")
    return f"empathic models fit {kind} --data DIR" + (f" --encoder {encoder}" if encoder else "")


def _unpacked(found: Mapping[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]]) -> Fitted:
    labels = [str(label) for label in found["labels"].tolist()]
    terms = {str(term): place for place, term in enumerate(found["terms"].tolist())}
    label = str(found["encoder"][0]) if "encoder" in found else ""
    return Fitted(
        encoder=_encoder(label) if label else None,
        spread=(_floats(found["encoded_mean"]), _floats(found["encoded_scale"])) if label else None,
        source=str(found["source"][0]),
        vectors=vectors.Vectors(terms, _floats(found["idf"]), int(found["boundary"].tolist()[0])),
        mean=_floats(found["mean"]),
        scale=_floats(found["scale"]),
        weights={label: (_floats(found[f"weights:{label}"]), _floats(found[f"bias:{label}"])) for label in labels},
        levels={label: _floats(found[f"levels:{label}"]) for label in labels},
    )


def _encoder(label: str) -> Encoder:
    """The encoder a classifier was fitted with: NAME@HASH."""
    found: Encoder = registry.find("encoder", label.partition("@")[0]).thing()
    if found.label != label:
        raise SettingError(f"The classifier was fitted with {label}, here is {found.label}. Fit it again.")
    return found


def _floats(array: np.ndarray[tuple[int, ...], np.dtype[np.generic]]) -> Floats:
    return np.asarray(array, dtype=np.float64)
