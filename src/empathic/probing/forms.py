"""Two systems that differ in how they are sampled become one: it asks for log-probabilities where letters are chosen."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

import msgspec

from empathic import systems
from empathic.contracts import Reply, Request, System

CHOICE = re.compile(r"/choice-\d+\Z")  # ends the name of every question that is answered by a letter
LONGEST = 256  # tokens of an answer, where the user says nothing: small models do not know when to stop


class TwoForms:
    """One system by name; choices go to one way of sampling, free answers to the other."""

    def __init__(self, free: System, choice: System) -> None:
        self.name, self.concurrency = free.name, free.concurrency
        self._free, self._choice = free, choice

    def settings(self) -> Mapping[str, Any]:
        return {"free": dict(self._free.settings()), "choice": dict(self._choice.settings())}

    async def check(self) -> None:
        await self._free.check()

    async def respond(self, request: Request) -> Reply:
        return await (self._choice if CHOICE.search(request.dialogue) else self._free).respond(request)

    async def close(self) -> None:
        await self._free.close()
        await self._choice.close()


def make(name: str, given: systems.Options, *, logprobs: int) -> System:
    """The system called `name`, asked without an instruction of ours unless one is named: a probe brings its own."""
    sampling = msgspec.structs.replace(given.sampling, max_tokens=given.sampling.max_tokens or LONGEST)
    given = dataclasses.replace(given, sampling=sampling, prompt=given.prompt or "none")
    free = systems.make(name, given)
    if not logprobs:
        return free
    choice = systems.make(
        name, dataclasses.replace(given, sampling=msgspec.structs.replace(sampling, logprobs=logprobs))
    )
    return free if free.settings() == choice.settings() else TwoForms(free, choice)
