"""Responses become whom they are about: the other, the responder's own experience, or both (iEval, Table 2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from empathic.contracts import Column, Texts, Value
from empathic.metrics.features import AT, quantities
from empathic.metrics.ragged import Floats, segment_sum
from empathic.metrics.values import Values
from empathic.registry import register


@register("metric", "orientation")
class Orientation:
    """Whom a response is about: self (own experience), other, or both, after Table 2 of Svikhnushina et al. (2022).

    Rule: a sentence is about oneself if it tells of one's own life ("I have a dog", "my sister …", "me too") and is not
    said to the other ("I hope you …", "I'm sorry"); a response without such a sentence is oriented to the other.
    """

    columns = (
        Column(name="self", low=0, high=1, summary="only the responder's own experience"),
        Column(name="other", low=0, high=1, summary="only the other person"),
        Column(name="both", low=0, high=1),
    )
    caution = "A rule over cue phrases; the annotations of iEval are not released (comparison: docs/metrics.md)."

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """One of the three is 1, the others 0."""
        found = batch.view(quantities)
        cue = found.sentences
        asks, yours = cue[:, AT["questions"]] > 0, cue[:, AT["second_person"]] > 0
        mine = cue[:, AT["first_person"]] > 0
        kind = _sum(cue, "sorry", "own_feeling", "hope", "offer", "understanding", "congratulation", "irrelevant_sorry")
        tells = mine & ((cue[:, AT["own_story"]] > 0) | (cue[:, AT["sameness"]] > 0) | ((kind == 0) & ~yours)) & ~asks
        self_ = segment_sum(tells, found.starts) > 0
        other = segment_sum(~tells & (yours | asks | ~mine | (kind > 0)) | (tells & yours), found.starts) > 0
        return {
            "self": Values(self_ & ~other),
            "other": Values(~self_),
            "both": Values(self_ & other),
        }


def _sum(table: Floats, *names: str) -> Floats:
    return np.asarray(table[:, [AT[name] for name in names]].sum(axis=1))
