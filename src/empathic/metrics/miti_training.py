"""The labels released by Welivita & Pu (2024) become a fitted classifier of sentences, on the user's own copy.

The release is CC BY-NC: neither it nor what is fitted to it comes with the package. `miti_chatgpt_empathy` of the
release repeats the labels of other responses and is never read.
"""

from __future__ import annotations

import ast
import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np

from empathic import files
from empathic.errors import InputError
from empathic.metrics import fitted
from empathic.metrics.batch import Batch
from empathic.metrics.features import quantities
from empathic.metrics.miti import LABELS, sentence_marks, sentence_rows
from empathic.metrics.ragged import Floats
from empathic.records import Response, Turn

FILE = "dataset_and_ratings.csv"
CONDITIONS = ("human", "chatgpt")


class Labelled(NamedTuple):
    """Sentences with their labels; sentences of one dialogue share a group."""

    sentences: list[str]
    rows: Floats  # features, for the fitted classifier
    marks: Floats  # what the rules look at
    labels: Floats  # places in LABELS
    groups: list[str]
    conditions: list[str]
    left_out: int  # responses whose number of labels is not our number of sentences
    sha256: str


def read(folder: Path) -> Labelled:
    """Read the released table: every sentence of people and of GPT-4 (vanilla) with its label."""
    path = folder / FILE
    files.open_binary(path).close()
    with path.open(encoding="utf-8", newline="") as stream:
        table = list(csv.DictReader(stream))
    if not table or f"miti_{CONDITIONS[0]}" not in table[0]:
        raise InputError("has no column miti_human: take the table released by Welivita & Pu (2024)", path=path)
    pairs = [(row, condition) for condition in CONDITIONS for row in table]
    batch = Batch([_response(row, condition) for row, condition in pairs])
    labels = [_labels(row[f"miti_{condition}"], path) for row, condition in pairs]
    kept = [len(own) == len(found) for own, found in zip(labels, batch.sentences, strict=True)]
    found = quantities(batch)
    inside = np.repeat(kept, np.diff(found.starts))
    chosen = [place for place, keep in enumerate(kept) if keep]
    return Labelled(
        sentences=[sentence for place in chosen for sentence in batch.sentences[place]],
        rows=sentence_rows(found)[inside],
        marks=sentence_marks(found)[inside],
        labels=np.array([label for place in chosen for label in labels[place]], dtype=np.float64),
        groups=[pairs[place][0]["dialog_id"] for place in chosen for _ in labels[place]],
        conditions=[pairs[place][1] for place in chosen for _ in labels[place]],
        left_out=len(kept) - len(chosen),
        sha256=files.sha256(path),
    )


def fit(found: Labelled) -> fitted.Fitted:
    """The classifier of all labelled sentences."""
    return fitted.fit(found.sentences, found.rows, {"miti": found.labels}, source=f"miti@{found.sha256[:8]}")


def cross_validated(found: Labelled, *, folds: int, seed: int) -> Floats:
    """The probabilities of the labels for each sentence, by classifiers that did not see its dialogue."""
    values = {"miti": found.labels}
    probabilities = fitted.cross_validated(found.sentences, found.rows, values, found.groups, folds=folds, seed=seed)
    result = np.zeros((len(found.labels), len(LABELS)))
    result[:, np.unique(found.labels).astype(int)] = probabilities["miti"]
    return result


def _response(row: dict[str, str], condition: str) -> Response:
    turns = (Turn(role="speaker", text=row["speaker_uttr"]),)
    text = row[f"response_{condition}"]
    return Response(id=row["dialog_id"], system=condition, dialogue=row["dialog_id"], turns=turns, text=text)


def _labels(text: str, path: Path) -> list[int]:
    try:
        return [LABELS.index(label) for label in ast.literal_eval(text)]
    except (ValueError, SyntaxError) as error:
        raise InputError(f"{text[:60]!r} is no list of MITI labels", path=path) from error
