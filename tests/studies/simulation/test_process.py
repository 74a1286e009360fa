"""A server process is started, killed and started again at the same address."""

from __future__ import annotations

import asyncio
import sys
import urllib.error
import urllib.request

import pytest

from empathic.errors import ServiceError
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
