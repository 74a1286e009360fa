"""Prompts and responses become named numbers: cues, who is spoken of, questions, affect, words taken from the prompt.

Everything about a response is a sum over its sentences, so that a sentence can be taken out again: the score without it
tells how much of the score it carries (`Quantities.without_each`).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic.contracts import Texts
from empathic.metrics import cues, lexicons
from empathic.metrics.coded import Coded, coded_responses, ragged_prompts
from empathic.metrics.ragged import (
    Floats,
    Ints,
    Ragged,
    Table,
    are_among,
    ragged,
    row_sum,
    segment_sum,
    table,
)

CUES = cues.names()
PLACE = {name: place for place, name in enumerate(CUES)}
AFFECT = ("valence", "intensity", "arousal")
COUNTED = ("words", "sentences", "questions", "you_statements", "i_statements", "impersonal", "question_words")
SUMMED = (*CUES, *COUNTED, "overlap", "content", *(f"{kind}_{name}" for name in AFFECT for kind in ("sum", "known")))
AT = {name: place for place, name in enumerate(SUMMED)}
LOGGED = tuple(range(len(CUES) + len(COUNTED)))
REACTIONS = ("sorry", "congratulation", "own_feeling")
NUMBERS = (
    "statement_words",
    "first_person_rate",
    "second_person_rate",
    *AFFECT,
    "overlap_rate",
    "overlap",
    *(f"prompt_{name}" for name in AFFECT),
    "valence_product",
    *(f"{name}_in_context" for name in REACTIONS),
)
NAMES = (*SUMMED[: len(LOGGED)], *NUMBERS)
VALENCE = NAMES.index("valence")
IN_CONTEXT = slice(NAMES.index("overlap_rate"), len(NAMES))  # the columns that depend on the prompt
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
        return row_sum(self.sentences, self.starts)

    def answering(self, whole: Floats, prompt: Sequence[str]) -> Floats:
        """The features `whole` of the responses as if all answered one prompt (its words in lower case)."""
        texts = self.texts
        asked = [texts.vocabulary[word] for word in set(prompt) - FUNCTION_WORDS]
        known = np.zeros(len(texts.vocabulary), dtype=np.bool_)
        known[asked] = True
        taken = known[texts.ids]
        overlap = segment_sum(segment_sum(taken, texts.starts), self.starts)
        content = segment_sum(self.sentences[:, AT["content"]], self.starts)
        reacts = np.minimum(np.expm1(whole[:, [PLACE[name] for name in REACTIONS]]), 1.0)
        about = np.tile(prompt_affect(ragged([prompt])), (len(whole), 1))
        moved = whole.copy()
        moved[:, IN_CONTEXT] = _context(overlap, content, about, whole[:, VALENCE], reacts)
        return moved

    def without_each(self) -> Floats:
        """Per sentence the features of its response without it."""
        owner = np.repeat(np.arange(len(self.prompts)), np.diff(self.starts))
        return features(self.sums()[owner] - self.sentences, self.prompts[owner])


def quantities(batch: Texts) -> Quantities:
    """Everything that is counted in a batch (a shared view: `batch.view(quantities)`)."""
    coded = batch.view(coded_responses)
    sentences = _marked(coded.sentences)
    counts = cues.embedded().counts(sentences)
    prompts = batch.view(ragged_prompts)
    overlap, content = _overlap(coded, prompts, sentences)
    columns = np.column_stack([counts, _counted(counts, sentences), overlap, content, _affect_sums(sentences)])
    return Quantities(columns, coded.owned, prompt_affect(prompts), sentences)


def _marked(sentences: Ragged) -> Ragged:
    """The sentences with the mark of a start before each."""
    start = sentences.vocabulary[cues.START]
    ids = np.insert(sentences.ids, sentences.starts[:-1], start)
    return sentences._replace(ids=ids, starts=sentences.starts + np.arange(len(sentences.starts)))


def features(sums: Floats, prompts: Floats) -> Floats:
    """Sums and prompts → the named numbers of NAMES: logarithms of counts, then rates, affect and context."""
    total = np.maximum(sums[:, AT["words"]], 1.0)
    affect = np.column_stack([_mean(sums, name) for name in AFFECT])
    reacts = np.minimum(sums[:, [AT[name] for name in REACTIONS]], 1.0)
    numbers = [
        np.log1p(np.maximum(sums[:, AT["words"]] - sums[:, AT["question_words"]], 0.0)),
        sums[:, AT["first_person"]] / total,
        sums[:, AT["second_person"]] / total,
        affect,
        _context(sums[:, AT["overlap"]], sums[:, AT["content"]], prompts, affect[:, 0], reacts),
    ]
    return np.column_stack([np.log1p(np.maximum(sums[:, : len(LOGGED)], 0.0)), *numbers])


def _context(overlap: Floats, content: Floats, prompts: Floats, valence: Floats, reacts: Floats) -> Floats:
    """The columns that depend on the prompt: words taken from it, its affect, and whether reactions fit its valence."""
    agreeing = prompts[:, :1]
    rate = overlap / np.maximum(content, 1.0)
    return np.column_stack(
        [rate, np.log1p(np.maximum(overlap, 0.0)), prompts, 10 * agreeing[:, 0] * valence, reacts * agreeing]
    )


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
    values = _scales().of(texts)
    known = ~np.isnan(values)
    pairs = np.empty((len(values), 2 * len(AFFECT)))
    pairs[:, 0::2], pairs[:, 1::2] = np.where(known, values, 0.0), known
    return row_sum(pairs, texts.starts)


@functools.cache
def _scales() -> Table:
    found = lexicons.find("vader+affect")
    return table([found.scale(name) for name in AFFECT])


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


def _overlap(coded: Coded, prompts: Ragged, sentences: Ragged) -> tuple[Floats, Floats]:
    """Per sentence how many content words it takes from the prompt, and how many it has."""
    content = np.flatnonzero(sentences.column(_is_content, bool))
    sentence = sentences.owner()[content]
    response = np.repeat(np.arange(len(coded.owned) - 1), np.diff(coded.owned))[sentence]
    taken = are_among(response, sentences.ids[content], prompts.owner(), prompts.ids)
    count = len(sentences.lengths)
    found = [np.bincount(sentence[chosen], minlength=count) for chosen in (taken, slice(None))]
    return found[0].astype(np.float64), found[1].astype(np.float64)


def _is_content(word: str) -> bool:
    return word not in FUNCTION_WORDS
