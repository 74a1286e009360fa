from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from empathic.contracts import Reply, Request, System


class Parrot:
    name = "test/parrot"
    concurrency = None

    def settings(self) -> Mapping[str, Any]:
        return {}

    async def check(self) -> None:
        return None

    async def respond(self, request: Request) -> Reply:
        return Reply(text=request.turns[-1].text)

    async def close(self) -> None:
        return None


def test_a_class_with_the_right_methods_is_a_system_without_inheriting() -> None:
    assert isinstance(Parrot(), System)
    assert not isinstance(object(), System)


def test_a_reply_without_text_carries_a_reason_and_no_cost() -> None:
    reply = Reply(text=None, missing="the server answered 500 three times")
    assert reply.generation.attempts == 1
    assert reply.generation.cost is None
