"""Responses become their length: words, sentences, characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from empathic.contracts import Column, Texts, Value
from empathic.metrics.coded import coded_responses
from empathic.metrics.values import Values
from empathic.registry import register


@register("metric", "length")
class Length:
    """How long a response is: words, sentences, characters.

    Length alone moves many other measures (a maximum grows with it), so it stands beside all of them.
    """

    columns = (
        Column(name="words", low=0, summary="words, punctuation included"),
        Column(name="sentences", low=0),
        Column(name="characters", low=1),
    )

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """Counts per response."""
        found = batch.view(coded_responses)
        return {
            "words": Values(found.words.lengths),
            "sentences": Values(np.where(found.words.lengths > 0, np.diff(found.owned), 0)),
            "characters": [len(text) for text in batch.texts],
        }
