"""A JSON document becomes an answer over HTTP, or the reason why there is none: paced, retried, bounded.

Retried: 408, 409, 425, 429, 5xx, time-outs and lost connections; nothing else. One call has one connection to itself
until its answer is complete; a connection on which anything went wrong is closed, never used again, so an answer
cannot reach another call. Secrets are taken out of everything that leaves this module. A stream is tried again only
before anything of it was passed on: nobody sees half an answer twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import re
import time
import urllib.parse
import urllib.request
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Iterable, Mapping
from typing import Any, TypeVar

import aiohttp
import msgspec
from aiohttp.connector import Connection

from empathic.errors import ServiceError, SettingError
from empathic.pacing import Backoff, Pace, retry_after
from empathic.sse import Events

RETRIED = frozenset({408, 409, 425, 429})
HIDDEN = "[hidden]"
T = TypeVar("T")
_QUOTED = 160  # characters of a server's own words that go into a reason


@dataclasses.dataclass(frozen=True)
class Limits:
    """How long, how often and how much."""

    connections: int = 16
    attempt: float = 120.0  # seconds for one try
    deadline: float = 600.0  # seconds for one call, all tries and pauses included
    attempts: int = 6
    bytes: int = 4 * 1024 * 1024  # of one answer


@dataclasses.dataclass(frozen=True)
class Answer:
    """A document, or why there is none; `status` is the last one seen."""

    document: Any = None
    missing: str | None = None
    transient: bool = False
    status: int | None = None
    attempts: int = 1
    latency: float | None = None  # seconds of the last try


@dataclasses.dataclass(frozen=True)
class Event:
    """One document of a stream; the whole answer, if the server does not stream."""

    document: Any
    whole: bool = False


class Pool:
    """All connections of a run: endpoints at one address share their pace."""

    def __init__(self, limits: Limits | None = None, *, backoff: Backoff | None = None) -> None:
        self.limits, self.backoff = limits or Limits(), backoff or Backoff()
        self._session: aiohttp.ClientSession | None = None
        self._paces: dict[str, Pace] = {}

    def endpoint(self, url: str, *, headers: Mapping[str, str] | None = None, secrets: Iterable[str] = ()) -> Endpoint:
        """The address `url` with the headers every call to it carries."""
        split = urllib.parse.urlsplit(url)
        if split.scheme not in ("http", "https") or not split.hostname:
            raise SettingError(f"'{public_url(url)}' is no address of a server. Type http://HOST:PORT/PATH.")
        pace = self._paces.setdefault(f"{split.scheme}://{split.netloc}", Pace(self.limits.connections))
        hidden = [*secrets, *([split.password] if split.password else [])]
        return Endpoint(self, url.rstrip("/"), dict(headers or {}), Veil(hidden), pace)

    def session(self) -> aiohttp.ClientSession:
        """The connections themselves, opened when first needed."""
        if self._session is None:
            # The pace holds back calls; the connector must not, or waiting would count as the server's time.
            self._session = aiohttp.ClientSession(connector=Connector(limit=0, keepalive_timeout=30))
        return self._session

    async def __aenter__(self) -> Pool:
        return self

    async def __aexit__(self, *reason: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Close every connection."""
        if self._session is not None:
            await self._session.close()
            self._session = None


class Connector(aiohttp.TCPConnector):
    """Gives away no idle connection on which the server said something unasked: it would pass for the next answer."""

    async def connect(
        self, req: aiohttp.ClientRequest, traces: list[Any], timeout: aiohttp.ClientTimeout
    ) -> Connection:
        while True:
            connection = await super().connect(req, traces, timeout)
            if connection.protocol is None or not connection.protocol.should_close:
                return connection
            connection.close()


class Veil:
    """Takes secrets out of texts and bytes."""

    def __init__(self, secrets: Iterable[str]) -> None:
        self._secrets = sorted({secret for secret in secrets if len(secret) >= 4}, key=len, reverse=True)
        self._bytes = [secret.encode() for secret in self._secrets]

    def text(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, HIDDEN)
        return text

    def bytes(self, data: bytes) -> bytes:
        for secret in self._bytes:
            if secret in data:
                data = data.replace(secret, HIDDEN.encode())
        return data


class _Failure(Exception):
    """One try that brought no document."""

    def __init__(self, reason: str, *, again: bool, status: int | None = None, pause: float | None = None) -> None:
        super().__init__(reason)
        self.reason, self.again, self.status, self.pause = reason, again, status, pause


