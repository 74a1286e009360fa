"""A dialogue becomes one request per speaker turn, each with the human conversation up to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from empathic.contracts import Reply, Request, Speaker
from empathic.procedures.contexts import contexts
from empathic.records import Dialogue
from empathic.registry import register


@register("procedure", "piecewise")
class Piecewise:
    """Each human prefix is answered: R_i = S(P_0..P_i, R^H_0..R^H_{i-1}) for all i < n.

    Lee, Kummerfeld, An and Mihalcea (2024), section 4.1. The prompts are the same for every system, so systems can be
    compared turn by turn; what the system said before is never part of what it sees.
    """

    name = "piecewise.v1"
    turn_by_turn = False

    @classmethod
    def build(cls, *, turns: int | None = None, speaker: Speaker | None = None) -> Piecewise:
        return cls()

    def settings(self) -> Mapping[str, Any]:
        return {"procedure": self.name, "context": "every human prefix that ends with the speaker"}

    def requests(self, dialogue: Dialogue) -> Iterator[Request]:
        return contexts(dialogue)

    async def follow(self, dialogue: Dialogue, request: Request, reply: Reply) -> Request | Reply | None:
        return None
