"""The events of a streamed chat completion become pieces of text, then the reply as if it had come whole."""

from __future__ import annotations

import contextlib
import dataclasses
from collections.abc import AsyncGenerator, Mapping
from typing import Any

from empathic.contracts import Reply
from empathic.models.completions import first_choice, read_reply
from empathic.transport import Answer, Event


class _Whole:
    """Gathers the parts of a completion."""

    def __init__(self) -> None:
        self.said: dict[str, list[str]] = {"content": [], "refusal": []}
        self.logprobs: list[Any] = []
        self.kept: dict[str, Any] = {}
        self.reason: str | None = None

    def add(self, document: Any) -> str:
        """Take in one event; returns what it adds to the text."""
        if not isinstance(document, dict):
            return ""
        self.kept |= {name: document[name] for name in ("model", "usage") if document.get(name)}
        choice = first_choice(document)
        reason, delta, given = choice.get("finish_reason"), choice.get("delta"), choice.get("logprobs")
        self.reason = reason if isinstance(reason, str) else self.reason
        if isinstance(given, dict) and isinstance(given.get("content"), list):
            self.logprobs += given["content"]
        return self._add_delta(delta) if isinstance(delta, dict) else ""

    def _add_delta(self, delta: Mapping[str, Any]) -> str:
        for name, parts in self.said.items():
            if isinstance(delta.get(name), str):
                parts.append(delta[name])
        return str(delta["content"]) if isinstance(delta.get("content"), str) else ""

    def answer(self, ended: Answer) -> Answer:
        """The document that would have come without streaming; without an end it is no answer."""
        if ended.missing is not None:
            return ended
        if self.reason is None:
            return dataclasses.replace(ended, missing="the stream ended before the answer did", transient=True)
        message = {name: "".join(parts) or None for name, parts in self.said.items()}
        choice: dict[str, Any] = {"message": message, "finish_reason": self.reason}
        if self.logprobs:
            choice["logprobs"] = {"content": self.logprobs}
        return dataclasses.replace(ended, document={**self.kept, "choices": [choice]})


async def read_stream(
    events: AsyncGenerator[Event | Answer, None], prices: tuple[float, float] | None
) -> AsyncGenerator[str | Reply, None]:
    """The text piece by piece, and at the end the reply; it has a text only if all of it came."""
    whole = _Whole()
    given: Event | None = None
    async with contextlib.aclosing(events):
        async for event in events:
            if isinstance(event, Answer):
                ended = whole.answer(event) if given is None else dataclasses.replace(event, document=given.document)
                yield read_reply(ended, prices)
            elif event.whole:
                given = event
            elif piece := whole.add(event.document):
                yield piece
