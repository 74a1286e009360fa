"""A model and a prompt become a system: the instruction, then the whole history, the speaker being the user."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Mapping
from typing import Any

import msgspec

from empathic import files
from empathic.contracts import Model, Reply, Request, Sampling, StreamingModel
from empathic.systems.messages import chat_messages
from empathic.systems.prompts import Prompt


class PromptedModel:
    """`PROVIDER/MODEL+PROMPT`: the prompt's text and sampling, overridden by what the user sets."""

    def __init__(self, name: str, model: Model, prompt: Prompt, sampling: Sampling | None = None) -> None:
        self.name, self.model, self.prompt = name, model, prompt
        self.sampling = merged(prompt.sampling, sampling or Sampling())
        self.concurrency = model.concurrency

    def settings(self) -> Mapping[str, Any]:
        return {
            "system": self.name,
            "model": dict(self.model.settings()),
            "prompt": {"name": self.prompt.name, "version": self.prompt.version, "text": self.prompt.text},
            "sampling": files.to_builtins(self.sampling),
        }

    async def check(self) -> None:
        await self.model.check()

    async def respond(self, request: Request) -> Reply:
        return await self.model.complete(chat_messages(self.prompt.text, request.turns), self._sampling(request.repeat))

    async def stream(self, request: Request) -> AsyncGenerator[str | Reply, None]:
        """Piece by piece if the model can, else whole."""
        if not isinstance(self.model, StreamingModel):
            yield await self.respond(request)
            return
        messages = chat_messages(self.prompt.text, request.turns)
        async with contextlib.aclosing(self.model.stream(messages, self._sampling(request.repeat))) as pieces:
            async for piece in pieces:
                yield piece

    async def close(self) -> None:
        await self.model.close()

    def _sampling(self, repeat: int) -> Sampling:
        """With a seed, each repeat has the next one: the same seed would give the same answer again."""
        if not repeat:
            return self.sampling
        seed = None if self.sampling.seed is None else self.sampling.seed + repeat
        return msgspec.structs.replace(self.sampling, repeat=repeat, seed=seed)


def merged(base: Sampling, over: Sampling) -> Sampling:
    """What `over` sets, else what `base` sets."""
    default = Sampling()
    changed = {
        name: getattr(over, name)
        for name in Sampling.__struct_fields__
        if getattr(over, name) != getattr(default, name)
    }
    return msgspec.structs.replace(base, **changed)
