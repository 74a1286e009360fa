"""A server that is killed at random moments while people take the study, and started again each time."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

LIFE_SECONDS = (0.2, 2.0)
Result = TypeVar("Result")


class Killable(Protocol):
    """A server process."""

    async def start(self) -> None: ...

    async def stop(self, how: signal.Signals) -> None: ...


async def under_kills(
    server: Killable,
    taking: Awaitable[Result],
    *,
    kills: int,
    rng: random.Random,
    dead: Callable[[], None] | None = None,
) -> tuple[Result, int]:
    """The result of `taking`, and how often the server was killed with SIGKILL meanwhile; `dead` looks each time."""
    task, done = asyncio.ensure_future(taking), 0
    try:
        while done < kills:
            await asyncio.wait({task}, timeout=rng.uniform(*LIFE_SECONDS))
            if task.done():
                break
            await server.stop(signal.SIGKILL)
            done += 1
            if dead is not None:
                dead()
            await server.start()
        return await task, done
    finally:
        task.cancel()
