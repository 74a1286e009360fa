"""A real server streams, and misbehaves: half an answer is never shown twice and never passes for a whole one."""

from __future__ import annotations

import asyncio
import contextlib
import time
from pathlib import Path
from typing import Any

import pytest

from empathic import models
from empathic.contracts import Message, Model, Reply, Sampling, StreamingModel
from empathic.models.streamed import read_stream
from empathic.pacing import Backoff
from empathic.transport import Answer, Event, Limits, Pool
from loopback import Server, answer_to, pieces_of, serving

QUICK = Limits(connections=2, attempt=0.4, deadline=3.0, attempts=3)


class NoPause(Backoff):
    def pause(self, attempt: int, asked: float | None) -> float:
        return asked or 0.001


def made(pool: Pool, server: Server, **options: Any) -> Any:
    given = models.ModelOptions(pool=pool, base_url=server.url, **options)
    return models.make("openai-compatible/test-model", given)


def streamed(server: Server, message: str, limits: Limits = QUICK, **options: Any) -> list[str | Reply]:
    async def run() -> list[str | Reply]:
        async with Pool(limits, backoff=NoPause()) as pool:
            asked = [Message(role="user", content=message)]
            return [piece async for piece in made(pool, server, **options).stream(asked, Sampling(temperature=0))]

    return asyncio.run(run())


def test_the_pieces_are_the_text_and_the_reply_is_as_if_it_had_come_whole() -> None:
    with serving() as server:
        *pieces, reply = streamed(server, "a", prices=(1.0, 2.0))
        whole = asyncio.run(completed(server, "a"))
    assert pieces == pieces_of(answer_to("a"))
    assert isinstance(reply, Reply)
    assert (reply.text, reply.generation.finish_reason, reply.generation.model) == (
        whole.text,
        whole.generation.finish_reason,
        whole.generation.model,
    )
    assert (reply.generation.prompt_tokens, reply.generation.completion_tokens) == (20, 7)
    assert reply.generation.cost == pytest.approx((20 * 1 + 7 * 2) / 1e6)
    assert server.bodies[0]["stream"] is True
    assert server.bodies[0]["temperature"] == 0


async def completed(server: Server, message: str) -> Reply:
    async with Pool() as pool:
        return await made(pool, server).complete([Message(role="user", content=message)], Sampling())


@pytest.mark.parametrize(
    "script", ["429 ok", "500 503 ok", "drop ok", "wait-0.01 ok", "early-error ok", "slow-headers ok"]
)
def test_before_the_first_piece_it_is_tried_again(script: str) -> None:
    with serving() as server:
        *pieces, reply = streamed(server, f"a [{script}]")
    assert pieces == pieces_of(answer_to(f"a [{script}]"))
    assert isinstance(reply, Reply)
    assert reply.generation.attempts == len(script.split()) == len(server.log)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("stream-cut", "the connection failed (ClientPayloadError"),
        ("stream-silent", "nothing came for 0.4 s, in the middle of the answer"),
        ("stream-garbage", "the stream holds what is not JSON: {not JSON, in the middle of the answer"),
        ("stream-error", "the server broke off: out of memory, in the middle of the answer"),
        ("stream-end", "the stream ended before the answer did"),
    ],
)
def test_after_the_first_piece_it_is_not_begun_again_but_missing(script: str, reason: str) -> None:
    with serving() as server:
        *pieces, reply = streamed(server, f"a [{script} ok]")
    assert pieces == pieces_of(answer_to(f"a [{script} ok]"))[:3]
    assert isinstance(reply, Reply)
    assert reply.text is None and reply.transient
    assert reply.missing is not None and reply.missing.startswith(reason)
    assert len(server.log) == 1


@pytest.mark.parametrize("script", ["stream-noise", "stream-nodone", "stream-slow"])
def test_comments_unknown_lines_a_missing_end_mark_and_slowness_do_no_harm(script: str) -> None:
    with serving() as server:
        *pieces, reply = streamed(server, f"a [{script}]")
    assert isinstance(reply, Reply)
    assert "".join(map(str, pieces)) == reply.text == answer_to(f"a [{script}]")


def test_a_filter_at_the_end_withholds_the_answer() -> None:
    with serving() as server:
        *_, reply = streamed(server, "a [stream-filter]")
    assert isinstance(reply, Reply)
    assert (reply.text, reply.missing) == (None, "the server's content filter withheld the answer")


