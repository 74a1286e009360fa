"""A plan becomes chains of requests: what can be asked at once begins a chain, what needs an answer first follows."""

from __future__ import annotations

import dataclasses
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence

import msgspec

from empathic.cache import Keys, Store
from empathic.contracts import Procedure, Reply, Request, System
from empathic.records import Dialogue, Record, Turn

Ask = Callable[[Request], Awaitable[Reply]]


@dataclasses.dataclass(frozen=True)
class Plan:
    """What is to be generated; `dialogues` is gone through more than once."""

    systems: Sequence[System]
    dialogues: Iterable[Dialogue]
    procedure: Procedure
    epochs: int = 1
    max_connections: int = 16
    deadline: float = 600.0  # seconds for one response, all retries included


class Step(Record, frozen=True):
    """What a procedure decided after an answer: the next request, or the reason why there is none."""

    request: Request | None = None
    stopped: Reply | None = None


def starts(plan: Plan) -> Iterator[tuple[Dialogue, Request]]:
    """The first request of every chain, in the order of the final file: dialogue, repeat, position."""
    for dialogue in plan.dialogues:
        for repeat in range(plan.epochs):
            for request in plan.procedure.requests(dialogue):
                yield dialogue, msgspec.structs.replace(request, repeat=repeat) if repeat else request


class Follower:
    """Asks the procedure what follows an answer, and remembers it, so that a resumed conversation is the same one."""

    def __init__(self, plan: Plan, system: System, store: Store, *, replay: bool = False) -> None:
        self.procedure, self.store, self.replay = plan.procedure, store, replay
        self._keys = Keys("step", {"procedure": plan.procedure.settings(), "system": system.settings()})

    async def chain(self, dialogue: Dialogue, request: Request, ask: Ask) -> AsyncIterator[tuple[Request, Reply]]:
        """Every request of one chain with its reply."""
        current: Request | None = request
        while current is not None:
            reply = await ask(current)
            yield current, reply
            if not self.procedure.turn_by_turn:
                return
            step = await self._step(dialogue, current, reply)
            if step.stopped is not None:
                yield _after(current, reply), step.stopped
            current = step.request

    async def _step(self, dialogue: Dialogue, request: Request, reply: Reply) -> Step:
        key = self._keys.key(request, reply.text)
        stored = self.store.get(key, Step) if reply.text is not None else None
        if stored is not None and (self.replay or not (stored.stopped and stored.stopped.transient)):
            return stored
        following = await self.procedure.follow(dialogue, request, reply)
        if following is None:
            return Step()
        step = Step(request=following) if isinstance(following, Request) else Step(stopped=following)
        self.store.put(key, step)
        return step


def _after(request: Request, reply: Reply) -> Request:
    turns = (*request.turns, Turn(role="listener", text=reply.text or ""))
    return msgspec.structs.replace(request, turns=turns, position=request.position + 1, reference=None)
