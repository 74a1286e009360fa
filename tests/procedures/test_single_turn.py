from __future__ import annotations

import asyncio

from empathic.contracts import Procedure, Reply
from empathic.procedures import SingleTurn
from empathic.records import Dialogue, Turn

TURNS = tuple(Turn(role=role, text=text) for role, text in (("speaker", "a"), ("listener", "b"), ("speaker", "c")))


def test_only_the_first_thing_said_is_answered() -> None:
    requests = list(SingleTurn().requests(Dialogue(id="d", turns=TURNS)))
    assert [(request.turns, request.reference) for request in requests] == [(TURNS[:1], "b")]


def test_nothing_follows_an_answer() -> None:
    dialogue = Dialogue(id="d", turns=TURNS)
    request = next(SingleTurn().requests(dialogue))
    assert asyncio.run(SingleTurn().follow(dialogue, request, Reply(text="x"))) is None
    assert isinstance(SingleTurn(), Procedure)
