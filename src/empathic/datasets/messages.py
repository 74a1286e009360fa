"""Chat messages (`role`, `content`) ⇄ turns of speaker and listener."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from empathic.errors import InputError
from empathic.records import Role, Turn

ROLES: dict[str, Role] = {
    "user": "speaker",
    "human": "speaker",
    "speaker": "speaker",
    "seeker": "speaker",
    "assistant": "listener",
    "gpt": "listener",
    "bot": "listener",
    "model": "listener",
    "listener": "listener",
    "supporter": "listener",
}
NAMES: dict[Role, str] = {"speaker": "user", "listener": "assistant"}
SYSTEM = ("system", "developer")


class Part(msgspec.Struct, frozen=True):
    """One part of a message whose content is a list."""

    type: str
    text: str | None = None


class ChatMessage(msgspec.Struct, frozen=True):
    """One message as chat files have it; further keys are passed over."""

    role: str
    content: str | list[Part]


def to_turns(messages: Sequence[ChatMessage], *, path: Path, line: int | None) -> tuple[tuple[Turn, ...], str | None]:
    """The turns, and the system prompt if the messages begin with one."""
    prompt = None
    if messages and messages[0].role in SYSTEM:
        prompt = _text(messages[0], 0, path, line)
    start = 0 if prompt is None else 1
    turns = tuple(_turn(message, start + i, path, line) for i, message in enumerate(messages[start:]))
    if not turns:
        raise InputError("there is no message of a user or an assistant", path=path, line=line, field="messages")
    return turns, prompt


def to_messages(turns: Iterable[Turn], prompt: str | None = None) -> list[dict[str, Any]]:
    """Turns as messages of `user` and `assistant`, after the system prompt if there is one."""
    start = [] if prompt is None else [{"role": "system", "content": prompt}]
    return start + [{"role": NAMES[turn.role], "content": turn.text} for turn in turns]


def role_of(name: str, *, path: Path, line: int | None, field: str) -> Role:
    """The role a file's word for it means."""
    role = ROLES.get(name.strip().lower())
    if role is None:
        known = ", ".join(ROLES)
        raise InputError(f"the role {name[:40]!r} is not known; known are {known}", path=path, line=line, field=field)
    return role


def _turn(message: ChatMessage, place: int, path: Path, line: int | None) -> Turn:
    role = role_of(message.role, path=path, line=line, field=f"messages[{place}].role")
    return Turn(role=role, text=_text(message, place, path, line))


def _text(message: ChatMessage, place: int, path: Path, line: int | None) -> str:
    if isinstance(message.content, str):
        return message.content
    other = [part.type for part in message.content if part.text is None]
    if other:
        what = f"only text can be read, there is a part of type {other[0][:40]!r}"
        raise InputError(what, path=path, line=line, field=f"messages[{place}].content")
    return "".join(part.text or "" for part in message.content)
