"""Stored replies become responses.jsonl in one fixed order, timings.jsonl beside it, and one outcome per system.

The order is system, dialogue, repeat, position, whatever order the answers came in. What differs from run to run
(latency, attempts) stands in timings.jsonl, so that responses.jsonl of a disturbed run is that of an undisturbed one.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import msgspec

from empathic import files
from empathic.cache import Store
from empathic.contracts import Reply, Request, System
from empathic.errors import InputError
from empathic.generation.chains import Follower, Plan, starts
from empathic.generation.engine import request_keys
from empathic.records import Dialogue, Generation, Record, Response

RESPONSES, TIMINGS = "responses.jsonl", "timings.jsonl"


class Timing(Record, frozen=True):
    """How long one response took and how often it was tried."""

    response: str
    latency: float | None
    attempts: int = 1


class Outcome(Record, frozen=True, omit_defaults=False):
    """What became of one system's responses."""

    system: str
    answered: int
    failed: int
    reasons: dict[str, int]  # why there is no text → how often
    prompt_tokens: int | None
    completion_tokens: int | None
    cost: float | None


async def assemble(plan: Plan, store: Store, folder: Path, *, procedure: str) -> list[Outcome]:
    """Write both files atomically; `procedure` is the name and hash that go into every response."""
    encoder, counts = msgspec.json.Encoder(), {system.name: Count() for system in plan.systems}
    with files.atomic(folder / RESPONSES) as responses, files.atomic(folder / TIMINGS) as timings:
        async for response, timing in _rows(plan, store, procedure):
            responses.write(encoder.encode(response) + b"\n")
            timings.write(encoder.encode(timing) + b"\n")
            counts[response.system].add(response)
    return [count.outcome(name) for name, count in counts.items()]


async def _rows(plan: Plan, store: Store, procedure: str) -> AsyncIterator[tuple[Response, Timing]]:
    for system in plan.systems:
        follower = Follower(plan, system, store, replay=True)
        asker = _Stored(system, store)
        for dialogue, start in starts(plan):
            async for request, reply in follower.chain(dialogue, start, asker.ask):
                response = _response(system.name, dialogue, request, reply, procedure)
                given = reply.generation
                yield response, Timing(response=response.id, latency=given.latency, attempts=given.attempts)


class _Stored:
    """Answers from the store only."""

    def __init__(self, system: System, store: Store) -> None:
        self.store, self._keys = store, request_keys(system)

    async def ask(self, request: Request) -> Reply:
        reply = self.store.get(self._keys.key(request), Reply)
        if reply is None:
            what = (
                f"holds no reply about dialogue '{request.dialogue}'; was it changed meanwhile? Run the command again"
            )
            raise InputError(what, path=self.store.path)
        return reply


def _response(system: str, dialogue: Dialogue, request: Request, reply: Reply, procedure: str) -> Response:
    lasting = msgspec.structs.replace(reply.generation, latency=None, attempts=1)
    return Response(
        id=f"{system}:{dialogue.id}:{request.position}#{request.repeat}",
        system=system,
        dialogue=dialogue.id,
        turns=request.turns,
        text=reply.text,
        missing=reply.missing,
        position=request.position,
        repeat=request.repeat,
        reference=request.reference,
        emotion=dialogue.emotion,
        polarity=dialogue.polarity,
        situation=dialogue.situation,
        procedure=procedure,
        generation=None if lasting == Generation() else lasting,
        metadata=dialogue.metadata,
    )


class Count:
    """Adds up one system's responses; a sum nobody contributed to stays unknown."""

    def __init__(self) -> None:
        self.answered = 0
        self.reasons: dict[str, int] = {}
        self.sums: dict[str, float] = {}

    def add(self, response: Response) -> None:
        if response.missing is None:
            self.answered += 1
        else:
            self.reasons[response.missing] = self.reasons.get(response.missing, 0) + 1
        for name in ("prompt_tokens", "completion_tokens", "cost"):
            value = getattr(response.generation, name, None)
            if value is not None:
                self.sums[name] = self.sums.get(name, 0) + value

    def outcome(self, system: str) -> Outcome:
        return Outcome(
            system=system,
            answered=self.answered,
            failed=sum(self.reasons.values()),
            reasons=dict(sorted(self.reasons.items(), key=lambda pair: (-pair[1], pair[0]))),
            prompt_tokens=self._whole("prompt_tokens"),
            completion_tokens=self._whole("completion_tokens"),
            cost=self.sums.get("cost"),
        )

    def _whole(self, name: str) -> int | None:
        return int(self.sums[name]) if name in self.sums else None
