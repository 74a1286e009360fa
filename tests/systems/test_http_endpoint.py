from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from empathic import systems
from empathic.contracts import Reply, Request, System
from empathic.errors import InputError, MissingPart, ServiceError, SettingError, UnknownName
from empathic.systems.http_endpoint import EndpointSpec, HttpSystem, fill, read_specs
from empathic.transport import Limits, Pool
from loopback import Server, answer_to, serving
from talk import request

RASA = {"sender": "{session}", "message": "{text}"}
FILE = """
[my-bot]
url = "http://127.0.0.1:1/webhook"
request = { sender = "{session}", message = "{text}" }
response = "$[*].text"
headers = { Authorization = "Bearer ${MY_BOT_KEY}" }
"""


def ask(server: Server, spec: EndpointSpec, *requests: Request) -> list[Reply]:
    async def run() -> list[Reply]:
        async with Pool(Limits(attempts=1)) as pool:
            system = HttpSystem("http/bot", spec, pool)
            await system.check()
            return [await system.respond(each) for each in requests]

    return asyncio.run(run())


def test_a_rasa_style_bot_answers_with_its_messages_joined() -> None:
    with serving() as server:
        spec = EndpointSpec(url=server.url, request=RASA, response="$[*].text")
        reply = ask(server, spec, request("I am sad.", "Why?", "My cat died"))[0]
    assert reply.text == "You said My cat died. Go on."
    assert server.bodies == [{"sender": "d-1-0", "message": "My cat died"}]


def test_a_bot_that_keeps_its_history_is_told_every_speaker_turn() -> None:
    with serving() as server:
        spec = EndpointSpec(url=server.url, request=RASA, response="$[*].text", send="each")
        ask(server, spec, request("I am sad.", "Why?", "My cat died"))
    assert server.log == ["I am sad.", "My cat died"]
    assert len({body["sender"] for body in server.bodies}) == 1


def test_a_chat_endpoint_gets_the_whole_history() -> None:
    with serving() as server:
        spec = EndpointSpec(
            url=server.url, request={"messages": "{messages}", "n": 1}, response="choices[0].message.content"
        )
        replies = ask(server, spec, request("a", "b", "c [ok]"), request("x [empty]"), request("y [400]"))
    assert [message["content"] for message in server.bodies[0]["messages"]] == ["a", "b", "c [ok]"]
    assert replies[0].text == "About <c [ok]>: that sounds hard."
    assert replies[1].missing == "the answer holds no text at choices[0].message.content"
    assert replies[2].missing.startswith("HTTP 400")


def test_a_template_keeps_what_it_does_not_know() -> None:
    fields = {"text": "hi", "session": "s", "messages": [1], "dialogue": "d", "repeat": 2}
    assert fill({"a": ["{text}!", "{messages}", "{other}", 3]}, fields) == {"a": ["hi!", [1], "{other}", 3]}


def test_endpoints_are_read_from_a_file_and_secrets_from_variables(tmp_path: Path) -> None:
    path = tmp_path / "bots.toml"
    path.write_text(FILE)
    options = systems.Options(endpoints=path, environment={"MY_BOT_KEY": "sesame-9"})
    system = systems.make("http/my-bot", options)
    assert isinstance(system, System)
    assert "sesame-9" not in str(system.settings())
    with pytest.raises(MissingPart, match="The variable MY_BOT_KEY is not set"):
        systems.make("http/my-bot", systems.Options(endpoints=path, environment={}))
    with pytest.raises(UnknownName, match="Did you mean 'my-bot'?"):
        systems.make("http/my-bott", options)
    with pytest.raises(SettingError, match="--endpoints FILE.toml"):
        systems.make("http/my-bot", systems.Options())


def test_a_file_that_describes_no_endpoints_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "bots.toml"
    path.write_text("[a]\nurl = 3\n")
    with pytest.raises(InputError, match="bots.toml: describes no endpoints"):
        read_specs(path)


def test_a_host_that_is_not_there_is_said_before_anything_is_sent() -> None:
    spec = EndpointSpec(url="http://127.0.0.1:1/bot", request=RASA, response="$")
    with pytest.raises(ServiceError, match="http://127.0.0.1:1/bot cannot be reached"):
        ask(Server(), spec)


STREAMING = {"message": "{text}", "stream": True}


def pieces(server: Server, spec: EndpointSpec, *turns: str) -> list[str | Reply]:
    async def run() -> list[str | Reply]:
        async with Pool(Limits(attempts=1)) as pool:
            return [piece async for piece in HttpSystem("http/bot", spec, pool).stream(request(*turns))]

    return asyncio.run(run())


def test_an_endpoint_that_streams_is_heard_piece_by_piece_and_whole() -> None:
    with serving() as server:
        where = {"response": "choices[0].message.content", "stream": "choices[0].delta.content"}
        spec = EndpointSpec(url=server.url, request=STREAMING, send="each", **where)
        *said, reply = pieces(server, spec, "Sad.", "Why?", "Sad.")
        whole = ask(server, spec, request("Sad."))[0]
    assert isinstance(reply, Reply)
    assert "".join(map(str, said)) == reply.text == whole.text == answer_to("Sad.")
    assert server.log == ["Sad.", "Sad.", "Sad."]  # the first turn's answer was not shown


def test_a_stream_that_breaks_off_is_missing_and_one_that_does_not_stream_is_whole() -> None:
    with serving() as server:
        spec = EndpointSpec(url=server.url, request=STREAMING, response="x", stream="choices[0].delta.content")
        *said, cut = pieces(server, spec, "a [stream-cut ok]")
        (plain,) = pieces(
            server, EndpointSpec(url=server.url, request=RASA, response="$[*].text", stream="$.piece"), "Hello"
        )
        *_, empty = pieces(server, EndpointSpec(url=server.url, request=STREAMING, response="x", stream="no"), "b")
    assert len(said) == 3
    assert isinstance(cut, Reply) and cut.text is None and "in the middle" in str(cut.missing)
    assert isinstance(plain, Reply) and plain.text == "You said Hello. Go on."
    assert isinstance(empty, Reply) and empty.missing == "the stream holds no text at no"
