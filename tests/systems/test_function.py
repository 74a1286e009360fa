from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path

import pytest

from empathic import systems
from empathic.contracts import System
from empathic.errors import SettingError, UnknownName
from empathic.systems import FunctionSystem
from talk import request, respond

SOURCE = """
def answer(messages):
    return f"{len(messages)}: {messages[-1]['role']}"

async def later(messages):
    return "later"

async def bit_by_bit(messages):
    yield "I am "
    yield "here."

async def number(messages):
    yield 7
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "my_bot_of_the_test.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    return "my_bot_of_the_test"


def test_a_function_of_a_module_in_the_working_folder_answers(module: str) -> None:
    system = systems.make(f"python:{module}:answer")
    assert respond(system, "a", "b", "c").text == "3: user"
    assert (system.name, system.concurrency) == (f"python:{module}:answer", 1)
    assert isinstance(system, System)


def test_an_async_function_may_be_asked_many_times_at_once(module: str) -> None:
    system = systems.make(f"python:{module}:later")
    assert (respond(system, "a").text, system.concurrency) == ("later", None)


def test_a_function_that_yields_is_heard_piece_by_piece_and_whole(module: str) -> None:
    async def heard(name: str) -> list[object]:
        return [piece async for piece in systems.make(f"python:{module}:{name}").stream(request("a"))]  # type: ignore[attr-defined]

    assert asyncio.run(heard("bit_by_bit")) == ["I am ", "here."]
    system = systems.make(f"python:{module}:bit_by_bit")
    assert (respond(system, "a").text, system.concurrency) == ("I am here.", None)
    assert [reply.text for reply in asyncio.run(heard("later"))] == ["later"]  # type: ignore[attr-defined]
    with pytest.raises(TypeError, match="yielded int, text is needed"):
        asyncio.run(heard("number"))


def test_what_cannot_be_found_is_said_before_anything_is_asked(module: str) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'answer'?"):
        systems.make(f"python:{module}:anwser")
    with pytest.raises(SettingError, match="cannot be imported"):
        systems.make("python:no_such_module_here:f")
    with pytest.raises(SettingError, match="Type python:MODULE:FUNCTION"):
        systems.make("python:only_a_module")


def test_no_text_is_a_reason() -> None:
    assert respond(FunctionSystem("f", lambda messages: None), "a").missing == "the function returned None"
    assert respond(FunctionSystem("f", lambda messages: 3), "a").missing == "the function returned int, text is needed"


def test_what_the_function_raises_reaches_the_caller() -> None:
    def broken(messages: list[dict[str, str]]) -> str:
        raise ValueError("no tea")

    def stopped(messages: list[dict[str, str]]) -> str:
        return next(iter(()))

    with pytest.raises(ValueError, match="no tea"):
        respond(FunctionSystem("f", broken), "a")
    with pytest.raises(RuntimeError, match="StopIteration"):
        respond(FunctionSystem("f", stopped), "a")


def test_a_function_that_never_returns_keeps_neither_the_loop_nor_the_process() -> None:
    forever = threading.Event()

    async def main() -> None:
        system = FunctionSystem("f", lambda messages: forever.wait())
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.05):
                await system.respond(request("a"))

    asyncio.run(main())
    forever.set()
