"""Requests of one simulated browser, over a network that loses and doubles them; it asks until it is answered."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import aiohttp

from empathic.errors import ServiceError
from empathic.studies.simulation.forms import Page, read
from empathic.studies.simulation.ledger import Ledger

PATIENCE_SECONDS = 1800.0  # a server that is killed again and again answers somebody else for a long time
SHORTEST, LONGEST = 0.02, 0.5
ANSWER_SECONDS = 30.0


class Network(NamedTuple):
    """How a network treats requests: the shares that are lost (half before, half after the server) and doubled."""

    lost: float = 0.0
    doubled: float = 0.0


class Answer(NamedTuple):
    """What came back."""

    status: int
    text: str
    location: str | None


class _Lost(Exception):
    """The network has swallowed it."""


class Browser:
    """Cookies of its own, and the patience to send again."""

    def __init__(self, address: str, network: Network, ledger: Ledger, rng: random.Random) -> None:
        self.address, self.network, self.ledger, self.rng = address, network, ledger, rng
        jar, limit = aiohttp.CookieJar(unsafe=True), aiohttp.ClientTimeout(total=ANSWER_SECONDS)
        self._client = aiohttp.ClientSession(cookie_jar=jar, timeout=limit)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def get(self, path: str) -> Page:
        """A page, redirections followed."""
        for _ in range(10):
            answer = await self.ask("GET", path)
            if answer.location is None:
                return read(answer.text, answer.status)
            path = answer.location
        raise ServiceError(f"{path} leads in circles.")

    async def post(self, path: str, form: Mapping[str, str]) -> Answer:
        """Send a form; 303 says that it is stored."""
        return await self.ask("POST", path, data=dict(form))

    async def save(self, path: str, content: Mapping[str, Any], csrf: str) -> Answer:
        """Send JSON as our own scripts do."""
        return await self.ask("POST", path, json=dict(content), headers={"X-CSRF-Token": csrf})

    async def ask(self, method: str, path: str, **what: Any) -> Answer:
        """Send until an answer comes: again after a lost request, a lost answer, a dead server, a server error."""
        pause, end = SHORTEST, time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < end:
            try:
                answer = await self._through(method, path, what)
                if answer.status < 500:
                    return answer
                self.ledger.server_errors += 1
            except (_Lost, aiohttp.ClientError, TimeoutError):
                self.ledger.faults += 1
            await asyncio.sleep(pause * self.rng.uniform(0.5, 1.5))
            pause = min(2 * pause, LONGEST)
        raise ServiceError(f"{method} {self.address}{path} was not answered within {PATIENCE_SECONDS:g} s.")

    async def _through(self, method: str, path: str, what: dict[str, Any]) -> Answer:
        fate = self.rng.random()
        if fate < self.network.lost / 2:
            raise _Lost
        if fate < self.network.lost:
            await self._once(method, path, what)
            raise _Lost
        if fate < self.network.lost + self.network.doubled:
            self.ledger.faults += 1
            first, second = await asyncio.gather(
                self._once(method, path, what), self._once(method, path, what), return_exceptions=True
            )
            answer = second if isinstance(first, BaseException) else first
            if isinstance(answer, BaseException):
                raise answer
            return answer
        return await self._once(method, path, what)

    async def _once(self, method: str, path: str, what: dict[str, Any]) -> Answer:
        self.ledger.requests += 1
        async with self._client.request(method, self.address + path, allow_redirects=False, **what) as reply:
            return Answer(reply.status, await reply.text(), reply.headers.get("Location"))
