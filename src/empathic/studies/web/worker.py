"""Waiting turns become answers of the bots: claimed from the database, asked of a system, written back as they grow."""

from __future__ import annotations

import asyncio
import time

from empathic.contracts import Reply, Streaming, System
from empathic.records import Generation
from empathic.studies import chats
from empathic.studies.chats import Work
from empathic.studies.web.site import Site

AT_ONCE = 32
LONGEST_SECONDS = 180.0
LOOK_SECONDS = 1.0
KEEP_SECONDS = chats.WORKER_SECONDS / 3


async def run(site: Site) -> None:
    """Answer what waits until the site stops; also what a worker that died has left."""
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
        reply = await _ask(site, work, system)
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
    """Append what the system says piece by piece; the pieces together are the answer."""
    said: list[str] = []
    last, started = Reply(text=None), time.monotonic()
    async for piece in system.stream(work.request):
        if isinstance(piece, Reply):
            last = piece
            continue
        await asyncio.to_thread(chats.add_chunk, site.store, work, len(said), piece)
        said.append(piece)
    if last.text is not None or last.missing:
        return _refuse_empty(last)
    return _refuse_empty(Reply(text="".join(said), generation=Generation(latency=time.monotonic() - started)))


def _refuse_empty(reply: Reply) -> Reply:
    if reply.text is not None and not reply.text.strip():
        return Reply(text=None, missing="the answer is empty", generation=reply.generation)
    return reply


async def _wait(event: asyncio.Event, seconds: float) -> None:
    waiting = asyncio.create_task(event.wait())
    await asyncio.wait({waiting}, timeout=seconds)
    waiting.cancel()
