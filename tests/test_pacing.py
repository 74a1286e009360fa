from __future__ import annotations

import asyncio
import datetime
import email.utils
import random

import pytest

from empathic.pacing import Backoff, Pace, retry_after


def test_no_more_calls_run_at_once_than_the_limit() -> None:
    async def main() -> int:
        pace, running, most = Pace(3), 0, 0

        async def call() -> None:
            nonlocal running, most
            async with pace.turn():
                running += 1
                most = max(most, running)
                await asyncio.sleep(0.001)
                running -= 1

        await asyncio.gather(*(call() for _ in range(30)))
        assert pace.running == 0
        return most

    assert asyncio.run(main()) == 3


def test_complaints_of_one_moment_halve_the_limit_once_and_answers_bring_it_back() -> None:
    async def main() -> list[float]:
        pace = Pace(16)
        began = asyncio.get_running_loop().time()
        seen = []
        for _ in range(5):
            pace.complain(began, None)
        seen.append(pace.limit)
        await asyncio.sleep(0.002)
        pace.complain(asyncio.get_running_loop().time(), None)
        seen.append(pace.limit)
        for _ in range(400):
            pace.praise()
        return [*seen, pace.limit]

    assert asyncio.run(main()) == [8.0, 4.0, 16.0]


def test_the_limit_never_falls_below_one_call() -> None:
    async def main() -> float:
        pace = Pace(2)
        for _ in range(5):
            await asyncio.sleep(0.001)
            pace.complain(asyncio.get_running_loop().time(), None)
        async with pace.turn():
            return pace.limit

    assert asyncio.run(main()) == 1.0


def test_retry_after_stops_the_whole_endpoint_for_that_long() -> None:
    async def main() -> float:
        pace, loop = Pace(4), asyncio.get_running_loop()
        pace.complain(loop.time(), 0.1)
        begin = loop.time()
        async with pace.turn() as began:
            return began - begin

    assert asyncio.run(main()) >= 0.09


def test_a_call_that_is_given_up_while_waiting_frees_its_place() -> None:
    async def main() -> None:
        pace = Pace(1)
        async with pace.turn():
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.01), pace.turn():
                    pass
        pace.complain(asyncio.get_running_loop().time(), 0.05)
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01), pace.turn():
                pass
        async with asyncio.timeout(1), pace.turn():
            assert pace.running == 1

    asyncio.run(main())


def test_pauses_double_with_jitter_up_to_a_limit_and_never_undercut_the_server() -> None:
    backoff = Backoff(random.Random(3))
    for attempt, most in ((1, 0.5), (2, 1.0), (5, 8.0), (20, 30.0)):
        pauses = [backoff.pause(attempt, None) for _ in range(200)]
        assert 0 <= min(pauses) < most / 10
        assert most * 0.9 < max(pauses) <= most
    assert all(backoff.pause(1, 7.0) >= 7.0 for _ in range(50))


def test_retry_after_is_read_as_seconds_milliseconds_or_date() -> None:
    assert retry_after({"Retry-After": "3"}) == 3
    assert retry_after({"retry-after-ms": "250", "Retry-After": "9"}) == 0.25
    assert retry_after({}) is None
    assert retry_after({"Retry-After": "soon"}) is None
    later = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=60)
    assert retry_after({"Retry-After": email.utils.format_datetime(later)}) == pytest.approx(60, abs=3)
    assert retry_after({"Retry-After": "Wed, 21 Oct 2015 07:28:00 -0000"}) == 0
