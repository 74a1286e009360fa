"""A server process is started, killed and started again at the same address."""

from __future__ import annotations

import asyncio
import signal
import sys
import urllib.error
import urllib.request

import pytest

from empathic.errors import ServiceError
from empathic.studies.simulation import process
from empathic.studies.simulation.process import Process

SERVER = """
import http.server, sys
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Length", "0"); self.end_headers()
    def log_message(self, *words): ...
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


def lives(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/health") as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError):
        return False


def test_a_killed_server_comes_back_at_the_same_address() -> None:
    async def run() -> list[bool]:
        async with Process([sys.executable, "-c", SERVER]) as server:
            seen = [lives(server.address)]
            await server.stop()
            seen.append(lives(server.address))
            await server.start()
            seen.append(lives(server.address))
        return [*seen, lives(server.address)]

    assert asyncio.run(run()) == [True, False, True, False]


def test_a_server_that_cannot_start_says_why() -> None:
    async def run() -> None:
        async with Process([sys.executable, "-c", "raise SystemExit('no such study')"]):
            pass

    with pytest.raises(ServiceError, match="no such study"):
        asyncio.run(run())


def test_a_server_that_never_answers_is_stopped_and_says_what_to_try(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "START_SECONDS", 0.5)
    code = "import sys, time; print('I am busy', file=sys.stderr, flush=True); time.sleep(60)"
    server = Process([sys.executable, "-c", code])

    async def run() -> None:
        async with server:
            pass

    with pytest.raises(ServiceError, match=r"within 0.5 s. Try it by itself: .*time.sleep(.|\n)*I am busy"):
        asyncio.run(run())
    assert server._running is not None and server._running.returncode == -signal.SIGKILL


def test_a_server_that_says_a_lot_is_not_held_up() -> None:
    loud = SERVER.replace(
        "def log_message(self, *words): ...", "def log_message(self, *words): sys.stderr.write('x' * 100_000)"
    )

    async def run() -> list[bool]:
        async with Process([sys.executable, "-c", loud]) as server:
            return [lives(server.address) for _ in range(5)]

    assert asyncio.run(run()) == [True] * 5


def test_a_server_that_does_not_listen_to_signals_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "STOP_SECONDS", 0.2)
    deaf = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n{SERVER}"

    async def run() -> int | None:
        async with Process([sys.executable, "-c", deaf]) as server:
            pass
        return server._running.returncode if server._running else None

    assert asyncio.run(run()) == -signal.SIGKILL
