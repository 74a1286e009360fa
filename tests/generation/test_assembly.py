from __future__ import annotations

import asyncio
import random
from pathlib import Path

import pytest

from empathic import files
from empathic.cache import Store
from empathic.contracts import Reply, Request
from empathic.errors import InputError
from empathic.generation import Outcome, Plan, Timing, assemble, generate
from empathic.procedures import Conversation, Piecewise
from empathic.records import Dialogue, Generation, Response, Turn
from empathic.systems.base import Simple

TURNS = tuple(Turn(role=role, text=text) for role, text in (("speaker", "a"), ("listener", "b"), ("speaker", "c")))
DIALOGUES = [
    Dialogue(
        id=f"d{i}", turns=TURNS, reference="R", emotion="sad", polarity="negative", situation="S", metadata={"n": i}
    )
    for i in range(6)
]


class Unsteady(Simple):
    """Answers after a random time, with usage, and not always."""

    concurrency = None

    def __init__(self, name: str, seed: int) -> None:
        self.name, self._random = name, random.Random(seed)

    async def respond(self, request: Request) -> Reply:
        await asyncio.sleep(self._random.random() * 0.01)
        usage = Generation(prompt_tokens=10, completion_tokens=2, cost=0.5, attempts=self._random.randint(1, 4))
        if request.dialogue == "d2":
            return Reply(text=None, missing="HTTP 500", transient=True, generation=Generation(attempts=6))
        return Reply(text=f"{self.name} {request.dialogue} {request.position} {request.repeat}", generation=usage)


def made(folder: Path, seed: int, procedure: object = None) -> list[Outcome]:
    systems = [Unsteady("test/b", seed), Unsteady("test/a", seed + 1)]
    plan = Plan(systems=systems, dialogues=DIALOGUES, procedure=procedure or Piecewise(), epochs=2)
    store = Store(folder / "replies.sqlite")
    try:
        asyncio.run(generate(plan, store))
        return asyncio.run(assemble(plan, store, folder, procedure="piecewise.v1@x"))
    finally:
        store.close()


def test_the_file_is_the_same_whatever_order_the_answers_came_in(tmp_path: Path) -> None:
    texts = []
    for seed in (1, 2, 3):
        made(tmp_path / str(seed), seed)
        texts.append((tmp_path / str(seed) / "responses.jsonl").read_bytes())
    assert texts[0] == texts[1] == texts[2]


def test_the_order_is_system_dialogue_repeat_position(tmp_path: Path) -> None:
    made(tmp_path, 1)
    found = [
        (response.system, response.dialogue, response.repeat, response.position)
        for response in files.read_lines(tmp_path / "responses.jsonl", Response)
    ]
    expected = [(s, f"d{d}", r, p) for s in ("test/b", "test/a") for d in range(6) for r in (0, 1) for p in (0, 1)]
    assert found == expected


def test_a_response_carries_its_context_and_what_is_known_of_the_dialogue(tmp_path: Path) -> None:
    made(tmp_path, 1)
    second = list(files.read_lines(tmp_path / "responses.jsonl", Response))[1]
    assert (second.id, second.text) == ("test/b:d0:1#0", "test/b d0 1 0")
    assert (second.turns, second.reference, second.procedure) == (TURNS, "R", "piecewise.v1@x")
    assert (second.emotion, second.polarity, second.situation, second.metadata) == ("sad", "negative", "S", {"n": 0})
    assert second.generation == Generation(prompt_tokens=10, completion_tokens=2, cost=0.5)


def test_timings_stand_beside_with_the_same_ids(tmp_path: Path) -> None:
    made(tmp_path, 1)
    timings = list(files.read_lines(tmp_path / "timings.jsonl", Timing))
    responses = list(files.read_lines(tmp_path / "responses.jsonl", Response))
    assert [timing.response for timing in timings] == [response.id for response in responses]
    assert all(timing.latency > 0 for timing in timings)
    assert {timing.attempts for timing in timings} > {1, 6}


def test_the_outcome_counts_answers_reasons_tokens_and_cost(tmp_path: Path) -> None:
    one, other = made(tmp_path, 1)
    assert (one.system, other.system) == ("test/b", "test/a")
    assert (one.answered, one.failed, one.reasons) == (20, 4, {"HTTP 500": 4})
    assert (one.prompt_tokens, one.completion_tokens, one.cost) == (200, 40, 10.0)


def test_a_conversation_is_written_turn_by_turn(tmp_path: Path) -> None:
    made(tmp_path, 1, Conversation(turns=2))
    responses = [
        response
        for response in files.read_lines(tmp_path / "responses.jsonl", Response)
        if (response.system, response.dialogue, response.repeat) == ("test/b", "d0", 1)
    ]
    assert [len(response.turns) for response in responses] == [1, 3]
    assert responses[1].turns[1].text == responses[0].text == "test/b d0 0 1"


def test_a_reply_that_is_gone_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    plan = Plan(systems=[Unsteady("test/b", 1)], dialogues=DIALOGUES, procedure=Piecewise())
    store = Store(tmp_path / "replies.sqlite")
    with pytest.raises(InputError, match="replies.sqlite: holds no reply about dialogue 'd0'.*Run the command again"):
        asyncio.run(assemble(plan, store, tmp_path, procedure="p"))
    store.close()
    assert not (tmp_path / "responses.jsonl").exists()
