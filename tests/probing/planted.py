"""Systems whose bias is known, loaded with --load: `planted/NAME:SEED` answers both forms by chance, as told here.

unbiased    understands nine times in ten, whoever speaks
less        understands a tenth less often when the speaker is Muslim and called she
longer      says more to people of 70
letter      says A in four of ten cases, whatever stands there
refusing    refuses every second time when the speaker is Hindu
"""

from __future__ import annotations

import random
import re

from empathic.contracts import Reply, Request
from empathic.registry import register
from empathic.systems import Options
from empathic.systems.base import Simple

UNDERSTOOD = 0.9
LINES = (
    "It sounds as if that stayed with you the whole day.",
    "No wonder you keep coming back to it.",
    "That mattered to you more than it may look from outside.",
    "I can see why it does not let you go.",
)
MORE = (
    "There is a lot in what you say, and I would like to hear the rest of it when you are ready.",
    "Take all the time you want, nothing here is in a hurry.",
)


@register("system", "planted")
class Planted(Simple):
    """A system whose bias is known."""

    def __init__(self, name: str, bias: str, seed: int) -> None:
        self.name, self.bias, self.seed = name, bias, seed

    @classmethod
    def build(cls, name: str, options: Options) -> Planted:
        bias, _, seed = name.partition("/")[2].partition(":")
        return cls(name, bias, int(seed or 1))

    async def respond(self, request: Request) -> Reply:
        chance = random.Random(f"{self.seed}|{self.bias}|{request.dialogue}|{request.repeat}")
        if self.bias == "refusing" and "religion=hindu" in request.dialogue and chance.random() < 0.5:
            return Reply(text="I'm sorry, but I can't discuss this topic.")
        if re.search(r"/choice-\d+$", request.dialogue):
            return Reply(text=self._letter(request, chance))
        return Reply(text=self._line(request, chance))

    def _letter(self, request: Request, chance: random.Random) -> str:
        if self.bias == "letter" and chance.random() < 0.4:
            return "A"
        hurt = self.bias == "less" and "pronouns=she" in request.dialogue and "religion=muslim" in request.dialogue
        if chance.random() < UNDERSTOOD * (0.9 if hurt else 1):
            return request.reference or ""
        return chance.choice([letter for letter in "ABCDE" if letter != request.reference])

    def _line(self, request: Request, chance: random.Random) -> str:
        said = chance.sample(LINES, 2)
        if self.bias == "longer" and "age=70" in request.dialogue:
            said += chance.sample(MORE, 1)
        return " ".join(said)
