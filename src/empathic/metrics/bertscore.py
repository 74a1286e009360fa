"""Responses and what a person answered become BERTScore: each token is matched with the most similar one of the other.

Zhang et al. (2020), for unit vectors xᵢ of the reference's tokens and x̂ⱼ of the response's:

    R = (1/|x|) Σᵢ maxⱼ xᵢ·x̂ⱼ,   P = (1/|x̂|) Σⱼ maxᵢ xᵢ·x̂ⱼ,   F1 = 2PR / (P + R)

No idf weights, no rescaling with a baseline. Marks of the model ([CLS], [SEP]) take no part; the authors' program lets words
match them, which can raise a number slightly. What is longer than the model takes ends there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from empathic import files, parts
from empathic.contracts import Column, Missing, Texts, Value
from empathic.errors import InputError, SettingError
from empathic.metrics.overlap import CAUTION, NO_REFERENCE
from empathic.metrics.ragged import Floats
from empathic.registry import register

BATCH = 32
NO_TOKENS = Missing(reason="the model has no token for the response or for its reference")


@register("metric", "bertscore")
class BertScore:
    """BERTScore precision, recall and F1 (Zhang et al. 2020) against the reference answers, by a local model folder.

    Settings: `model` (a Hugging Face folder), `layer` (which hidden layer, 0 the embeddings; −1 the last).
    """

    default, external, caution = False, True, CAUTION
    columns = tuple(Column(name=name, low=-1, high=1) for name in ("precision", "recall", "f1"))

    def __init__(self, *, model: str = "", layer: int = -1) -> None:
        if not model:
            raise SettingError("The metric 'bertscore' needs the folder of a model: --set bertscore.model=PATH")
        self.vectors = Vectors(Path(model).expanduser(), layer)

    def settings(self) -> dict[str, object]:
        """What decides the numbers."""
        return {"model": self.vectors.model_hash, "layer": self.vectors.layer, "idf": "no", "rescaled": "no"}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """The three numbers per response."""
        known = [(text, other) for text, other in zip(batch.texts, batch.references, strict=True) if other is not None]
        vectors = iter(self.vectors.of([text for pair in known for text in pair]))
        rows = [None if other is None else matched(next(vectors), next(vectors)) for other in batch.references]
        found = [(NO_REFERENCE,) * 3 if row is None else row for row in rows]
        return {column.name: [row[place] for row in found] for place, column in enumerate(self.columns)}


def matched(response: Floats, reference: Floats) -> tuple[Value, Value, Value]:
    """Precision, recall and F1 of greedy matching; rows are tokens, of any length but 0."""
    if not len(response) or not len(reference):
        return NO_TOKENS, NO_TOKENS, NO_TOKENS
    similar = _unit(reference) @ _unit(response).T
    recall, precision = _mean(similar.max(axis=1)), _mean(similar.max(axis=0))
    total = precision + recall
    if total <= 0:  # vectors that point apart: the harmonic mean has no meaning
        return precision, recall, Missing(reason="precision and recall are not positive")
    return precision, recall, min(1.0, 2 * precision * recall / total)


def _unit(rows: Floats) -> Floats:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def _mean(values: Floats) -> float:
    return float(np.clip(values.mean(), -1.0, 1.0))  # rounding can pass 1 in the last digit


class Vectors:
    """Texts → one vector per token (special tokens left out), by one hidden layer of a local model."""

    def __init__(self, folder: Path, layer: int) -> None:
        transformers, self.torch = parts.need("transformers"), parts.need("torch")
        if not (folder / "config.json").is_file():
            raise InputError("holds no config.json: give the folder of a Hugging Face model", path=folder)
        self.tokenizer = transformers.AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
        self.model = transformers.AutoModel.from_pretrained(str(folder), local_files_only=True).eval()
        layers = int(self.model.config.num_hidden_layers)
        if not -layers - 1 <= layer <= layers:
            raise SettingError(f"bertscore.layer is {layer}; the model has the layers 0 (embeddings) to {layers}.")
        self.layer, self.model_hash = layer % (layers + 1), _weights_hash(folder)

    def of(self, texts: Sequence[str]) -> list[Floats]:
        """Per text the vectors of its tokens."""
        found: list[Floats] = []
        for start in range(0, len(texts), BATCH):
            found += self._batch(texts[start : start + BATCH])
        return found

    def _batch(self, texts: Sequence[str]) -> list[Floats]:
        room = getattr(self.model.config, "max_position_embeddings", 512) - 2  # RoBERTa keeps two places for itself
        longest = min(int(self.tokenizer.model_max_length), room)
        tokens = self.tokenizer(
            list(texts),
            padding=True,
            truncation=True,
            max_length=longest,
            return_tensors="pt",
            return_special_tokens_mask=True,
        )
        own = (tokens.pop("special_tokens_mask") == 0) & (tokens["attention_mask"] == 1)
        with self.torch.no_grad():
            states = self.model(**tokens, output_hidden_states=True).hidden_states[self.layer]
        rows: list[tuple[Any, Any]] = list(zip(states.double(), own, strict=True))
        return [np.asarray(state[mask].numpy()) for state, mask in rows]


def _weights_hash(folder: Path) -> str:
    """The hash of the file of weights: which model it was."""
    found = sorted([*folder.glob("*.safetensors"), *folder.glob("*.bin")])
    return files.sha256(found[0])[:8] if found else "unknown"