@pytest.mark.parametrize(("script", "text"), [("typed", True), ("html", False), ("500", False), ("blank", False)])
def test_a_server_that_does_not_stream_answers_whole_or_says_why_not(script: str, text: bool) -> None:
    with serving() as server:
        (reply,) = streamed(server, f"a [{script}]")
    assert isinstance(reply, Reply)
    assert (reply.text == answer_to(f"a [{script}]")) is text
    assert bool(reply.missing) is not text


def test_an_endless_stream_is_broken_off() -> None:
    with serving() as server:
        *_, reply = streamed(server, "a " * 300, limits=Limits(bytes=2000, attempts=2))
    assert isinstance(reply, Reply)
    assert str(reply.missing).startswith("the answer is larger than 2,000 bytes")
    assert len(server.log) == 1


async def heard(model: Any, message: str) -> list[str | Reply]:
    return [piece async for piece in model.stream([Message(role="user", content=message)], Sampling())]


def test_who_stops_listening_frees_the_place_and_the_connection() -> None:
    """With one call at once, the second could not begin if the first still held its place."""

    async def run(server: Server) -> str | None:
        async with Pool(Limits(connections=1, attempts=1, deadline=5)) as pool:
            model = made(pool, server)
            asked = [Message(role="user", content="a [stream-slow]")]
            async with contextlib.aclosing(model.stream(asked, Sampling())) as pieces:
                assert await anext(pieces) == "About "
            waiting = asyncio.create_task(heard(model, "b [stream-silent]"))
            await asyncio.sleep(0.2)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
            return (await model.complete([Message(role="user", content="c")], Sampling())).text

    with serving() as server:
        begin = time.monotonic()
        assert asyncio.run(run(server)) == answer_to("c")
    assert time.monotonic() - begin < 20


def test_mistral_is_not_asked_to_count() -> None:
    async def run(server: Server) -> None:
        async with Pool() as pool:
            model = models.make("mistral/m", models.ModelOptions(pool=pool, base_url=server.url, api_key="k"))
            assert isinstance(model, StreamingModel) and isinstance(model, Model)
            async for _ in model.stream([Message(role="user", content="a")], Sampling()):
                pass

    with serving() as server:
        asyncio.run(run(server))
        streamed(server, "b")
    assert ["stream_options" in body for body in server.bodies] == [False, True]


@pytest.mark.parametrize(
    "document", [None, [], {}, {"choices": [{"delta": None}]}, {"choices": [{"delta": {"content": 3}}]}]
)
def test_events_of_any_shape_give_a_reason_not_an_exception(document: Any) -> None:
    async def events() -> Any:
        yield Event(document)
        yield Answer(status=200)

    async def run() -> list[str | Reply]:
        return [piece async for piece in read_stream(events(), None)]

    (reply,) = asyncio.run(run())
    assert isinstance(reply, Reply)
    assert reply.missing == "the stream ended before the answer did"


def test_refusals_and_probabilities_are_gathered() -> None:
    def delta(reason: str | None = None, **said: str) -> Event:
        token = {"token": "x", "logprob": -0.5, "top_logprobs": []}
        choice = {"delta": said, "finish_reason": reason, "logprobs": {"content": [token]}}
        return Event({"choices": [choice]})

    async def gathered(*given: Event) -> Any:
        async def events() -> Any:
            for event in given:
                yield event
            yield Answer(status=200)

        return [piece async for piece in read_stream(events(), None)][-1]

    refused = asyncio.run(gathered(delta(refusal="I "), delta("stop", refusal="won't.")))
    assert refused.missing == "the model refused: I won't."
    said = asyncio.run(gathered(delta(content="Oh"), delta("stop", content="!")))
    assert said.text == "Oh!"
    assert said.logprobs == ({"x": -0.5}, {"x": -0.5})


def test_the_local_model_streams_what_it_says_whole(smollm2: Path) -> None:
    async def run() -> tuple[list[Any], Reply]:
        async with Pool() as pool:
            model: Any = models.make(f"llama-cpp/{smollm2}", models.ModelOptions(pool=pool, arguments={"threads": "1"}))
            asked, sampling = [Message(role="user", content="I am sad.")], Sampling(temperature=0, max_tokens=12)
            try:
                return [piece async for piece in model.stream(asked, sampling)], await model.complete(asked, sampling)
            finally:
                await model.close()

    (*pieces, reply), whole = asyncio.run(run())
    assert len(pieces) > 3
    assert "".join(pieces).strip() == reply.text == whole.text
    assert reply.generation.completion_tokens == whole.generation.completion_tokens
