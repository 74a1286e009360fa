"""A real HTTP server on loopback for the tests: speaks chat completions, misbehaves as told, and keeps a log.

What it does with a call is told by the call's last user message: `… [500 500 ok]` is refused twice, then answered. An
answer quotes the message it belongs to, so a test can see whether it reached the right dialogue.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import threading
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

SCRIPT = re.compile(r"\[([\w. -]+)\]")
JSON_TYPE = "application/json"


@dataclass
class Server:
    """What a test sees of the server."""

    url: str = ""
    delay: float = 0.0
    models: tuple[str, ...] | None = ("test-model",)
    key: str | None = None
    log: list[str] = field(default_factory=list)  # last user messages, in order of arrival
    answered: Counter[str] = field(default_factory=Counter)  # those fully answered with a text
    seen: Counter[str] = field(default_factory=Counter)
    running: int = 0
    most: int = 0
    headers: list[dict[str, str]] = field(default_factory=list)
    bodies: list[dict] = field(default_factory=list)


def completion(text: str | None, *, reason: str = "stop", **extra: object) -> bytes:
    message = {"role": "assistant", "content": text}
    document = {
        "model": "test-model-1",
        "choices": [{"index": 0, "finish_reason": reason, "message": message}],
        **extra,
    }
    return json.dumps({"usage": {"prompt_tokens": 20, "completion_tokens": 7}, **document}).encode()


def answer_to(message: str) -> str:
    return f"About <{message}>: that sounds hard."


async def send(writer: asyncio.StreamWriter, status: int, body: bytes, kind: str = JSON_TYPE, **headers: str) -> None:
    lines = [f"HTTP/1.1 {status} X", f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    await writer.drain()


async def act(server: Server, action: str, message: str, writer: asyncio.StreamWriter, headers: dict[str, str]) -> None:
    """One reaction to one call; raising ConnectionError ends the connection."""
    good = completion(answer_to(message))
    if action.isdigit():
        body = json.dumps({"error": {"message": f"no luck ({headers.get('authorization', '')})"}}).encode()
        await send(writer, int(action), body)
    elif action.startswith("wait-"):
        await send(writer, 429, b"{}", Retry_After=action.removeprefix("wait-"))
    elif action == "slow-headers":
        await asyncio.sleep(30)
    elif action == "slow-body":
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(good)}\r\n\r\n".encode())
        for byte in good:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0.2)
    elif action == "cut":
        writer.write(f"HTTP/1.1 200 OK\r\nContent-Length: {len(good)}\r\n\r\n".encode() + good[: len(good) // 2])
        await writer.drain()
        raise ConnectionError
    elif action == "drop":
        raise ConnectionError
    elif action == "invalid":
        await send(writer, 200, b'{"choices": [{"message": ')
    elif action == "html":
        await send(writer, 200, b"<html><body>Bad gateway</body></html>", "text/html")
    elif action == "empty":
        await send(writer, 200, json.dumps({"choices": []}).encode())
    elif action == "filter":
        await send(writer, 200, completion("half a sent", reason="content_filter"))
    elif action == "blank":
        await send(writer, 200, completion("  \n"))
    elif action == "null":
        await send(writer, 200, b"null")
    elif action == "huge":
        await send(writer, 200, completion("a" * 10_000_000))
    elif action == "typed":
        await send(writer, 200, good, "text/plain")
        server.answered[message] += 1
    elif action == "twice":  # a second, stray answer on the same connection
        await send(writer, 200, good)
        server.answered[message] += 1
        await asyncio.sleep(0.02)
        await send(writer, 200, completion("a stray answer that belongs to nobody"))
    elif action == "echo-key":
        await send(writer, 200, completion(f"your key is {headers.get('authorization', '')}"))
    else:
        await send(writer, 200, good)
        server.answered[message] += 1


def event(piece: str | None = None, *, reason: str | None = None, **extra: object) -> bytes:
    """One event of a streamed completion."""
    delta = {} if piece is None else {"content": piece}
    choice = {"index": 0, "delta": delta, "finish_reason": reason}
    return b"data: " + json.dumps({"model": "test-model-1", "choices": [choice], **extra}).encode() + b"\n\n"


def pieces_of(text: str) -> list[str]:
    return re.findall(r"\S+\s*", text)


async def chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
    await writer.drain()


async def act_stream(server: Server, action: str, message: str, writer: asyncio.StreamWriter) -> None:
    """A streamed reaction: all goes well, or it goes wrong after three pieces."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
    await chunk(writer, event("") if action != "early-error" else b'data: {"error": {"message": "overloaded"}}\n\n')
    pieces = pieces_of(answer_to(message))
    for place, piece in enumerate(pieces):
        if place == 3 and action == "stream-cut":
            raise ConnectionError
        if place == 3 and action == "stream-silent":
            await asyncio.sleep(30)
        if place == 3 and action == "stream-garbage":
            await chunk(writer, b"data: {not JSON\n\n")
        if place == 3 and action == "stream-error":
            await chunk(writer, b'data: {"error": {"message": "out of memory"}}\n\n')
        if place == 3 and action == "stream-noise":
            await chunk(writer, b": ping\n\nnonsense\nid: 7\n\n\r\n")
        if place == 3 and action == "stream-end":
            await chunk(writer, b"")
            return
        if action == "stream-slow":
            await asyncio.sleep(0.15)
        await chunk(writer, event(piece))
    reason = "content_filter" if action == "stream-filter" else "stop"
    await chunk(writer, event(reason=reason) + event(usage={"prompt_tokens": 20, "completion_tokens": 7}))
    if action != "stream-nodone":
        await chunk(writer, b"data: [DONE]\n\n")
    await chunk(writer, b"")
    server.answered[message] += 1


