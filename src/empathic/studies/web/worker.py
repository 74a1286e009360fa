"""Waiting turns become answers of the bots: claimed from the database, asked of a system, written back as they grow."""

from __future__ import annotations

import asyncio
import contextlib
import time

from empathic.contracts import Reply, Streaming, System
from empathic.records import Generation
from empathic.studies import chats
from empathic.studies.chats import Work
from empathic.studies.presence import Presence
from empathic.studies.web.site import Site

AT_ONCE = 32
LONGEST_SECONDS = 180.0
LOOK_SECONDS = 1.0
KEEP_SECONDS = chats.WORKER_SECONDS / 3
SHOW_SECONDS = 0.2  # pieces that come closer together are written as one: every write waits for the disk


async def run(site: Site) -> None:
    """Answer what waits until the site stops; also what a worker that died has left."""
    presence = Presence(site.store)
    try:
        await asyncio.to_thread(presence.begin, lambda: chats.release_all(site.store))
        await _answer_all(site)
    finally:
        presence.end()


async def _answer_all(site: Site) -> None:
    running: set[asyncio.Task[None]] = set()
    while not site.stopping.is_set():
        site.wake.clear()
        for work in await asyncio.to_thread(chats.claim_work, site.store, max(0, AT_ONCE - len(running))):
            task = asyncio.create_task(answer(site, work))
            running.add(task)
            task.add_done_callback(running.discard)
        await _wait(site.wake, LOOK_SECONDS)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def answer(site: Site, work: Work) -> None:
    """Ask the bot of one turn and write what it says, or why it says nothing."""
    system = site.systems.get(work.bot)
    if system is None:
        reply = Reply(text=None, missing=f"no system speaks for the bot '{work.bot}'")
    else:
        try:
            reply = await _ask(site, work, system)
        except asyncio.CancelledError:
            await asyncio.to_thread(chats.release, site.store, work)
            raise
    await asyncio.to_thread(chats.settle, site.store, work, reply)


async def _ask(site: Site, work: Work, system: System) -> Reply:
    """The reply, whatever the system does: it may fail, raise or never end, and the participant is told."""
    task = asyncio.create_task(_streamed(site, work, system) if isinstance(system, Streaming) else _whole(system, work))
    started, waited = time.monotonic(), 0.0
    try:
        while not task.done() and waited < LONGEST_SECONDS:
            await asyncio.wait({task}, timeout=KEEP_SECONDS)
            waited = time.monotonic() - started
            if not task.done() and not await asyncio.to_thread(chats.keep, site.store, work):
                break
    finally:
        task.cancel()
    if not task.done() or task.cancelled():
        return Reply(text=None, missing=f"no answer within {waited:.0f} s", generation=Generation(latency=waited))
    error = task.exception()
    if error is not None:
        return Reply(text=None, missing=f"{type(error).__name__}: {error}", generation=Generation(latency=waited))
    return task.result()


async def _whole(system: System, work: Work) -> Reply:
    return _refuse_empty(await system.respond(work.request))


async def _streamed(site: Site, work: Work, system: Streaming) -> Reply:
    """Append what the system says piece by piece; the pieces together are the answer, unless it says otherwise."""
    shown = _Shown(site, work)
    last, started = Reply(text=None), time.monotonic()
    async with contextlib.aclosing(system.stream(work.request)) as pieces:
        async for piece in pieces:
            if isinstance(piece, Reply):
                last = piece
            elif not await shown.add(piece):
                return Reply(text=None, missing="another worker has taken the turn over")
    if last.text is not None or last.missing:
        return _refuse_empty(last)
    return _refuse_empty(Reply(text="".join(shown.said), generation=Generation(latency=time.monotonic() - started)))


class _Shown:
    """The pieces of an answer, written to the database as often as somebody could see it."""

    def __init__(self, site: Site, work: Work) -> None:
        self.site, self.work = site, work
        self.said: list[str] = []
        self._written, self._count, self._time = 0, 0, 0.0

    async def add(self, piece: str) -> bool:
        """False if the turn is another worker's by now."""
        self.said.append(piece)
        if time.monotonic() - self._time < SHOW_SECONDS:
            return True
        text = "".join(self.said[self._written :])
        self._written = len(self.said)
        mine = await asyncio.to_thread(chats.add_chunk, self.site.store, self.work, self._count, text)
        self._count, self._time = self._count + 1, time.monotonic()
        return mine


def _refuse_empty(reply: Reply) -> Reply:
    if reply.text is not None and not reply.text.strip():
        return Reply(text=None, missing="the answer is empty", generation=reply.generation)
    return reply


async def _wait(event: asyncio.Event, seconds: float) -> None:
    waiting = asyncio.create_task(event.wait())
    await asyncio.wait({waiting}, timeout=seconds)
    waiting.cancel()
