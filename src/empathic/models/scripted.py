"""Given answers become a model: in turn, or from a function of the messages; for tests and rehearsals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from empathic.contracts import Message, Reply, Sampling
from empathic.errors import SettingError
from empathic.models.options import ModelOptions
from empathic.registry import register

Script = Callable[[Sequence[Message]], str]


@register("model", "scripted")
class Scripted:
    """`scripted/TEXT` always says TEXT; in Python, answers in turn or a function of the messages."""

    concurrency: int | None = None

    def __init__(self, name: str, answers: Sequence[str] | Script) -> None:
        if not callable(answers) and not answers:
            raise SettingError("A scripted model needs at least one answer. Type scripted/TEXT.")
        self.name, self._answers, self.calls = name, answers, 0

    @classmethod
    def build(cls, name: str, options: ModelOptions) -> Scripted:
        text = name.partition("/")[2]
        return cls(name, [text] if text else [])

    def settings(self) -> Mapping[str, Any]:
        return {"model": self.name, "answers": None if callable(self._answers) else list(self._answers)}

    async def check(self) -> None:
        return None

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        self.calls += 1
        if callable(self._answers):
            return Reply(text=self._answers(messages))
        return Reply(text=self._answers[(self.calls - 1) % len(self._answers)])

    async def close(self) -> None:
        return None