async def read_call(reader: asyncio.StreamReader) -> tuple[str, dict[str, str], bytes] | None:
    head = await reader.readuntil(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    headers = dict(line.lower().split(": ", 1) if ": " not in line else _pair(line) for line in lines if line)
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return first, headers, body


def _pair(line: str) -> tuple[str, str]:
    name, _, value = line.partition(": ")
    return name.lower(), value


async def serve_call(
    server: Server, first: str, headers: dict[str, str], body: bytes, writer: asyncio.StreamWriter
) -> None:
    if server.key is not None and headers.get("authorization") != f"Bearer {server.key}":
        await send(writer, 401, b'{"error": {"message": "wrong key"}}')
        return
    if first.startswith("GET"):
        listed = json.dumps({"data": [{"id": name} for name in server.models or ()]}).encode()
        await send(writer, 200 if server.models is not None else 404, listed)
        return
    document = json.loads(body)
    message = document["messages"][-1]["content"] if "messages" in document else document["message"]
    server.log.append(message)
    server.headers.append(headers)
    server.bodies.append(document)
    server.seen[message] += 1
    script = SCRIPT.search(message)
    actions = script[1].split() if script else ["ok"]
    await asyncio.sleep(server.delay)
    action = actions[min(server.seen[message], len(actions)) - 1]
    if document.get("stream") and (action == "ok" or action.startswith("stream") or action == "early-error"):
        await act_stream(server, action, message, writer)
    elif "messages" in document:
        await act(server, action, message, writer, headers)
    else:
        await send(writer, 200, json.dumps([{"text": f"You said {message}."}, {"text": "Go on."}]).encode())


def connection(server: Server) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while call := await read_call(reader):
                server.running += 1
                server.most = max(server.most, server.running)
                try:
                    await serve_call(server, *call, writer)
                finally:
                    server.running -= 1
        writer.close()

    return handle


@contextlib.contextmanager
def serving(**settings: object) -> Iterator[Server]:
    """A server in a thread of its own, until the block ends."""
    server, loop, ready = Server(**settings), asyncio.new_event_loop(), threading.Event()
    stop = asyncio.Event()

    async def main() -> None:
        listening = await asyncio.start_server(connection(server), "127.0.0.1", 0, limit=1 << 24)
        server.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}/v1"
        ready.set()
        await stop.wait()
        listening.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    thread = threading.Thread(target=loop.run_until_complete, args=(main(),), daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield server
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(10)
        loop.close()
