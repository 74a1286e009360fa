"""Turns become chat messages: the speaker is the user, the listener the assistant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from empathic.contracts import Message
from empathic.records import Turn


def chat_messages(instruction: str | None, turns: Iterable[Turn]) -> list[Message]:
    """The instruction as the system's message, if any, then the whole history."""
    head = [Message(role="system", content=instruction)] if instruction else []
    return [*head, *(Message(role=_role(turn), content=turn.text) for turn in turns)]


def plain_messages(turns: Sequence[Turn]) -> list[dict[str, str]]:
    """The history as plain dicts, as functions and endpoints want it."""
    return [{"role": _role(turn), "content": turn.text} for turn in turns]


def _role(turn: Turn) -> Literal["user", "assistant"]:
    return "user" if turn.role == "speaker" else "assistant"
