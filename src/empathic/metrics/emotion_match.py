"""Prompt and response become how alike the emotions of their words are (eight emotions of an affect lexicon)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from empathic.contracts import Column, Missing, Texts, Value
from empathic.metrics import lexicons
from empathic.metrics.coded import ragged_prompts, ragged_responses
from empathic.metrics.ragged import Floats, Ragged, row_sum, table
from empathic.metrics.values import where
from empathic.registry import register

NONE = Missing(reason="the utterance that is answered or the response has no word with an emotion")


@register("metric", "emotion_match")
class EmotionMatch:
    """Whether the words of prompt and response carry the same emotions: cosine, and whether the strongest is the same.

    A text's emotions are the summed intensities of its words, per emotion: e ∈ R⁸; cosine = e_p · e_r / (‖e_p‖ ‖e_r‖).
    """

    columns = (
        Column(name="cosine", low=0, high=1, better="human"),
        Column(name="same", low=0, high=1, better="human", summary="1 if the strongest emotion is the same"),
    )
    caution = "Word by word: comfort answers sadness with words of trust and joy, so a match is not empathy by itself."

    def __init__(self, *, lexicon: str = "affect") -> None:
        self.lexicon = lexicons.find(lexicon)
        scales = [self.lexicon.scale(lexicons.emotion_scale(emotion)) for emotion in lexicons.EMOTIONS]
        self.table = table(scales, other=0.0)

    def settings(self) -> dict[str, str]:
        """What decides the numbers."""
        return {"lexicon": self.lexicon.label}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """Cosine and sameness per response."""
        prompts, responses = self._emotions(batch.view(ragged_prompts)), self._emotions(batch.view(ragged_responses))
        size = np.linalg.norm(prompts, axis=1) * np.linalg.norm(responses, axis=1)
        cosine = np.minimum(1.0, (prompts * responses).sum(axis=1) / np.where(size > 0, size, 1.0))
        same = (prompts.argmax(axis=1) == responses.argmax(axis=1)).astype(float)
        return {name: where(size > 0, values, NONE) for name, values in (("cosine", cosine), ("same", same))}

    def _emotions(self, texts: Ragged) -> Floats:
        """Per text the summed intensity of each emotion."""
        return row_sum(self.table.of(texts), texts.starts)
