"""A command becomes a server process that can be killed at any moment and started again at the same address."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import socket
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import aiohttp

from empathic.errors import ServiceError

START_SECONDS = 300.0
STOP_SECONDS = 20.0


class Process:
    """A server; `command` gets the port appended."""

    def __init__(self, command: Sequence[str]) -> None:
        self.port = free_port()
        self.command = [*command, str(self.port)]
        self.address = f"http://127.0.0.1:{self.port}"
        self._running: asyncio.subprocess.Process | None = None
        # What it says goes to a file: a pipe that nobody empties would stop the server one day.
        self._log = Path(tempfile.gettempdir()) / f"empathic-server-{secrets.token_hex(8)}.log"

    async def __aenter__(self) -> Self:
        try:
            await self.start()
        except BaseException:
            self._log.unlink(missing_ok=True)
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop(signal.SIGTERM)
        self._log.unlink(missing_ok=True)

    async def start(self) -> None:
        """Start it and wait until it answers; a ServiceError says why it does not."""
        quiet = asyncio.subprocess.DEVNULL
        with self._log.open("ab") as log:
            self._running = await asyncio.create_subprocess_exec(*self.command, stdout=quiet, stderr=log)
        try:
            async with asyncio.timeout(START_SECONDS), aiohttp.ClientSession() as client:
                await self._until_it_answers(client, self._running)
        except TimeoutError:
            await self.stop(signal.SIGKILL)
            raise ServiceError(
                f"The server of the simulation did not answer within {START_SECONDS:g} s. Try it by itself: "
                f"{' '.join(self.command)}{self.said()}"
            ) from None

    async def _until_it_answers(self, client: aiohttp.ClientSession, running: asyncio.subprocess.Process) -> None:
        while not await _answers(client, f"{self.address}/health"):
            if running.returncode is not None:
                raise ServiceError(f"The server of the simulation did not start{self.said() or '.'}")
            await asyncio.sleep(0.05)

    def said(self) -> str:
        """The end of what the server has said on standard error, over all its lives."""
        text = self._log.read_text(errors="replace").strip() if self._log.exists() else ""
        return f": {text[-500:]}" if text else ""

    async def stop(self, how: signal.Signals = signal.SIGKILL) -> None:
        """Send it a signal (SIGKILL leaves it no moment to tidy up) and wait for its end; who ignores it is killed."""
        if self._running is None or self._running.returncode is not None:
            return
        with contextlib.suppress(ProcessLookupError):
            self._running.send_signal(how)
        try:
            await asyncio.wait_for(self._running.wait(), STOP_SECONDS)
        except TimeoutError:
            self._running.kill()
            await self._running.wait()


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
