"""Responses become their length: words, sentences, characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from empathic.contracts import Column, Texts
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

    def score(self, batch: Texts) -> Mapping[str, Sequence[float]]:
        """Counts per response."""
        return {
            "words": [len(words) for words in batch.words],
            "sentences": [len(found) for found in batch.sentences],
            "characters": [len(text) for text in batch.texts],
        }
