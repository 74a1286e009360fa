"""Sentences become labels of the Motivational Interviewing Treatment Integrity code: questions, advice, reflection, …

The labels are those of Welivita & Pu (2024). The rules that come with the package were written by hand
(`miti_rules.toml`); `empathic models fit miti --data DIR` fits a better classifier on the labels of the paper.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from empathic import files
from empathic.contracts import Column, Texts, Value
from empathic.metrics import fitted
from empathic.metrics.features import AT, CUES, Quantities, features, quantities
from empathic.metrics.ragged import Floats, Ints, segment_sum
from empathic.metrics.values import Values
from empathic.registry import register

RULES = Path(__file__).parent / "miti_rules.toml"
LABELS = (
    "Open Question",
    "Closed Question",
    "Simple Reflection",
    "Complex Reflection",
    "Affirm",
    "Support",
    "Self-Disclose",
    "Give Information",
    "Advise with Permission",
    "Advise without Permission",
    "Emphasize Autonomy",
    "Direct",
    "Confront",
    "Warn",
    "Other",
)
SHORT = 3


def column_name(label: str) -> str:
    """`Advise with Permission` → `advise_with_permission`."""
    return label.lower().replace(" ", "_").replace("-", "_")


@register("metric", "miti")
class Miti:
    """Share of a response's sentences with each MITI label (advice with and without permission, reflection, …).

    `model` is `rules`, or the name (`miti`) or path of what `empathic models fit miti` made.
    """

    columns = tuple(Column(name=column_name(label), low=0, high=1, better="human") for label in LABELS)
    caution = (
        "Labels by hand-written rules: 62 % of the human and 58 % of the GPT-4 sentences of Welivita & Pu get the "
        "label of their classifier (macro-F1 .38 and .36; docs/metrics.md): read them as tendencies."
    )

    def __init__(self, *, model: str = "rules") -> None:
        self.fitted = None if model == "rules" else fitted.load(model)
        if self.fitted is not None:
            self.caution = f"Labels by a classifier fitted on {self.fitted.source}; read them as tendencies."

    def settings(self) -> dict[str, str]:
        """What decides the numbers."""
        return {"model": f"rules@{files.sha256(RULES)[:8]}" if self.fitted is None else self.fitted.source}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """Per response the share of its sentences with each label."""
        found = batch.view(quantities)
        labels = sentence_labels(found) if self.fitted is None else fitted_labels(self.fitted, batch)
        total = np.maximum(np.diff(found.starts), 1)
        shares = [segment_sum(labels == place, found.starts) / total for place in range(len(LABELS))]
        return {column.name: Values(share) for column, share in zip(self.columns, shares, strict=True)}


def fitted_labels(model: fitted.Fitted, batch: Texts) -> Ints:
    """Per sentence the place in LABELS of its likeliest label under a fitted classifier."""
    pairs = zip(batch.sentences, batch.texts, strict=True)
    sentences = [sentence for found, text in pairs for sentence in (found if len(found) > 1 else [text])]
    likeliest = model.probabilities(sentences, sentence_rows(batch.view(quantities)))["miti"].argmax(axis=1)
    return np.asarray(model.levels["miti"][likeliest].astype(np.int64))


def sentence_rows(found: Quantities) -> Floats:
    """Per sentence its features, as an answer to the prompt of its response."""
    owner = np.repeat(np.arange(len(found.prompts)), np.diff(found.starts))
    return features(found.sentences, found.prompts[owner])


def sentence_labels(found: Quantities) -> Ints:
    """Per sentence the place in LABELS of the label most rules speak for."""
    return labels_of(sentence_marks(found))


def labels_of(marks: Floats) -> Ints:
    """The label most rules speak for, given the marks of sentences."""
    return np.asarray((marks @ rules().T).argmax(axis=1))


def sentence_marks(found: Quantities) -> Floats:
    """Per sentence which cues occur, what kind of sentence it is, and 1 for the base."""
    table = found.sentences
    kinds = [table[:, AT[name]] > 0 for name in ("questions", "you_statements", "i_statements", "impersonal")]
    short = table[:, AT["words"]] <= SHORT
    return np.column_stack([table[:, : len(CUES)] > 0, *kinds, short, np.ones(len(table))]).astype(np.float64)


@functools.cache
def rules() -> Floats:
    """The weights of `miti_rules.toml`: one row per label, one column per mark."""
    names = (*CUES, "question", "you_statement", "i_statement", "impersonal", "short", "base")
    with RULES.open("rb") as stream:
        written: dict[str, dict[str, float]] = tomllib.load(stream)["labels"]
    weights = np.zeros((len(LABELS), len(names)))
    for label, marks in written.items():
        for mark, weight in marks.items():
            weights[LABELS.index(label), names.index(mark)] = weight
    return weights
