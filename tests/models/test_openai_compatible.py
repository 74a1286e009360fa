from __future__ import annotations

import asyncio
from typing import Any

import pytest

from empathic import models
from empathic.contracts import Message, Reply, Sampling
from empathic.errors import ServiceError, UnknownName
from empathic.transport import Limits, Pool
from loopback import Server, answer_to, serving


def ask(server: Server, message: str, *, name: str = "openai/test-model", check: bool = True, **options: Any) -> Reply:
    async def run() -> Reply:
        async with Pool(Limits(attempts=1, attempt=5)) as pool:
            given = models.ModelOptions(**{"pool": pool, "base_url": server.url, "environment": {}, **options})
            model = models.make(name, given)
            if check:
                await model.check()
            return await model.complete([Message(role="user", content=message)], Sampling(temperature=0))

    return asyncio.run(run())


def test_a_chat_is_answered_with_its_usage() -> None:
    with serving(key="sesame") as server:
        reply = ask(server, "I am sad.", api_key="sesame", extra_body={"top_k": 4})
    assert (reply.text, reply.generation.model) == (answer_to("I am sad."), "test-model-1")
    assert (reply.generation.prompt_tokens, reply.generation.completion_tokens) == (20, 7)
    assert server.headers[0]["authorization"] == "Bearer sesame"
    assert (server.bodies[0]["model"], server.bodies[0]["temperature"], server.bodies[0]["top_k"]) == (
        "test-model",
        0,
        4,
    )


@pytest.mark.parametrize(
    ("script", "reason", "transient"),
    [
        ("empty", "the server answered with an empty list of choices", True),
        ("null", "the server's answer is no chat completion", True),
        ("filter", "the server's content filter withheld the answer", False),
        ("blank", "the answer is empty", False),
        ("404", "HTTP 404: no luck ()", True),
    ],
)
def test_what_is_no_answer_is_a_reply_with_a_reason(script: str, reason: str, transient: bool) -> None:
    with serving() as server:
        reply = ask(server, f"a [{script}]")
    assert (reply.text, reply.missing, reply.transient) == (None, reason, transient)


def test_a_model_the_server_does_not_know_is_refused_before_anything_is_sent() -> None:
    with serving() as server:
        with pytest.raises(
            UnknownName, match="No model at http://.*/v1 is called 'test-modell'. Did you mean 'test-model'?"
        ):
            ask(server, "a", name="openai/test-modell")
        assert server.log == []


def test_a_refused_key_is_said_without_the_key() -> None:
    with serving(key="right") as server:
        with pytest.raises(ServiceError, match=r"the key is refused \(HTTP 401\). Check OPENAI_API_KEY.") as caught:
            ask(server, "a", api_key="wrong-key")
        assert "wrong-key" not in str(caught.value)
        assert server.log == []


def test_a_server_that_lists_no_models_is_taken_at_its_word() -> None:
    with serving(models=None) as server:
        assert ask(server, "a", name="openai/anything").text == answer_to("a")


def test_the_settings_name_model_and_server_and_no_secret() -> None:
    options = models.ModelOptions(base_url="http://me:pw@h:1/v1?k=pw", api_key="pw-key", environment={})
    settings = models.make("openai/m", options).settings()
    assert settings == {"model": "m", "url": "http://h:1/v1", "extra": {}}
