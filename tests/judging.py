"""A real HTTP server on loopback that judges: fills the schema it is sent by a rule, and keeps a log of the calls."""

from __future__ import annotations

import contextlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

CODE = re.compile(r"\[begin ([0-9a-f]{8})\]")
Rule = Callable[[str, list[str]], dict[str, float] | str]


@dataclass
class Judging:
    """What a test sees of the server."""

    rule: Rule
    delay: float = 0.0
    url: str = ""
    log: list[tuple[str, int]] = field(default_factory=list)  # the transcript's code and the seed, in order


def by_length(prompt: str, items: list[str]) -> dict[str, float]:
    """A rule that has something to do with the conversation: a point for every 120 characters of it, from 1 to 3."""
    inside = prompt.partition("[begin")[2].partition("[end")[0]
    return {item: float(min(3, 1 + len(inside) // 120)) for item in items}


def _reply(server: Judging, body: dict[str, Any]) -> str:
    prompt = body["messages"][-1]["content"]
    server.log.append((CODE.search(prompt)[1], body["seed"]))
    schema = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    scores = server.rule(prompt, schema.get("required", []))
    if isinstance(scores, str):
        return scores
    return json.dumps({item: {"quote": "", "reason": "as told", "score": score} for item, score in scores.items()})


def _handler(server: Judging) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def log_message(self, *_: object) -> None:
            pass

        def _send(self, document: object) -> None:
            data = json.dumps(document).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self.wfile.write(data)

        def do_GET(self) -> None:
            self._send({"data": [{"id": "test-model"}, {"id": "other-model"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            text = _reply(server, body)
            time.sleep(server.delay)
            message = {"role": "assistant", "content": text}
            usage = {"prompt_tokens": 20, "completion_tokens": 7}
            self._send({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})

    return Handler


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


@contextlib.contextmanager
def judging(rule: Rule = by_length, *, delay: float = 0.0) -> Iterator[Judging]:
    """The server, as long as the block lasts."""
    server = Judging(rule, delay)
    http = _Http(("127.0.0.1", 0), _handler(server))
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
