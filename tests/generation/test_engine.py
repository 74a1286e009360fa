from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from empathic.cache import Store
from empathic.contracts import Reply, Request
from empathic.errors import ServiceError
from empathic.generation import Plan, Progress, generate
from empathic.generation.engine import request_keys
from empathic.procedures import SingleTurn
from empathic.records import Dialogue, Turn
from empathic.systems.base import Simple

DIALOGUES = [Dialogue(id=f"d{i}", turns=(Turn(role="speaker", text=f"t{i}"),)) for i in range(20)]


class Bot(Simple):
    """Counts its calls and how many run at once."""

    name = "test/bot"
    concurrency = None

    def __init__(self, concurrency: int | None = None, wait: float = 0.002) -> None:
        self.concurrency, self.wait = concurrency, wait
        self.asked: list[str] = []
        self.running = self.most = self.checked = 0

    async def check(self) -> None:
        self.checked += 1

    async def respond(self, request: Request) -> Reply:
        self.asked.append(request.dialogue)
        self.running += 1
        self.most = max(self.most, self.running)
        await asyncio.sleep(self.wait)
        self.running -= 1
        return self.answer(request)

    def answer(self, request: Request) -> Reply:
        return Reply(text=f"{request.dialogue}/{request.repeat}")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(tmp_path / "replies.sqlite")
    yield store
    store.close()


def plan(*systems: Simple, **settings: object) -> Plan:
    return Plan(**{"systems": systems, "dialogues": DIALOGUES, "procedure": SingleTurn(), **settings})


def stored(system: Simple, store: Store, dialogue: int, repeat: int = 0) -> Reply | None:
    request = Request(dialogue=f"d{dialogue}", position=0, turns=DIALOGUES[dialogue].turns, repeat=repeat)
    return store.get(request_keys(system).key(request), Reply)


def test_every_answer_is_stored_under_its_own_request(store: Store) -> None:
    bot = Bot()
    asyncio.run(generate(plan(bot, epochs=2), store))
    for i in range(20):
        for repeat in (0, 1):
            assert stored(bot, store, i, repeat).text == f"d{i}/{repeat}"
    assert stored(bot, store, 3).generation.latency > 0


def test_a_second_run_asks_nothing_and_checks_nothing(store: Store) -> None:
    asyncio.run(generate(plan(Bot()), store))
    bot, seen = Bot(), []
    asyncio.run(generate(plan(bot), store, watch=seen.append))
    assert (bot.asked, bot.checked) == ([], 0)
    assert len(seen) == 20 and all(isinstance(each, Progress) and each.stored for each in seen)


def test_no_more_calls_run_at_once_than_user_and_system_allow(store: Store) -> None:
    wide, narrow = Bot(), Bot(concurrency=2)
    asyncio.run(generate(plan(wide, max_connections=5), store))
    narrow.name = "test/narrow"
    asyncio.run(generate(plan(narrow, max_connections=5), store))
    assert (wide.most, narrow.most) == (5, 2)


def test_what_failed_on_the_way_is_asked_again_and_what_the_model_decided_is_not(store: Store) -> None:
    class Moody(Bot):
        def answer(self, request: Request) -> Reply:
            if request.dialogue == "d1":
                return Reply(text=None, missing="HTTP 500", transient=True)
            if request.dialogue == "d2":
                return Reply(text=None, missing="the content filter")
            return Reply(text="fine") if request.dialogue != "d3" else Reply(text=" \n")

    asyncio.run(generate(plan(Moody()), store))
    again = Moody()
    asyncio.run(generate(plan(again), store))
    assert again.asked == ["d1"]
    assert stored(again, store, 3).missing == "the answer is empty"
    assert stored(again, store, 3).text is None


def test_what_a_system_raises_is_the_reason_of_one_missing_response(store: Store) -> None:
    class Broken(Bot):
        def answer(self, request: Request) -> Reply:
            if request.dialogue == "d4":
                raise KeyError("tea")
            return Reply(text="fine")

    bot = Broken()
    asyncio.run(generate(plan(bot), store))
    assert stored(bot, store, 4).missing == "the system raised KeyError: 'tea'"
    assert stored(bot, store, 5).text == "fine"


def test_a_system_that_never_answers_is_given_up_at_the_deadline(store: Store) -> None:
    bot = Bot(wait=60)
    asyncio.run(generate(plan(bot, deadline=0.05, dialogues=DIALOGUES[:3]), store))
    assert stored(bot, store, 0).missing == "no answer within 0.05 s"


def test_all_systems_are_checked_before_any_is_asked(store: Store) -> None:
    class Unusable(Bot):
        name = "test/unusable"

        async def check(self) -> None:
            raise ServiceError("The server cannot be reached.")

    bot = Bot()
    with pytest.raises(ServiceError):
        asyncio.run(generate(plan(bot, Unusable()), store))
    assert bot.asked == []


def test_a_shared_store_serves_other_runs_but_holds_no_failures(store: Store, tmp_path: Path) -> None:
    class Half(Bot):
        def answer(self, request: Request) -> Reply:
            good = int(request.dialogue[1:]) % 2 == 0
            return Reply(text="fine") if good else Reply(text=None, missing="HTTP 500", transient=True)

    shared = Store(tmp_path / "shared")
    asyncio.run(generate(plan(Half()), store, shared=shared))
    assert len(shared) == 10
    other, bot = Store(tmp_path / "other"), Half()
    asyncio.run(generate(plan(bot), other, shared=shared))
    assert sorted(bot.asked) == sorted(f"d{i}" for i in range(1, 20, 2))
    assert len(other) == 20
    other.close()
    shared.close()


def test_a_changed_setting_or_context_asks_anew(store: Store) -> None:
    class Tuned(Bot):
        def settings(self) -> dict[str, object]:
            return {"temperature": 0.5}

    asyncio.run(generate(plan(Bot()), store))
    tuned = Tuned()
    asyncio.run(generate(plan(tuned), store))
    assert len(tuned.asked) == 20
    changed = [Dialogue(id="d0", turns=(Turn(role="speaker", text="other"),))]
    bot = Bot()
    asyncio.run(generate(plan(bot, dialogues=changed), store))
    assert bot.asked == ["d0"]


def test_a_cancelled_run_keeps_what_was_answered(store: Store) -> None:
    async def run(bot: Bot) -> None:
        async with asyncio.timeout(0.05):
            await generate(plan(bot, max_connections=2), store)

    bot = Bot(wait=0.02)
    with pytest.raises(TimeoutError):
        asyncio.run(run(bot))
    done = len(store)
    assert 0 < done < 20
    rest = Bot()
    asyncio.run(generate(plan(rest), store))
    assert len(rest.asked) == 20 - done
