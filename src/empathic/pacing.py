"""How fast an endpoint may be asked: a number of calls at once that shrinks when the server complains and recovers.

Additive increase, multiplicative decrease (Chiu and Jain 1989): each answer allows 1/limit calls more, a complaint
halves the limit, but only once for all calls that were under way when it came. Retry-After stops the whole endpoint.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime
import email.utils
import random
from collections import deque
from collections.abc import Mapping

FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0


class Pace:
    """The calls at once that one endpoint is trusted with."""

    def __init__(self, most: int) -> None:
        self.most, self.limit, self.running = most, float(most), 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._not_before = 0.0
        self._last_cut = -1.0

    def turn(self, seconds: float | None = None) -> Turn:
        """`async with pace.turn() as began`: waits until one more call is allowed, at most so long."""
        return Turn(self, seconds)

    def rest(self) -> float:
        """Seconds until the endpoint may be asked again at all."""
        return max(0.0, self._not_before - _now())

    def praise(self) -> None:
        """An answer came: allow a little more."""
        self.limit = min(self.most, self.limit + 1 / self.limit)

    def complain(self, began: float, pause: float | None) -> None:
        """The server refused a call that began at `began`; `pause` is its Retry-After, if it gave one."""
        if began > self._last_cut:
            self.limit, self._last_cut = max(1.0, self.limit / 2), _now()
        if pause is not None:
            self._not_before = max(self._not_before, _now() + pause)

    async def enter(self) -> None:
        """Wait until one more call is allowed, and take its place."""
        while self.running >= int(self.limit):
            await self._queue()
        self.running += 1
        while (wait := self.rest()) > 0:
            await self._sleep(wait)

    def leave(self) -> None:
        """Give the place back."""
        self.running -= 1
        self._wake()

    def is_free(self) -> bool:
        """Whether a call may begin without waiting."""
        return self.running < int(self.limit) and self.rest() == 0

    async def _queue(self) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(future)
        try:
            await future
        except asyncio.CancelledError:
            if future in self._waiting:
                self._waiting.remove(future)
            else:
                self._wake()
            raise

    async def _sleep(self, seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            self.leave()
            raise

    def _wake(self) -> None:
        free = int(self.limit) - self.running
        while self._waiting and free > 0:
            self._waiting.popleft().set_result(None)
            free -= 1


class Turn:
    """One call's place; waiting longer than allowed is a TimeoutError."""

    def __init__(self, pace: Pace, seconds: float | None) -> None:
        self.pace, self.seconds = pace, seconds

    async def __aenter__(self) -> float:
        if self.pace.is_free():  # nearly always: a timer for each call would cost more than all the rest here
            self.pace.running += 1
        else:
            async with asyncio.timeout(self.seconds):
                await self.pace.enter()
        return _now()

    async def __aexit__(self, *reason: object) -> None:
        self.pace.leave()


class Backoff:
    """Pauses between tries: exponential with full jitter, unless the server says how long."""

    def __init__(self, jitter: random.Random | None = None) -> None:
        self._jitter = jitter or random.Random()

    def pause(self, attempt: int, asked: float | None) -> float:
        """Seconds to wait after the n-th try, from 1: U(0, min(30, 0.5 · 2^(n-1))), added to what the server asked."""
        own = self._jitter.uniform(0, min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)))
        return own if asked is None else asked + own


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds the server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as a date."""
    with contextlib.suppress(ValueError):
        return max(0.0, float(headers["retry-after-ms"]) / 1000) if "retry-after-ms" in headers else _plain(headers)
    return None


def _plain(headers: Mapping[str, str]) -> float | None:
    text = headers.get("Retry-After")
    if text is None:
        return None
    if text.strip().replace(".", "", 1).isdigit():
        return float(text)
    moment = email.utils.parsedate_to_datetime(text)
    moment = moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)
    return max(0.0, (moment - datetime.datetime.now(datetime.UTC)).total_seconds())


def _now() -> float:
    return asyncio.get_running_loop().time()
