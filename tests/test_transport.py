from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Coroutine
from typing import Any

import pytest

from empathic.errors import ServiceError, SettingError
from empathic.pacing import Backoff
from empathic.transport import Answer, Endpoint, Limits, Pool, Veil, proxy_for, public_url
from loopback import Server, answer_to, serving

QUICK = Limits(connections=8, attempt=0.4, deadline=3.0, attempts=3)


class NoPause(Backoff):
    """Retries at once unless the server asks to wait, so that tests are quick."""

    def pause(self, attempt: int, asked: float | None) -> float:
        return asked or 0.001


def chat(message: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": message}]}


def run(server: Server, *messages: str, limits: Limits = QUICK, key: str = "") -> list[Answer]:
    """All messages posted at once."""

    async def main() -> list[Answer]:
        async with Pool(limits, backoff=NoPause()) as pool:
            headers = {"Authorization": f"Bearer {key}"} if key else {}
            endpoint = pool.endpoint(server.url, headers=headers, secrets=[key] if key else [])
            return await asyncio.gather(*(endpoint.post("/chat/completions", chat(message)) for message in messages))

    return asyncio.run(main())


def text(answer: Answer) -> str:
    return answer.document["choices"][0]["message"]["content"]


@pytest.mark.parametrize("script", ["429 ok", "500 503 ok", "408 ok", "409 ok", "502 504 ok", "cut ok", "drop ok"])
def test_what_may_go_away_is_tried_again(script: str) -> None:
    with serving() as server:
        answer = run(server, f"a [{script}]")[0]
    assert text(answer) == answer_to(f"a [{script}]")
    assert answer.attempts == len(script.split()) == len(server.log)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 413, 422])
def test_a_refusal_is_not_tried_again(status: int) -> None:
    with serving() as server:
        answer = run(server, f"a [{status} ok]")[0]
    assert (answer.missing, answer.status, len(server.log)) == (f"HTTP {status}: no luck ()", status, 1)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("500", "HTTP 500: no luck (), after 3 tries"),
        ("429", "HTTP 429: no luck (), after 3 tries"),
        ("cut", "the connection failed (ClientPayloadError"),
        ("drop", "the connection failed (ServerDisconnectedError"),
        ("slow-headers", "no complete answer within 0.4 s, after 3 tries"),
        ("slow-body", "no complete answer within 0.4 s, after 3 tries"),
        ("invalid", 'the answer is not JSON (application/json): {"choices"'),
        ("html", "the answer is not JSON (text/html): <html>"),
        ("huge", "the answer is larger than 4,194,304 bytes"),
    ],
)
def test_what_fails_for_good_says_what_happened(script: str, reason: str) -> None:
    with serving() as server:
        begin = time.monotonic()
        answer = run(server, f"a [{script}]")[0]
        seconds = time.monotonic() - begin
    assert answer.document is None
    assert answer.missing.startswith(reason)
    assert answer.transient
    assert seconds < QUICK.deadline + 1


def test_retry_after_is_waited_for_and_holds_back_the_other_calls() -> None:
    with serving() as server:

        async def main() -> tuple[float, Answer]:
            async with Pool(QUICK, backoff=NoPause()) as pool:
                endpoint = pool.endpoint(server.url)
                begin = time.monotonic()
                first = asyncio.ensure_future(endpoint.post("/c", chat("a [wait-1 ok]")))
                await asyncio.sleep(0.2)
                await endpoint.post("/c", chat("b"))
                return time.monotonic() - begin, await first

        seconds, answer = asyncio.run(main())
    assert seconds >= 1.0
    assert text(answer) == answer_to("a [wait-1 ok]")


def test_a_server_that_wants_no_calls_for_longer_than_the_deadline_is_not_waited_for() -> None:
    with serving() as server:

        async def main() -> list[Answer]:
            async with Pool(QUICK, backoff=NoPause()) as pool:
                endpoint = pool.endpoint(server.url)
                return [await endpoint.post("/c", chat("a [wait-3600]")), await endpoint.post("/c", chat("b"))]

        first, second = asyncio.run(main())
    assert first.missing == "HTTP 429: {}"
    assert second.missing == "the server wants no calls for 3600 s"
    assert server.log == ["a [wait-3600]"]


