"""Responses become how surprising their words are to a language model. Reported because reviewers ask."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from empathic import registry
from empathic.contracts import Column, Likelihood, Missing, Texts, Value
from empathic.errors import SettingError, UnknownName
from empathic.records import Response
from empathic.registry import register

CAUTION = (
    "tells how predictable the words are to one language model, not whether they fit or comfort; generic replies are "
    "the most predictable, and automatic measures of this kind hardly correlate with what people think (Liu et al. "
    "2016; Lee et al. 2024, §3.2); not empathy"
)
CONTEXTS = ("turns", "none")


@register("metric", "perplexity")
class Perplexity:
    """Perplexity of a response under a local GGUF model: PPL = exp(−(1/T) Σₜ ln p(wₜ | c, w₁ … wₜ₋₁)).

    w₁ … w_T are the model's own tokens of the response; c is what was said before, one turn per line, a line break at
    its end (`context=turns`), or the line break alone (`context=none`); no chat template. `nll` is the mean in the
    exponent, in nats: average it over responses rather than `perplexity`, whose mean a few odd responses rule.
    Perplexities of models with different tokens cannot be compared. Settings: `model` (`smollm2`, or a path ending in
    .gguf), `context`.
    """

    default, external, caution = False, True, CAUTION
    columns = (
        Column(low=1, summary="exp of nll"),
        Column(name="nll", low=0, summary="mean −ln p of a token, in nats"),
        Column(name="tokens", low=1, summary="the model's tokens of the response"),
    )

    def __init__(self, *, model: str = "", context: str = "turns") -> None:
        if not model:
            raise SettingError("The metric 'perplexity' needs a model: --set perplexity.model=smollm2 (or PATH.gguf)")
        if context not in CONTEXTS:
            raise UnknownName("context of perplexity", context, CONTEXTS)
        self.context = context
        self.model: Likelihood = registry.find("model", "llama-cpp").thing.likelihood(model)

    def settings(self) -> dict[str, object]:
        """What decides the numbers."""
        return {"context": self.context, **self.model.settings()}

    def score(self, batch: Texts) -> Mapping[str, Sequence[Value]]:
        """Perplexity, mean −ln p and number of tokens per response."""
        rows = [self._row(response) for response in batch.responses]
        return {column.name: [row[place] for row in rows] for place, column in enumerate(self.columns)}

    def _row(self, response: Response) -> tuple[Value, Value, Value]:
        before = "".join(f"{turn.text}\n" for turn in response.turns) if self.context == "turns" else ""
        found = self.model.logprobs(before or "\n", response.text or "")
        if isinstance(found, Missing):
            return found, found, found
        return (*perplexity(found), len(found))


def perplexity(logprobs: Sequence[float]) -> tuple[Value, float]:
    """exp(−mean) and −mean of log-probabilities."""
    surprise = max(0.0, -math.fsum(logprobs) / len(logprobs))
    try:
        return math.exp(surprise), surprise
    except OverflowError:
        return Missing(reason="the perplexity is larger than a number can be"), surprise
