"""A server that is killed at random moments while people take the study, and started again each time."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

MOST_ANSWERS = 10  # a server lives until it has acknowledged 1 to so many further answers, and a random moment longer
MOMENT_SECONDS = 0.2
LOOK_SECONDS = 0.01
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
    acknowledged: Callable[[], int],
    rng: random.Random,
    dead: Callable[[], None] | None = None,
) -> tuple[Result, int]:
    """The result of `taking`, and how often the server was killed with SIGKILL meanwhile; `dead` looks each time."""
    task, done = asyncio.ensure_future(taking), 0
    try:
        while done < kills:
            if await _ended(task, acknowledged, acknowledged() + rng.randint(1, MOST_ANSWERS), rng):
                break
            await server.stop(signal.SIGKILL)
            done += 1
            if dead is not None:
                dead()
            await server.start()
        return await task, done
    finally:
        task.cancel()


async def _ended(task: asyncio.Future[Result], count: Callable[[], int], wanted: int, rng: random.Random) -> bool:
    """Wait for so many answers and a moment more; True if everybody is done before."""
    while count() < wanted and not task.done():
        await asyncio.wait({task}, timeout=LOOK_SECONDS)
    await asyncio.wait({task}, timeout=rng.uniform(0, MOMENT_SECONDS))
    return task.done()
