"""A Python function becomes a system: `python:my_bot:answer` is called with the chat messages and returns the text."""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import os
import sys
import threading
from collections.abc import AsyncGenerator, Callable, Mapping
from types import TracebackType
from typing import Any

from empathic.contracts import Reply, Request
from empathic.errors import SettingError, UnknownName
from empathic.registry import register
from empathic.systems.base import Simple
from empathic.systems.messages import plain_messages
from empathic.systems.options import Options

Answer = Callable[[list[dict[str, str]]], Any]


@register("system", "python")
class FunctionSystem(Simple):
    """`python:MODULE:FUNCTION`: called with `[{"role": "user", "content": …}, …]`, returns the answer's text.

    An ordinary function is called one at a time on a thread of its own; an `async` one as often at once as
    --max-connections says; one that yields (an async generator) says its turn piece by piece. None is no answer; an
    exception becomes the reason of a missing response.
    """

    def __init__(self, name: str, function: Answer) -> None:
        self.name, self.function = name, function
        self.concurrency = None if inspect.iscoroutinefunction(function) or self._yields else 1

    @property
    def _yields(self) -> bool:
        return inspect.isasyncgenfunction(self.function)

    @classmethod
    def build(cls, name: str, options: Options) -> FunctionSystem:
        return cls(name, load(name))

    def settings(self) -> Mapping[str, Any]:
        return {"system": self.name, "function": f"{self.function.__module__}:{self.function.__qualname__}"}

    async def respond(self, request: Request) -> Reply:
        messages = plain_messages(request.turns)
        if self._yields:
            text: Any = "".join([str(piece) async for piece in self.stream(request)])
        elif inspect.iscoroutinefunction(self.function):
            text = await self.function(messages)
        else:
            text = await in_thread(self.function, messages)
        if text is None or isinstance(text, str):
            return Reply(text=text, missing="the function returned None" if text is None else None)
        return Reply(text=None, missing=f"the function returned {type(text).__name__}, text is needed")

    async def stream(self, request: Request) -> AsyncGenerator[str | Reply, None]:
        """What the function yields, or its answer whole."""
        if not self._yields:
            yield await self.respond(request)
            return
        async with contextlib.aclosing(self.function(plain_messages(request.turns))) as pieces:
            async for piece in pieces:
                if not isinstance(piece, str):
                    raise TypeError(f"the function yielded {type(piece).__name__}, text is needed")
                yield piece


def load(name: str) -> Answer:
    """The function that `python:MODULE:FUNCTION` names; modules of the working folder are found too."""
    _, _, rest = name.partition(":")
    module_name, _, function_name = rest.partition(":")
    if not module_name or not function_name:
        raise SettingError(f"'{name}' names no function. Type python:MODULE:FUNCTION.")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        module = importlib.import_module(module_name)
    except ImportError as error:
        raise SettingError(f"The module of '{name}' cannot be imported: {error}.") from error
    function = getattr(module, function_name, None)
    if not callable(function):
        names = [key for key, value in vars(module).items() if callable(value) and not key.startswith("_")]
        raise UnknownName(f"function in {module_name}", function_name, names)
    found: Answer = function
    return found


async def in_thread(function: Answer, messages: list[dict[str, str]]) -> Any:
    """Call on a daemon thread: a function that never returns cannot keep the process from ending."""
    delivery = _Delivery(asyncio.get_running_loop())

    def work() -> None:
        with delivery:
            delivery.value = function(messages)

    threading.Thread(target=work, daemon=True).start()
    return await delivery.future


class _Delivery:
    """Carries what a thread returned or raised to the event loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop, self.value = loop, None
        self.future: asyncio.Future[Any] = loop.create_future()

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            self.loop.call_soon_threadsafe(self._settle, error)
        return True

    def _settle(self, error: BaseException | None) -> None:
        if self.future.cancelled():
            return
        if error is None:
            self.future.set_result(self.value)
        elif isinstance(error, Exception) and not isinstance(error, StopIteration):
            self.future.set_exception(error)
        else:
            self.future.set_exception(RuntimeError(f"{type(error).__name__}: {error}"))
