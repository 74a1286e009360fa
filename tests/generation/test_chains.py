from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from empathic.cache import Store
from empathic.contracts import Reply, Request
from empathic.generation import Plan
from empathic.generation.chains import Follower, starts
from empathic.models import Scripted
from empathic.procedures import Conversation, ModelSpeaker, Piecewise
from empathic.records import Dialogue, Turn
from empathic.systems import Echo

TURNS = tuple(Turn(role=role, text=text) for role, text in (("speaker", "a"), ("listener", "b"), ("speaker", "c")))
DIALOGUES = [Dialogue(id=name, turns=TURNS) for name in ("x", "y")]


@pytest.fixture
def store(tmp_path: Path):
    store = Store(tmp_path / "s")
    yield store
    store.close()


def test_chains_begin_in_the_order_dialogue_repeat_position() -> None:
    plan = Plan(systems=[], dialogues=DIALOGUES, procedure=Piecewise(), epochs=2)
    assert [(r.dialogue, r.repeat, r.position) for _, r in starts(plan)] == [
        (dialogue, repeat, position) for dialogue in "xy" for repeat in (0, 1) for position in (0, 1)
    ]


def walk(follower: Follower) -> list[tuple[Request, Reply]]:
    async def run() -> list[tuple[Request, Reply]]:
        async def ask(request: Request) -> Reply:
            return Reply(text=f"answer {request.position}")

        start = next(follower.procedure.requests(DIALOGUES[0]))
        return [pair async for pair in follower.chain(DIALOGUES[0], start, ask)]

    return asyncio.run(run())


def test_what_the_speaker_said_is_remembered_so_that_a_resumed_conversation_is_the_same(store: Store) -> None:
    speaker = Scripted("scripted/p", [f"line {i}" for i in range(9)])
    plan = Plan(systems=[], dialogues=DIALOGUES, procedure=Conversation(turns=3, speaker=ModelSpeaker(speaker)))
    first = walk(Follower(plan, Echo(), store))
    again = walk(Follower(plan, Echo(), store))
    assert first == again
    assert [request.turns[-1].text for request, _ in first] == ["a", "line 0", "line 1"]
    assert speaker.calls == 2


def test_a_speaker_that_failed_is_asked_again_but_not_while_writing(store: Store) -> None:
    class Broken(Scripted):
        async def complete(self, messages, sampling):
            self.calls += 1
            return Reply(text=None, missing="HTTP 500", transient=True)

    speaker = Broken("scripted/p", ["-"])
    plan = Plan(systems=[], dialogues=DIALOGUES, procedure=Conversation(turns=3, speaker=ModelSpeaker(speaker)))
    pairs = walk(Follower(plan, Echo(), store))
    walk(Follower(plan, Echo(), store, replay=True))
    assert speaker.calls == 1
    walk(Follower(plan, Echo(), store))
    assert speaker.calls == 2
    assert pairs[-1][1].missing == "the simulated speaker failed: HTTP 500"
    assert pairs[-1][0].position == 1