class Endpoint:
    """One address to which JSON documents are posted."""

    def __init__(self, pool: Pool, url: str, headers: dict[str, str], veil: Veil, pace: Pace) -> None:
        self.url, self.pace, self._pool, self._headers, self._veil = url, pace, pool, headers, veil
        self._proxy = proxy_for(url)

    async def post(self, path: str, document: object) -> Answer:
        """Post a document and read the JSON that comes back."""
        return await self._call("POST", path, msgspec.json.encode(document))

    async def get(self, path: str) -> Answer:
        """Read the JSON document at a path."""
        return await self._call("GET", path, None)

    async def stream(self, path: str, document: object) -> AsyncGenerator[Event | Answer, None]:
        """Post a document and pass on the events that come back; then an Answer tells how it went.

        `[DONE]` ends a stream, and so does the server's orderly end. An answer that is no stream is one event.
        """
        limits, end, body = (
            self._pool.limits,
            time.monotonic() + self._pool.limits.deadline,
            msgspec.json.encode(document),
        )
        given = False
        for attempt in range(1, limits.attempts + 1):
            begin = time.perf_counter()
            try:
                async with contextlib.aclosing(self._events(path, body, end)) as events:
                    async for event in events:
                        given = True
                        yield event
                yield Answer(status=200, attempts=attempt, latency=time.perf_counter() - begin)
                return
            except _Failure as raised:
                failure = raised
            pause = self._pool.backoff.pause(attempt, failure.pause)
            if given or not failure.again or attempt == limits.attempts or time.monotonic() + pause >= end:
                break
            await asyncio.sleep(pause)
        reason = f"{failure.reason}, in the middle of the answer" if given else _reason(failure, attempt)
        yield Answer(missing=reason, transient=True, status=failure.status, attempts=attempt)

    async def reach(self, path: str = "") -> Answer:
        """One try without retries, to see whether the server is there and accepts us; no server is a ServiceError."""
        try:
            return await self._once("GET", path, None, attempt=1, seconds=min(15.0, self._pool.limits.attempt))
        except _Failure as failure:
            if failure.status is None:
                message = (
                    f"The server at {public_url(self.url)} cannot be reached: {failure.reason}. Is the address right?"
                )
                raise ServiceError(message) from None
            return Answer(missing=failure.reason, transient=True, status=failure.status)

    async def _call(self, method: str, path: str, body: bytes | None) -> Answer:
        limits, end = self._pool.limits, time.monotonic() + self._pool.limits.deadline
        for attempt in range(1, limits.attempts + 1):
            try:
                return await self._paced(method, path, body, attempt, end)
            except _Failure as raised:
                failure = raised
            pause = self._pool.backoff.pause(attempt, failure.pause)
            if not failure.again or attempt == limits.attempts or time.monotonic() + pause >= end:
                break
            await asyncio.sleep(pause)
        return Answer(missing=_reason(failure, attempt), transient=True, status=failure.status, attempts=attempt)

    async def _paced(self, method: str, path: str, body: bytes | None, attempt: int, end: float) -> Answer:
        """One try when it is its turn; waiting for the turn counts for the deadline, not as the server's time."""
        rest, left = self.pace.rest(), end - time.monotonic()
        if rest > left:
            raise _Failure(f"the server wants no calls for {rest:.0f} s", again=False, status=429)
        try:
            async with self.pace.turn(left) as began:
                return await self._watched(method, path, body, attempt, end, began)
        except TimeoutError:
            reason = f"no turn to ask within {self._pool.limits.deadline:g} s"
            raise _Failure(reason, again=False) from None

    async def _watched(
        self, method: str, path: str, body: bytes | None, attempt: int, end: float, began: float
    ) -> Answer:
        seconds = min(self._pool.limits.attempt, end - time.monotonic())
        try:
            answer = await self._once(method, path, body, attempt=attempt, seconds=seconds)
        except _Failure as failure:
            if failure.status in (429, 503):
                self.pace.complain(began, failure.pause)
            raise
        self.pace.praise()
        return answer

    async def _once(self, method: str, path: str, body: bytes | None, *, attempt: int, seconds: float) -> Answer:
        begin = time.perf_counter()
        headers = {"Content-Type": "application/json", "Accept": "application/json", **self._headers}
        try:
            async with (
                asyncio.timeout(seconds),
                self._pool.session().request(
                    method, self.url + path, data=body, headers=headers, allow_redirects=False, proxy=self._proxy
                ) as response,
            ):
                data = self._veil.bytes(await self._body(response))
                document = self._document(response, data)
        except TimeoutError:
            raise _Failure(f"no complete answer within {seconds:.3g} s", again=True) from None
        except (aiohttp.ClientError, OSError) as error:
            raise _Failure(f"the connection failed ({self._words(error)})", again=True) from None
        latency = time.perf_counter() - begin
        return Answer(document=document, status=response.status, attempts=attempt, latency=latency)

    async def _events(self, path: str, body: bytes, end: float) -> AsyncGenerator[Event, None]:
        """The events of one try; the connection is closed however this ends."""
        async with self._turn(end):
            response = await self._silent(end, self._request_stream(path, body))
            try:
                if response.status >= 300 or response.content_type != "text/event-stream":
                    data = self._veil.bytes(await self._silent(end, self._body(response)))
                    yield Event(self._document(response, data), whole=True)
                    return
                async with contextlib.aclosing(self._data(response, end)) as found:
                    async for data in found:
                        yield Event(self._event(self._veil.bytes(data)))
            finally:
                response.close()

    async def _data(self, response: aiohttp.ClientResponse, end: float) -> AsyncGenerator[bytes, None]:
        events, seen, most = Events(), 0, self._pool.limits.bytes
        while block := await self._silent(end, response.content.readany()):
            seen += len(block)
            if seen > most:
                raise _Failure(f"the answer is larger than {most:,} bytes", again=False, status=response.status)
            for data in events.feed(block):
                if data == b"[DONE]":
                    return
                yield data

    @contextlib.asynccontextmanager
    async def _turn(self, end: float) -> AsyncIterator[None]:
        """A place among the calls at once, held until the stream ends."""
        if self.pace.rest() > end - time.monotonic():
            raise _Failure(f"the server wants no calls for {self.pace.rest():.0f} s", again=False, status=429)
        turn = self.pace.turn(end - time.monotonic())
        try:
            began = await turn.__aenter__()
        except TimeoutError:
            raise _Failure(f"no turn to ask within {self._pool.limits.deadline:g} s", again=False) from None
        try:
            yield
            self.pace.praise()
        except _Failure as failure:
            if failure.status in (429, 503):
                self.pace.complain(began, failure.pause)
            raise
        finally:
            await turn.__aexit__()

    async def _request_stream(self, path: str, body: bytes) -> aiohttp.ClientResponse:
        headers = {"Content-Type": "application/json", "Accept": "text/event-stream, application/json", **self._headers}
        return await self._pool.session().post(
            self.url + path, data=body, headers=headers, allow_redirects=False, proxy=self._proxy
        )

    async def _silent(self, end: float, waiting: Awaitable[T]) -> T:
        """What is waited for, unless the server is silent for longer than one try may take."""
        seconds = max(0.0, min(self._pool.limits.attempt, end - time.monotonic()))
        try:
            async with asyncio.timeout(seconds):
                return await waiting
        except TimeoutError:
            raise _Failure(f"nothing came for {seconds:.3g} s", again=True) from None
        except (aiohttp.ClientError, OSError) as error:
            raise _Failure(f"the connection failed ({self._words(error)})", again=True) from None

    def _event(self, data: bytes) -> Any:
        try:
            document = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            raise _Failure(f"the stream holds what is not JSON{_quoted(data)}", again=True, status=200) from None
        if isinstance(document, dict) and document.get("error"):
            raise _Failure(f"the server broke off{_quoted(data)}", again=True, status=200)
        return document

    async def _body(self, response: aiohttp.ClientResponse) -> bytes:
        data, most = bytearray(), self._pool.limits.bytes
        async for block in response.content.iter_any():
            data += block
            if len(data) > most:
                response.close()
                raise _Failure(f"the answer is larger than {most:,} bytes", again=False, status=response.status)
        return bytes(data)

    def _document(self, response: aiohttp.ClientResponse, data: bytes) -> Any:
        status = response.status
        if status >= 300:
            again = status in RETRIED or status >= 500
            reason = f"HTTP {status}{_quoted(data)}"
            raise _Failure(reason, again=again, status=status, pause=retry_after(response.headers) if again else None)
        try:
            return msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            kind = response.headers.get("Content-Type", "no type")
            raise _Failure(f"the answer is not JSON ({kind}){_quoted(data)}", again=False, status=status) from None

    def _words(self, error: BaseException) -> str:
        return self._veil.text(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)[:_QUOTED]


def proxy_for(url: str) -> str | None:
    """The proxy that the environment prescribes for an address, looked up once (per call it would cost a thread)."""
    split = urllib.parse.urlsplit(url)
    if not split.hostname or urllib.request.proxy_bypass(split.hostname):
        return None
    return urllib.request.getproxies().get(split.scheme)


def public_url(url: str) -> str:
    """An address without user, password and query, which may hold secrets."""
    split = urllib.parse.urlsplit(url)
    host = split.netloc.rpartition("@")[2]
    return urllib.parse.urlunsplit((split.scheme, host, split.path, "", ""))


def _reason(failure: _Failure, attempts: int) -> str:
    return failure.reason if attempts == 1 else f"{failure.reason}, after {attempts} tries"


def _quoted(data: bytes) -> str:
    """The server's own words, shortened to one line."""
    message = _message(data)
    text = re.sub(
        r"\s+", " ", message if message is not None else data[: 4 * _QUOTED].decode("utf-8", "replace")
    ).strip()
    return f": {text[:_QUOTED]}{'…' if len(text) > _QUOTED else ''}" if text else ""


def _message(data: bytes) -> str | None:
    try:
        document = msgspec.json.decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    error = document.get("error", document) if isinstance(document, dict) else document
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else None
