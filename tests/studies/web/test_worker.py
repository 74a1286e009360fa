"""The worker: whatever a system does, the turn is settled with an answer or a reason, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from empathic.contracts import Reply, Request
from empathic.errors import ServiceError
from empathic.studies import chats, participants, versions
from empathic.studies.design import Plan
from empathic.studies.store import Store
from empathic.studies.web import worker
from empathic.studies.web.site import Site


class Says:
    """A system that does what it is told with every request."""

    concurrency: int | None = None

    def __init__(self, act: Callable[[Request], Any]) -> None:
        self.name, self.act = "says", act

    def settings(self) -> dict[str, Any]:
        return {}

    async def check(self) -> None: ...

    async def respond(self, request: Request) -> Reply:
        result = self.act(request)
        return await result if asyncio.iscoroutine(result) else result

    async def close(self) -> None: ...


class Pieces(Says):
    async def stream(self, request: Request) -> AsyncIterator[str | Reply]:
        for piece in self.act(request):
            if isinstance(piece, Exception):
                raise piece
            yield piece


def fail(error: Exception) -> Any:
    raise error


def one_turn(store: Store, name: str, system: Any) -> chats.Line:
    """Ask for one answer and run the worker on it."""
    chats.say(store, name, 0, None)
    site = Site(store, dict.fromkeys(("ada", "bob", "cy"), system) if system else {})
    (work,) = chats.claim_work(store, 5)
    asyncio.run(worker.answer(site, work))
    with store.read() as connection:
        return chats.lines(connection, participants.load(connection, name), 0)[-1]


@pytest.fixture
def talker(store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str]) -> str:
    versions.publish(store, make_plan("ieval", questions=[], tutorial=""))
    return begin(store, "anna")


def test_an_answer_is_written_whole(store: Store, talker: str) -> None:
    line = one_turn(store, talker, Says(lambda request: Reply(text=f"Oh: {request.turns[-1].text}")))
    assert line.status == "done"
    assert line.text.startswith("Oh: Something happened")


def test_pieces_are_put_together(store: Store, talker: str) -> None:
    line = one_turn(store, talker, Pieces(lambda _: ["I ", "am ", "here."]))
    assert (line.text, line.status) == ("I am here.", "done")


def test_the_reply_at_the_end_of_the_pieces_is_what_counts(store: Store, talker: str) -> None:
    line = one_turn(store, talker, Pieces(lambda _: ["I am", Reply(text="I am here.")]))
    assert line.text == "I am here."


@pytest.mark.parametrize(
    "system",
    [
        Says(lambda _: Reply(text=None, missing="refused")),
        Says(lambda _: Reply(text="   ")),
        Says(lambda _: fail(ServiceError("no key"))),
        Says(lambda _: fail(ZeroDivisionError("bug of theirs"))),
        Pieces(lambda _: ["I was about ", ValueError("broken stream")]),
        Pieces(lambda _: []),
        None,
    ],
    ids=["missing", "blank", "known error", "their bug", "broken stream", "no pieces", "no system"],
)
def test_whatever_goes_wrong_the_participant_can_ask_again(store: Store, talker: str, system: Any) -> None:
    assert one_turn(store, talker, system).status == "failed"
    assert chats.retry(store, talker, 0)
    (work,) = chats.claim_work(store, 5)
    site = Site(store, dict.fromkeys(("ada", "bob", "cy"), Says(lambda _: Reply(text="Now."))))
    asyncio.run(worker.answer(site, work))
    with store.read() as connection:
        assert chats.lines(connection, participants.load(connection, talker), 0)[-1].text == "Now."


def test_a_system_that_never_answers_is_given_up(store: Store, talker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "LONGEST_SECONDS", 0.05)
    monkeypatch.setattr(worker, "KEEP_SECONDS", 0.02)
    assert one_turn(store, talker, Says(lambda _: asyncio.sleep(60))).status == "failed"


def test_the_loop_answers_what_waits_and_what_another_left_behind(store: Store, talker: str, clock: Any) -> None:
    chats.say(store, talker, 0, None)
    chats.claim_work(store, 5)  # a worker that died with the turn in its hands
    clock.now += chats.WORKER_SECONDS + 1
    site = Site(store, dict.fromkeys(("ada", "bob", "cy"), Says(lambda _: Reply(text="I took over."))))

    async def until_answered() -> str:
        task = asyncio.create_task(worker.run(site))
        for _ in range(200):
            await asyncio.sleep(0.01)
            with store.read() as connection:
                line = chats.lines(connection, participants.load(connection, talker), 0)[-1]
            if line.status == "done":
                break
        site.stopping.set()
        site.wake.set()
        await task
        return line.text

    assert asyncio.run(until_answered()) == "I took over."
