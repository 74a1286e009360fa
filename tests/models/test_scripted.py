from __future__ import annotations

import asyncio

import pytest

from empathic import models
from empathic.contracts import Message, Model, Sampling
from empathic.errors import SettingError
from empathic.models import Scripted


def test_answers_come_in_turn_and_begin_again() -> None:
    model = Scripted("scripted/x", ["a", "b"])

    async def ask() -> list[str | None]:
        return [(await model.complete([], Sampling())).text for _ in range(3)]

    assert asyncio.run(ask()) == ["a", "b", "a"]
    assert isinstance(model, Model)


def test_a_function_answers_what_it_is_asked() -> None:
    model = Scripted("scripted/x", lambda messages: messages[-1].content[::-1])
    assert asyncio.run(model.complete([Message(role="user", content="abc")], Sampling())).text == "cba"


def test_a_name_carries_the_text_and_no_text_is_refused() -> None:
    model = models.make("scripted/I hear you.")
    assert asyncio.run(model.complete([], Sampling())).text == "I hear you."
    with pytest.raises(SettingError, match="at least one answer"):
        Scripted("scripted/", [])
