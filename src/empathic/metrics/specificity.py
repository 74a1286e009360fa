"""Responses become their specificity: how rare their words are, on average (NIDF; See et al. 2019; Lee et al. 2024)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from empathic.contracts import Column, Texts, Value
from empathic.metrics import reference
from empathic.metrics.coded import ragged_responses
from empathic.metrics.ragged import distinct, segment_sum
from empathic.registry import register

APOSTROPHES = frozenset("'’")
CLITICS = frozenset(("s", "m", "d", "t", "ll", "re", "ve"))


@register("metric", "specificity", version=1)
class SpecificityV1:
    """Mean NIDF of the different words of a response, as Lee et al. (2024) computed it: case as is, unseen words → 1.

    With `reference` = counts of EmpatheticDialogues it reproduces Figure 2. Two artefacts: lower-case systems look
    more specific than they are where the counts are of written text ("i" is rarer than "I"), and systems that write
    "i ' m" get two rare words for one frequent one. Version 2 has neither.
    """

    columns = (Column(low=0, high=1, better="higher", summary="0: only the most frequent word; 1: only unseen words"),)

    def __init__(self, *, reference: str = reference.BUILTIN) -> None:
        self.name, self.rarity = _load(reference, fold_case=False)

    def settings(self) -> dict[str, object]:
        """What decides the numbers."""
        return {"reference": self.name}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """The mean over the different words."""
        return {"": [_mean(self.rarity, words) for words in batch.words]}


@register("metric", "specificity", version=2)
class SpecificityV2:
    """Mean NIDF of the different words of a response: case-folded, split apostrophes rejoined ("i ' m" → "i 'm")."""

    columns = (
        Column(low=0, high=1, better="higher", summary="0: only the most frequent word; 1: only unseen words"),
        Column(name="unseen", low=0, high=1, summary="share of its words the reference does not know"),
    )

    def __init__(self, *, reference: str = reference.BUILTIN) -> None:
        self.name, self.rarity = _load(reference, fold_case=True)

    def settings(self) -> dict[str, object]:
        """What decides the numbers."""
        return {"reference": self.name}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """The mean over the different words, and the share that is unseen."""
        texts = batch.view(ragged_responses)
        owner, words = distinct(texts.owner(), texts.ids)
        rarity = texts.vocabulary.column(self.rarity.__getitem__, np.float64)[words].tolist()
        known = texts.vocabulary.column(self.rarity.__contains__, np.float64)[words].tolist()
        starts = np.searchsorted(owner, np.arange(len(texts.starts))).tolist()
        bounds = list(zip(starts[:-1], starts[1:], strict=True))
        means = [math.fsum(rarity[start:end]) / (end - start) for start, end in bounds]
        unseen = [1 - sum(known[start:end]) / (end - start) for start, end in bounds]
        split = np.flatnonzero(segment_sum(texts.column(APOSTROPHES.__contains__, bool), texts.starts))
        for place in split.tolist():
            row = dict.fromkeys(rejoined(texts.strings(place)))
            means[place] = _mean(self.rarity, row)
            unseen[place] = 1 - sum(map(self.rarity.__contains__, row)) / len(row)
        return {"": means, "unseen": unseen}


_load = reference.load  # the classes have a keyword of the module's name


def _mean(rarity: reference.Rarity, words: Sequence[str] | Mapping[str, None]) -> float:
    """fsum is exact, so the order of words does not matter."""
    different = dict.fromkeys(words)
    return math.fsum(map(rarity.__getitem__, different)) / len(different)


def rejoined(words: Sequence[str]) -> Sequence[str]:
    """Clitics that were split at their apostrophe, as the Penn Treebank has them: i ' m → i 'm, don ' t → do n't."""
    if APOSTROPHES.isdisjoint(words):
        return words
    found: list[str] = []
    place = 0
    while place < len(words):
        if found and words[place] in APOSTROPHES and place + 1 < len(words) and words[place + 1] in CLITICS:
            _join(found, words[place + 1])
            place += 2
        else:
            found.append(words[place])
            place += 1
    return found


def _join(found: list[str], clitic: str) -> None:
    if clitic != "t":
        found.append(f"'{clitic}")
    elif len(found[-1]) > 1 and found[-1].endswith("n"):
        found[-1] = found[-1][:-1]
        found.append("n't")
    else:
        found.append("'t")
