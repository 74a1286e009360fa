"""A plan becomes stored replies: many calls at once, each committed as it comes, only what is missing being asked."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

import msgspec

from empathic.cache import Keys, Store
from empathic.contracts import Reply, Request, System
from empathic.generation.chains import Follower, Plan, starts
from empathic.records import Dialogue, Generation, Record

Watch = Callable[["Progress"], None]
Work = Iterator[tuple[Dialogue, Request]]
LONGEST_REASON = 300


class Progress(Record, frozen=True):
    """One reply that has just become available."""

    system: str
    reply: Reply
    stored: bool  # it was there already


async def generate(
    plan: Plan, store: Store, *, shared: Store | None = None, watch: Watch = lambda progress: None
) -> None:
    """Ask every system for what the store does not hold yet.

    Systems that will be asked are checked first, all of them, before anything is sent. A failure on the way is stored
    with its reason and asked again by the next run; `shared` is a second store that other runs use too.
    """
    askers = [Asker(plan, system, store, shared, watch) for system in plan.systems]
    for asker in askers:
        if any(asker.is_open(request) for _, request in starts(plan)):
            await asker.system.check()
    async with asyncio.TaskGroup() as group:
        for asker in askers:
            work = starts(plan)
            for _ in range(_workers(plan, asker.system)):
                group.create_task(_work(plan, asker, work))


def _workers(plan: Plan, system: System) -> int:
    return min(plan.max_connections, system.concurrency or plan.max_connections)


async def _work(plan: Plan, asker: Asker, work: Work) -> None:
    follower = Follower(plan, asker.system, asker.store)
    for dialogue, request in work:
        async for _ in follower.chain(dialogue, request, asker.ask):
            pass
        if asker.system.concurrency is not None:
            await asyncio.sleep(0)  # a system inside this process never waits, and must not starve the others


class Asker:
    """Asks one system, or the stores when they know."""

    def __init__(self, plan: Plan, system: System, store: Store, shared: Store | None, watch: Watch) -> None:
        self.system, self.store, self.shared, self.watch = system, store, shared, watch
        self.deadline = plan.deadline
        self._keys = request_keys(system)

    def is_open(self, request: Request) -> bool:
        """Whether the system itself would have to be asked."""
        return self._known(self._keys.key(request)) is None

    async def ask(self, request: Request) -> Reply:
        """The reply to one request; a fresh one is committed before it is handed on."""
        key = self._keys.key(request)
        reply = self._known(key)
        stored = reply is not None
        if reply is None:
            reply = await self._fresh(request)
            self.store.put(key, reply)
            if self.shared is not None and not reply.transient:
                self.shared.put(key, reply)
        self.watch(Progress(system=self.system.name, reply=reply, stored=stored))
        return reply

    def _known(self, key: bytes) -> Reply | None:
        reply = self.store.get(key, Reply)
        if reply is not None and not reply.transient:
            return reply
        reply = self.shared.get(key, Reply) if self.shared is not None else None
        if reply is not None:
            self.store.put(key, reply)
        return reply

    async def _fresh(self, request: Request) -> Reply:
        begin = time.perf_counter()
        reply = _with_reason(await guarded(self.system, request, self.deadline))
        if reply.generation.latency is not None:
            return reply
        generation = msgspec.structs.replace(reply.generation, latency=time.perf_counter() - begin)
        return msgspec.structs.replace(reply, generation=generation)


def request_keys(system: System) -> Keys:
    """Keys of requests to this system: its name and settings, then the whole request with its repeat index."""
    return Keys("system", {"name": system.name, **system.settings()})


async def guarded(system: System, request: Request, deadline: float) -> Reply:
    """One answer within the deadline; whatever the system raises becomes the reason why there is none."""
    caught = _Caught()
    with caught:
        async with asyncio.timeout(deadline) as timer:
            return await system.respond(request)
    if timer.expired():
        return _failed(f"no answer within {deadline:g} s")
    return _failed(f"the system raised {type(caught.error).__name__}: {caught.error}")


class _Caught:
    """Keeps what is raised inside it, except what stops the whole run."""

    error: BaseException | None = None

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        self.error = error
        return isinstance(error, Exception)


def _failed(reason: str) -> Reply:
    return Reply(text=None, missing=reason[:LONGEST_REASON], generation=Generation(), transient=True)


def _with_reason(reply: Reply) -> Reply:
    """An empty text is no answer: it is missing, with that reason."""
    if reply.text is not None and reply.text.strip():
        return reply
    reason = reply.missing or "the answer is empty"
    return msgspec.structs.replace(reply, text=None, missing=reason)
