"""A dialogue becomes one request: the first thing the speaker says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from empathic.contracts import Reply, Request, Speaker
from empathic.procedures.contexts import contexts
from empathic.records import Dialogue
from empathic.registry import register


@register("procedure", "single-turn")
class SingleTurn:
    """The speaker's first turn is answered (Welivita and Pu 2024, section 3)."""

    name = "single-turn.v1"
    turn_by_turn = False

    @classmethod
    def build(cls, *, turns: int | None = None, speaker: Speaker | None = None) -> SingleTurn:
        return cls()

    def settings(self) -> Mapping[str, Any]:
        return {"procedure": self.name, "context": "the first speaker turn"}

    def requests(self, dialogue: Dialogue) -> Iterator[Request]:
        for request in contexts(dialogue):
            yield request
            return

    async def follow(self, dialogue: Dialogue, request: Request, reply: Reply) -> Request | Reply | None:
        return None
