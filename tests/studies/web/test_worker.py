"""The worker: whatever a system does, the turn is settled with an answer or a reason, once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from empathic import models, systems
from empathic.contracts import Reply, Request
from empathic.errors import ServiceError
from empathic.studies import chats, participants, versions
from empathic.studies.design import Plan
from empathic.studies.store import Store
from empathic.studies.web import worker
from empathic.studies.web.site import Site
from empathic.transport import Limits, Pool
from loopback import answer_to, serving


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


def test_pieces_that_come_quickly_are_written_together(
    store: Store, talker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    real = chats.add_chunk

    def add_chunk(store: Store, work: chats.Work, seq: int, text: str) -> bool:
        written.append(text)
        return real(store, work, seq, text)

    monkeypatch.setattr(chats, "add_chunk", add_chunk)
    line = one_turn(store, talker, Pieces(lambda _: [f"{number} " for number in range(200)]))
    assert line.text == "".join(f"{number} " for number in range(200))
    assert written[0] == "0 "
    assert len(written) < 50


def test_a_worker_that_lost_its_turn_stops_listening(store: Store, talker: str, clock: Any) -> None:
    heard: list[int] = []

    def slow(_: Request) -> Any:
        for number in range(5):
            clock.now += chats.WORKER_SECONDS + 1
            if number == 1:
                (other,) = chats.claim_work(store, 5)
                assert chats.settle(store, other, Reply(text="I was quicker."))
            heard.append(number)
            yield f"{number}"

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(worker, "SHOW_SECONDS", 0.0)
        assert one_turn(store, talker, Pieces(slow)).text == "I was quicker."
    assert heard == [0, 1]


async def run_until(site: Site, done: Callable[[], bool]) -> None:
    """Run the worker's loop until something is so."""
    task = asyncio.create_task(worker.run(site))
    for _ in range(500):
        await asyncio.sleep(0.01)
        if done():
            break
    site.stopping.set()
    site.wake.set()
    await task


def last(store: Store, name: str) -> chats.Line:
    with store.read() as connection:
        return chats.lines(connection, participants.load(connection, name), 0)[-1]


def test_what_a_killed_server_had_begun_is_taken_up_at_once(store: Store, talker: str) -> None:
    """The clock stands still: nobody waits for the dead worker's time to run out."""
    chats.say(store, talker, 0, None)
    (dead,) = chats.claim_work(store, 5)
    chats.add_chunk(store, dead, 0, "I was about to")
    site = Site(store, dict.fromkeys(("ada", "bob", "cy"), Says(lambda _: Reply(text="I took over."))))
    asyncio.run(run_until(site, lambda: last(store, talker).status == "done"))
    assert last(store, talker).text == "I took over."
    assert not chats.settle(store, dead, Reply(text="too late"))


def test_what_a_stopping_server_had_begun_is_free_at_once(store: Store, talker: str) -> None:
    chats.say(store, talker, 0, None)
    asked: list[Request] = []

    async def never(request: Request) -> Reply:
        asked.append(request)
        await asyncio.sleep(60)
        return Reply(text="never")

    site = Site(store, dict.fromkeys(("ada", "bob", "cy"), Says(never)))
    asyncio.run(run_until(site, lambda: bool(asked)))
    assert last(store, talker).status == "waiting"
    (again,) = chats.claim_work(store, 5)
    assert again.attempt == 2


@pytest.mark.parametrize("script", ["stream-cut", "stream-silent", "stream-garbage", "stream-end", "500"])
def test_an_answer_that_breaks_off_is_failed_and_asked_again_from_its_beginning(
    store: Store, talker: str, script: str
) -> None:
    """A real server, a prompted model: what was shown of the first try is not shown with the second."""

    async def turns(server: Any) -> list[chats.Line]:
        async with Pool(Limits(attempts=1, attempt=0.5)) as pool:
            made = models.make("openai-compatible/m", models.ModelOptions(pool=pool, base_url=server.url))
            bot = systems.make(
                "openai-compatible/m", systems.Options(model=lambda _: made, providers={"openai-compatible"})
            )
            site = Site(store, dict.fromkeys(("ada", "bob", "cy"), bot))
            found = []
            for step in (lambda: chats.say(store, talker, 0, None), said, lambda: chats.retry(store, talker, 0)):
                assert step()
                (work,) = chats.claim_work(store, 5)
                await worker.answer(site, work)
                found.append(last(store, talker))
            return found

    def said() -> bool:
        return chats.say(store, talker, 0, f"And then? [{script} ok]")

    with serving() as server:
        first, failed, again = asyncio.run(turns(server))
    assert (first.status, failed.status, again.status) == ("done", "failed", "done")
    assert failed.text == ""
    assert again.text == answer_to(f"And then? [{script} ok]")
    assert server.seen[f"And then? [{script} ok]"] == 2
