"""Prompts and responses become named numbers: cues, who is spoken of, questions, affect, words taken from the prompt.

Everything about a response is a sum over its sentences, so that a sentence can be taken out again: the score without it
tells how much of the score it carries (`Quantities.without_each`).
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic.contracts import Texts
from empathic.metrics import cues, lexicons
from empathic.metrics.ragged import Floats, Ints, Ragged, bounds, ragged, ragged_prompts, segment_sum

CUES = cues.embedded().names
PLACE = {name: place for place, name in enumerate(CUES)}
AFFECT = ("valence", "intensity", "arousal")
COUNTED = ("words", "sentences", "questions", "you_statements", "i_statements", "impersonal", "question_words")
SUMMED = (*CUES, *COUNTED, "overlap", "content", *(f"{kind}_{name}" for name in AFFECT for kind in ("sum", "known")))
AT = {name: place for place, name in enumerate(SUMMED)}
LOGGED = tuple(range(len(CUES) + len(COUNTED)))
NUMBERS = (
    "statement_words",
    "first_person_rate",
    "second_person_rate",
    "overlap_rate",
    "overlap",
    *AFFECT,
    *(f"prompt_{name}" for name in AFFECT),
    "valence_product",
    "sorry_in_context",
    "congratulation_in_context",
    "own_feeling_in_context",
)
NAMES = (*SUMMED[: len(LOGGED)], *NUMBERS)
FUNCTION_WORDS = frozenset(
    resources.files("empathic.metrics").joinpath("data", "function_words.txt").read_text(encoding="utf-8").split()
) | {cues.START}


class Quantities(NamedTuple):
    """Per sentence the sums, the bounds of each response's sentences, and per response what its prompt says."""

    sentences: Floats  # one row per sentence, columns SUMMED
    starts: Ints
    prompts: Floats  # one row per response, columns AFFECT
    texts: Ragged  # the words of the sentences

    def whole(self) -> Floats:
        """The features of each response, columns NAMES."""
        return features(self.sums(), self.prompts)

    def sums(self) -> Floats:
        """Per response the sums over its sentences."""
        return _added(self.sentences, self.starts)

    def answering(self, prompt: Sequence[str]) -> Quantities:
        """The same responses as if all answered one prompt (its words in lower case)."""
        known, texts = set(prompt) - FUNCTION_WORDS, self.texts
        taken = np.array([word in known for word in texts.words] or [False])[texts.ids]
        table = self.sentences.copy()
        table[:, AT["overlap"]] = segment_sum(taken, texts.starts)
        return self._replace(sentences=table, prompts=np.repeat(prompt_affect(ragged([prompt])), len(self.prompts), 0))

    def without_each(self) -> Floats:
        """Per sentence the features of its response without it."""
        owner = np.repeat(np.arange(len(self.prompts)), np.diff(self.starts))
        return features(self.sums()[owner] - self.sentences, self.prompts[owner])


def quantities(batch: Texts) -> Quantities:
    """Everything that is counted in a batch (a shared view: `batch.view(quantities)`)."""
    rows = batch.sentence_lower
    starts = bounds(map(len, rows))
    sentences = ragged([[cues.START, *sentence] for row in rows for sentence in row])
    counts = cues.embedded().counts(sentences)
    overlap, content = _overlap(batch, sentences)
    table = np.column_stack([counts, _counted(counts, sentences), overlap, content, _affect_sums(sentences)])
    return Quantities(table, starts, prompt_affect(batch.view(ragged_prompts)), sentences)


def features(sums: Floats, prompts: Floats) -> Floats:
    """Sums and prompts → the named numbers of NAMES: logarithms of counts, then rates, affect and context."""
    total = np.maximum(sums[:, AT["words"]], 1.0)
    affect = np.column_stack([_mean(sums, name) for name in AFFECT])
    agreeing = prompts[:, 0]
    numbers = [
        np.log1p(np.maximum(sums[:, AT["words"]] - sums[:, AT["question_words"]], 0.0)),
        sums[:, AT["first_person"]] / total,
        sums[:, AT["second_person"]] / total,
        sums[:, AT["overlap"]] / np.maximum(sums[:, AT["content"]], 1.0),
        np.log1p(sums[:, AT["overlap"]]),
        affect,
        prompts,
        10 * agreeing * affect[:, 0],
        *(np.minimum(sums[:, AT[name]], 1.0) * agreeing for name in ("sorry", "congratulation", "own_feeling")),
    ]
    return np.column_stack([np.log1p(np.maximum(sums[:, : len(LOGGED)], 0.0)), *numbers])


def prompt_affect(prompts: Ragged) -> Floats:
    """What the words of each prompt say: valence around 0, intensity, arousal."""
    sums = np.zeros((len(prompts.starts) - 1, len(SUMMED)))
    sums[:, -2 * len(AFFECT) :] = _affect_sums(prompts)
    return np.column_stack([_mean(sums, name) for name in AFFECT])


def _mean(sums: Floats, name: str) -> Floats:
    known = sums[:, AT[f"known_{name}"]]
    middle = 0.5 if name == "valence" else 0.0
    mean = sums[:, AT[f"sum_{name}"]] / np.maximum(known, 1.0) - middle
    return np.where(known > 0, mean, 0.0)


def _affect_sums(texts: Ragged) -> Floats:
    found, columns = lexicons.find("vader+affect"), []
    for name in AFFECT:
        values, known = texts.lookup(found.scale(name))
        columns += [segment_sum(values[texts.ids], texts.starts), segment_sum(known[texts.ids], texts.starts)]
    return np.column_stack(columns)


def _counted(counts: Floats, sentences: Ragged) -> Floats:
    """The columns COUNTED of each sentence."""
    mine, yours = counts[:, PLACE["first_person"]] > 0, counts[:, PLACE["second_person"]] > 0
    asks, length = counts[:, PLACE["question_mark"]] > 0, sentences.lengths - 1
    columns: list[NDArray[np.generic]] = [
        length,
        np.ones(len(length)),
        asks,
        yours & ~mine & ~asks,
        mine & ~yours & ~asks,
        ~mine & ~yours & ~asks,
        length * asks,
    ]
    return np.column_stack(columns).astype(np.float64)


def _overlap(batch: Texts, sentences: Ragged) -> tuple[Floats, Floats]:
    """Per sentence how many content words it takes from the prompt, and how many it has."""
    content = np.array([word not in FUNCTION_WORDS for word in sentences.words] or [False])[sentences.ids]
    taken: list[bool] = []
    for prompt, row in zip(batch.prompt_lower, batch.sentence_lower, strict=True):
        known = set(prompt)
        for sentence in row:
            taken.append(False)
            taken += [word in known for word in sentence]
    both = np.array(taken, dtype=bool) & content
    return segment_sum(both, sentences.starts), segment_sum(content, sentences.starts)


def _added(table: Floats, starts: Ints) -> Floats:
    filled = starts[1:] > starts[:-1]
    result = np.zeros((len(starts) - 1, table.shape[1]))
    if filled.any():
        result[filled] = np.add.reduceat(table, starts[:-1][filled], axis=0)
    return result
