"""The last thing the speaker said becomes an answer without any understanding: if-else, echo; or a person's own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from empathic.contracts import Reply, Request
from empathic.registry import register
from empathic.systems.base import Simple

HAPPY, SORRY = "I'm happy to hear that.", "I'm sorry to hear that."


@register("system", "builtin/if-else")
class IfElse(Simple):
    """Always "I'm happy to hear that." or "I'm sorry to hear that.", by the sentiment of what was said.

    The thought experiment of Lee, Kummerfeld, An and Mihalcea (2024), section 3.1: a system that single answers cannot
    tell from an empathic one. The sentiment is VADER's compound score of the speaker's last turn; below 0 is sorry.
    """

    name = "builtin/if-else"

    def __init__(self) -> None:
        self._analyzer = SentimentIntensityAnalyzer()

    def settings(self) -> Mapping[str, Any]:
        return {"system": self.name, "version": 1, "sentiment": "vader compound", "sorry": "below 0"}

    async def respond(self, request: Request) -> Reply:
        compound = self._analyzer.polarity_scores(request.turns[-1].text)["compound"]
        return Reply(text=SORRY if compound < 0 else HAPPY)


@register("system", "builtin/echo")
class Echo(Simple):
    """Says the speaker's last turn back, word for word."""

    name = "builtin/echo"

    async def respond(self, request: Request) -> Reply:
        return Reply(text=request.turns[-1].text)


@register("system", "human/reference")
class HumanReference(Simple):
    """What a person answered at this place of the dialogue."""

    name = "human/reference"

    async def respond(self, request: Request) -> Reply:
        if request.reference is None:
            return Reply(text=None, missing="the dialogue holds no human answer at this place")
        return Reply(text=request.reference)
