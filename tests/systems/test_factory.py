from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from empathic import models, registry, systems
from empathic.errors import SettingError, UnknownName
from talk import respond

OPTIONS = systems.Options(model=models.make, providers=models.providers())


@pytest.fixture
def bot() -> Iterator[None]:
    registry.register("system", "test/bot", summary="for the test")(lambda messages: messages[-1]["content"].upper())
    yield
    registry._entries["system"].pop("test/bot")


@pytest.mark.parametrize(
    "name", ["builtin/if-else", "builtin/eliza", "builtin/echo", "human/reference", "builtin/echo.v1"]
)
def test_baselines_are_made_by_name(name: str) -> None:
    assert systems.make(name).name == name.removesuffix(".v1")


def test_a_model_is_prompted_and_named_with_its_prompt() -> None:
    assert systems.make("scripted/hello", OPTIONS).name == "scripted/hello"
    assert systems.make("scripted/hello+vanilla", OPTIONS).name == "scripted/hello+vanilla"
    chosen = systems.Options(model=models.make, providers=models.providers(), prompt="empathy-defined")
    assert systems.make("scripted/hello", chosen).name == "scripted/hello+empathy-defined"
    assert respond(systems.make("scripted/hello", OPTIONS), "Hi.").text == "hello"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("builtin/elisa", "No system is called 'builtin/elisa'. Did you mean 'builtin/eliza'?"),
        ("opnai/gpt-4o", "Did you mean 'openai/gpt-4o'?"),
        ("scripted/x+vanila", "No prompt is called 'vanila'. Did you mean 'vanilla'?"),
    ],
)
def test_an_unknown_name_suggests_the_nearest(name: str, words: str) -> None:
    with pytest.raises(UnknownName) as caught:
        systems.make(name, OPTIONS)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", ["openai/", "openai"])
def test_a_provider_without_a_model_is_refused(name: str) -> None:
    with pytest.raises(SettingError, match="Type openai/MODEL"):
        systems.make(name, OPTIONS)


def test_a_model_without_models_is_refused() -> None:
    with pytest.raises(SettingError, match="no models were given"):
        systems.make("x/y", systems.Options(providers=frozenset({"x"})))


def test_a_registered_function_is_a_system(bot: None) -> None:
    system = systems.make("test/bot")
    assert respond(system, "One.", "Two.", "Three.").text == "THREE."
    asyncio.run(system.close())