def test_the_server_is_never_asked_more_often_at_once_than_allowed_and_less_after_complaints() -> None:
    with serving(delay=0.01) as server:
        run(server, *(f"m{i}" for i in range(60)))
        assert server.most == 8

        async def main() -> float:
            async with Pool(QUICK, backoff=NoPause()) as pool:
                endpoint = pool.endpoint(server.url)
                await asyncio.gather(*(endpoint.post("/c", chat(f"n{i} [429 ok]")) for i in range(8)))
                return endpoint.pace.limit

        assert asyncio.run(main()) < 8


def test_answers_reach_the_calls_they_belong_to_whatever_the_server_does() -> None:
    scripts = ["ok", "cut ok", "slow-headers ok", "500 ok", "slow-body ok", "drop ok", "invalid", "429 ok"]
    messages = [f"{i} [{random.Random(i).choice(scripts)}]" for i in range(80)]
    with serving(delay=0.005) as server:
        answers = run(server, *messages, limits=Limits(connections=8, attempt=0.2, deadline=60, attempts=4))
    for message, answer in zip(messages, answers, strict=True):
        if answer.missing is None:
            assert text(answer) == answer_to(message)
        else:
            assert "invalid" in message


def test_a_stray_answer_on_an_idle_connection_reaches_nobody() -> None:
    async def main(server: Server) -> list[Answer]:
        async with Pool(Limits(connections=1, attempts=2), backoff=NoPause()) as pool:
            endpoint, answers = pool.endpoint(server.url), []
            for i in range(5):
                answers.append(await endpoint.post("/c", chat(f"{i} [twice]")))
                await asyncio.sleep(0.05)
            return answers

    with serving() as server:
        assert [text(answer) for answer in asyncio.run(main(server))] == [answer_to(f"{i} [twice]") for i in range(5)]


def test_a_type_that_is_wrong_does_not_matter_if_the_content_is_right() -> None:
    with serving() as server:
        assert text(run(server, "a [typed]")[0]) == answer_to("a [typed]")


def test_a_server_that_is_not_there_is_one_clear_error() -> None:
    async def main(url: str) -> Answer:
        async with Pool(QUICK) as pool:
            return await pool.endpoint(url).reach("/models")

    with pytest.raises(ServiceError, match="http://127.0.0.1:1/v1 cannot be reached: the connection failed"):
        asyncio.run(main("http://user:sesame@127.0.0.1:1/v1?key=sesame"))
    with serving(key="k1234") as server:
        assert asyncio.run(main(server.url)).status == 401


@pytest.mark.parametrize("url", ["localhost:80", "ftp://x", "", "http://"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(SettingError, match="is no address of a server"):
        Pool().endpoint(url)


def test_secrets_are_taken_out_of_answers_reasons_and_addresses() -> None:
    with serving() as server:
        answers = run(server, "a [echo-key]", "b [400]", key="sk-planted-12345")
    assert text(answers[0]) == "your key is Bearer [hidden]"
    assert answers[1].missing == "HTTP 400: no luck (Bearer [hidden])"
    assert public_url("https://me:pw@host:8/v1?key=x#y") == "https://host:8/v1"
    assert Veil(["abcd", "abcdef"]).text("abcdef abcd") == "[hidden] [hidden]"


def test_the_proxy_of_the_environment_is_used_except_where_it_says_not_to(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    assert proxy_for("https://api.example.org/v1") is None
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("no_proxy", "127.0.0.1,.inner.org")
    assert proxy_for("https://api.example.org/v1") == "http://proxy:3128"
    assert proxy_for("https://api.inner.org/v1") is None
    assert proxy_for("http://127.0.0.1:1/v1") is None


def test_a_cancelled_call_frees_its_place() -> None:
    async def main(server: Server) -> Answer:
        async with Pool(Limits(connections=1, attempts=1)) as pool:
            endpoint: Endpoint = pool.endpoint(server.url)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.1):
                    await endpoint.post("/c", chat("a [slow-headers]"))
            return await endpoint.get("/models")

    call: Coroutine[Any, Any, Answer]
    with serving() as server:
        call = main(server)
        assert asyncio.run(call).document == {"data": [{"id": "test-model"}]}
