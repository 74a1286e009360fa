"""Small things that tests of systems share: a request with given turns, and one answer to it."""

from __future__ import annotations

import asyncio

from empathic.contracts import Reply, Request, System
from empathic.records import Turn


def request(*texts: str, reference: str | None = None, dialogue: str = "d", repeat: int = 0) -> Request:
    """A request whose turns alternate, the last one being the speaker's."""
    roles = ["speaker" if (len(texts) - i) % 2 else "listener" for i in range(len(texts))]
    turns = tuple(Turn(role=role, text=text) for role, text in zip(roles, texts, strict=True))
    position = sum(role == "speaker" for role in roles) - 1
    return Request(dialogue=dialogue, position=position, turns=turns, reference=reference, repeat=repeat)


def respond(system: System, *texts: str, **fields: object) -> Reply:
    """What a system answers."""
    return asyncio.run(system.respond(request(*texts, **fields)))
