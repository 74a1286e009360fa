"""Responses become how much they repeat: themselves, and what the listener said earlier in the conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from empathic.contracts import Column, Missing, Texts, Value
from empathic.metrics.batch import TOKENS
from empathic.records import Response
from empathic.registry import register

REMEMBERED = 8_000  # earlier turns: other systems answer in the same conversations
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
        pairs = [list(zip(words, words[1:], strict=False)) for words in batch.lower]
        within: list[Value] = [1 - len(set(row)) / len(row) if row else TOO_SHORT for row in pairs]
        before = [
            _said_before(response, row, batch.tokens) for response, row in zip(batch.responses, pairs, strict=True)
        ]
        return {"within": within, "before": before}


def _said_before(response: Response, pairs: list[tuple[str, str]], tokens: str) -> Value:
    earlier = [turn.text for turn in response.turns if turn.role == "listener"]
    if not earlier:
        return FIRST_TURN
    if not pairs:
        return TOO_SHORT
    said = _pairs(earlier[0], tokens).union(*(_pairs(text, tokens) for text in earlier[1:]))
    return sum(map(said.__contains__, pairs)) / len(pairs)


@lru_cache(maxsize=REMEMBERED)
def _pairs(text: str, tokens: str) -> frozenset[tuple[str, str]]:
    words = TOKENS[tokens](text.lower())
    return frozenset(zip(words, words[1:], strict=False))
