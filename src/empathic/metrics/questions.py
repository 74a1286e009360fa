"""Responses become how much they ask: question marks, sentences that ask, and questions that fit any prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from empathic.contracts import Column, Texts, Value
from empathic.metrics.features import AT, quantities
from empathic.metrics.ragged import segment_sum
from empathic.metrics.values import Values
from empathic.registry import register


@register("metric", "questions")
class Questions:
    """Questions of a response: marks as iEval counts them, sentences that ask, generic ones ("What kind of …").

    `marks` is the count of `?` of Table 1 of Svikhnushina et al. (2022); §5.3 of the paper holds generic
    information-seeking questions against MEED and Plain in negative contexts.
    """

    columns = (
        Column(name="marks", low=0, summary="question marks (iEval, Table 1)"),
        Column(name="sentences", low=0, summary="sentences that ask"),
        Column(name="generic", low=0, summary='sentences that ask what fits any prompt: "What kind of …"'),
    )

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """Counts per response."""
        found = batch.view(quantities)
        asks = found.sentences[:, AT["questions"]] > 0
        generic = asks & (found.sentences[:, AT["generic_question"]] > 0)
        return {
            "marks": [float(text.count("?")) for text in batch.texts],
            "sentences": Values(segment_sum(asks, found.starts)),
            "generic": Values(segment_sum(generic, found.starts)),
        }
