"""A command becomes a server process that can be killed at any moment and started again at the same address."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Sequence
from typing import Self

import aiohttp

from empathic.errors import ServiceError

START_SECONDS = 300.0


class Process:
    """A server; `command` gets the port appended."""

    def __init__(self, command: Sequence[str]) -> None:
        self.port = free_port()
        self.command = [*command, str(self.port)]
        self.address = f"http://127.0.0.1:{self.port}"
        self._running: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop(signal.SIGINT)

    async def start(self) -> None:
        """Start it and wait until it answers."""
        pipe = asyncio.subprocess.PIPE
        self._running = await asyncio.create_subprocess_exec(
            *self.command, stdout=asyncio.subprocess.DEVNULL, stderr=pipe
        )
        async with asyncio.timeout(START_SECONDS), aiohttp.ClientSession() as client:
            while not await _answers(client, f"{self.address}/health"):
                if self._running.returncode is not None:
                    said = await self._running.stderr.read() if self._running.stderr else b""
                    raise ServiceError(f"The server of the simulation did not start: {said.decode()[-500:]}")
                await asyncio.sleep(0.05)

    async def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Send it a signal (SIGKILL leaves it no moment to tidy up) and wait for its end."""
        if self._running is None or self._running.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._running.send_signal(how)
        await self._running.communicate()


async def _answers(client: aiohttp.ClientSession, address: str) -> bool:
    try:
        async with client.get(address) as answer:
            return answer.status == 200
    except aiohttp.ClientError:
        return False


def free_port() -> int:
    """A port nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
