from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from empathic.contracts import Procedure, Reply
from empathic.procedures import Piecewise
from empathic.records import Dialogue, Turn


@given(st.integers(1, 6))
def test_response_i_sees_prompts_0_to_i_and_human_responses_0_to_i_minus_1(n: int) -> None:
    prompts, answers = [f"P{i}" for i in range(n)], [f"R{i}" for i in range(n)]
    turns = [
        Turn(role=role, text=text)
        for pair in zip(prompts, answers, strict=True)
        for role, text in zip(("speaker", "listener"), pair, strict=True)
    ]
    requests = list(Piecewise().requests(Dialogue(id="d", turns=tuple(turns))))
    assert len(requests) == n
    for i, request in enumerate(requests):
        assert [turn.text for turn in request.turns if turn.role == "speaker"] == prompts[: i + 1]
        assert [turn.text for turn in request.turns if turn.role == "listener"] == answers[:i]
        assert request.turns[-1].text == prompts[i]
        assert (request.position, request.reference) == (i, answers[i])


def test_what_the_system_says_changes_nothing_that_follows() -> None:
    dialogue = Dialogue(id="d", turns=(Turn(role="speaker", text="a"),))
    request = next(Piecewise().requests(dialogue))
    assert asyncio.run(Piecewise().follow(dialogue, request, Reply(text="x"))) is None
    assert isinstance(Piecewise(), Procedure)
