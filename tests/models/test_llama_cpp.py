from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from empathic import models
from empathic.contracts import Message, Model, Sampling
from empathic.errors import InputError, MissingPart, SettingError, UnknownName
from empathic.models.llama_cpp import find_file
from empathic.transport import Pool

T = TypeVar("T")
GREETING = [Message(role="user", content="My dog ran away and I am sad. What do you say?")]


def with_model(smollm2: Path, call: Callable[[Model], Awaitable[T]]) -> T:
    async def run() -> T:
        async with Pool() as pool:
            model = models.make(f"llama-cpp/{smollm2}", models.ModelOptions(pool=pool, arguments={"threads": "1"}))
            await model.check()
            try:
                return await call(model)
            finally:
                await model.close()

    return asyncio.run(run())


def test_the_same_question_gets_the_same_answer_whatever_was_asked_before(smollm2: Path) -> None:
    sampling = Sampling(temperature=0, max_tokens=24)

    async def ask(model: Model) -> list[str | None]:
        other = [Message(role="user", content="Tell me of the sea.")]
        questions = [GREETING, other, GREETING]
        return [(await model.complete(question, sampling)).text for question in questions]

    first, other, again = with_model(smollm2, ask)
    assert first and first == again != other


def test_tokens_probabilities_and_schemas_come_from_the_real_model(smollm2: Path) -> None:
    schema = {"type": "object", "properties": {"score": {"type": "integer"}}, "required": ["score"]}

    async def ask(model: Model) -> tuple[object, object]:
        plain = await model.complete(GREETING, Sampling(temperature=0, max_tokens=4, logprobs=3))
        formed = await model.complete(GREETING, Sampling(temperature=0, max_tokens=40, json_schema=schema))
        return plain, formed

    plain, formed = with_model(smollm2, ask)
    assert plain.generation.completion_tokens == 4
    assert plain.generation.finish_reason == "length"
    assert len(plain.logprobs) == 4
    assert all(sum(map(math.exp, token.values())) <= 1.0001 for token in plain.logprobs)
    assert formed.text.replace(" ", "").replace("\n", "").startswith('{"score":')


def test_the_settings_hold_the_files_hash_and_no_port(smollm2: Path) -> None:
    async def settings(model: Model) -> dict[str, object]:
        return dict(model.settings())

    found = with_model(smollm2, settings)
    assert found["file"] == models.catalogue()["smollm2"].sha256
    assert found == with_model(smollm2, settings)


def test_what_is_not_there_says_what_to_type(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EMPATHIC_CACHE", str(tmp_path))
    with pytest.raises(MissingPart, match="Type: empathic models add smollm2"):
        find_file("smollm2")
    with pytest.raises(UnknownName, match="Did you mean 'smollm2'?"):
        find_file("smollm")
    with pytest.raises(InputError, match="no such model file"):
        find_file("a/b.gguf")


@pytest.mark.parametrize(
    ("argument", "error"), [("thread=1", UnknownName), ("threads=0", SettingError), ("threads=x", SettingError)]
)
def test_arguments_are_checked(argument: str, error: type[Exception], tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="the extra `local` is not installed")
    path = tmp_path / "m.gguf"
    path.write_bytes(b"GGUF")
    with pytest.raises(error):
        models.make(f"llama-cpp/{path}", models.ModelOptions(arguments=dict([argument.split("=")])))


def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    pytest.importorskip("xllamacpp", reason="the extra `local` is not installed")
    path = tmp_path / "m.gguf"
    path.write_bytes(b"not a model at all" * 100)

    async def check() -> None:
        async with Pool() as pool:
            await models.make(f"llama-cpp/{path}", models.ModelOptions(pool=pool)).check()

    with pytest.raises(Exception, match="m.gguf: llama.cpp cannot load it"):
        asyncio.run(check())
