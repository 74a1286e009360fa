"""Responses become how much they repeat: themselves, and what the listener said earlier in the conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from empathic.contracts import Column, Missing, Texts, Value
from empathic.metrics.coded import memory_of, ragged_responses, remembered_words
from empathic.metrics.ragged import Bools, Ints, Ragged, are_among, distinct
from empathic.metrics.values import Values, where
from empathic.registry import register

TOO_SHORT = Missing(reason="the response is shorter than two words")
FIRST_TURN = Missing(reason="the listener said nothing before")


@register("metric", "repetition")
class Repetition:
    """Share of word pairs said before: in the response itself, and in the listener's earlier turns.

    `within` = 1 − different pairs / pairs. `before` = pairs that stand in an earlier listener turn / pairs.
    """

    columns = (
        Column(name="within", low=0, high=1, better="lower", summary="of its word pairs, said twice in the response"),
        Column(name="before", low=0, high=1, better="lower", summary="of its word pairs, said earlier by the listener"),
    )

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """Both shares per response."""
        texts, size = batch.view(ragged_responses), len(batch.texts)
        earlier = [[turn.text for turn in one.turns if turn.role == "listener"] for one in batch.responses]
        said = [text.lower() for text in chain.from_iterable(earlier)]
        turns = remembered_words(said, batch.view(memory_of))
        owner, pairs = _pairs(texts)
        total = np.bincount(owner, minlength=size)
        again = np.bincount(owner, _said(owner, pairs, turns, list(map(len, earlier))), minlength=size)
        different, most = np.bincount(distinct(owner, pairs)[0], minlength=size), np.maximum(total, 1)
        why = np.where(list(map(bool, earlier)), np.where(total > 0, 0, 2), 1)
        return {
            "within": where(total > 0, 1 - different / most, TOO_SHORT),
            "before": Values(again / most, why, (FIRST_TURN, TOO_SHORT)),
        }


def _said(owner: Ints, pairs: Ints, turns: Ragged, counts: Sequence[int]) -> Bools:
    """For each pair whether it stands in an earlier turn; the k-th response comes after `counts[k]` of the turns."""
    turn, known = _pairs(turns)
    after = np.repeat(np.arange(len(counts)), counts)
    return are_among(owner, pairs, after[turn], known)


def _pairs(texts: Ragged) -> tuple[Ints, Ints]:
    """The word pairs of texts as one number each, and the text each stands in."""
    owner = texts.owner()
    inside = owner[1:] == owner[:-1]
    return owner[1:][inside], (texts.ids[:-1] * len(texts.vocabulary) + texts.ids[1:])[inside]
