"""A GGUF file becomes a model: llama.cpp inside this process, asked through its own OpenAI-compatible server.

Each answer is computed from its own prompt alone (no reuse of another prompt's state) in one slot, so that the same
request gives the same answer whatever was asked before.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncGenerator, Mapping, Sequence
from pathlib import Path
from typing import Any

from empathic import files, parts
from empathic.contracts import Message, Reply, Sampling
from empathic.errors import InputError, MissingPart, SettingError, UnknownName
from empathic.models import weights
from empathic.models.completions import read_reply, request_body
from empathic.models.gguf import start_server
from empathic.models.likelihood import LocalLikelihood
from empathic.models.options import ModelOptions
from empathic.models.streamed import read_stream
from empathic.registry import register
from empathic.transport import Endpoint, Pool

_ARGUMENTS = {"threads": 1, "context": 4096}


@register("model", "llama-cpp")
class LlamaCpp:
    """`llama-cpp/smollm2` or `llama-cpp/PATH.gguf`: a local model, on the processor, through xllamacpp."""

    concurrency: int | None = 1

    def __init__(self, name: str, path: Path, pool: Pool, *, threads: int = 1, context: int = 4096) -> None:
        self.name, self.path, self._pool = name, path, pool
        self._numbers = {"threads": threads, "context": context}
        self._server: Any = None
        self._endpoint: Endpoint | None = None
        self._lock = asyncio.Lock()
        self._sha256: str | None = None

    @classmethod
    def build(cls, name: str, options: ModelOptions) -> LlamaCpp:
        parts.need("xllamacpp")
        numbers = {key: _number(key, value) for key, value in options.arguments.items()}
        return cls(name, find_file(name.partition("/")[2]), options.pool, **numbers)

    @staticmethod
    def likelihood(name: str) -> LocalLikelihood:
        """How likely texts are under the model of that name or path."""
        return LocalLikelihood(find_file(name))

    def settings(self) -> Mapping[str, Any]:
        if self._sha256 is None:
            self._sha256 = files.sha256(self.path)
        return {"file": self._sha256, "engine": f"xllamacpp {parts.need('xllamacpp').__version__}", **self._numbers}

    async def check(self) -> None:
        await self._ready()

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        endpoint = await self._ready()
        body = request_body("local", messages, sampling, limit="max_tokens")
        return read_reply(await endpoint.post("/chat/completions", {**body, "cache_prompt": False}), None)

    async def stream(self, messages: Sequence[Message], sampling: Sampling) -> AsyncGenerator[str | Reply, None]:
        endpoint = await self._ready()
        body = request_body("local", messages, sampling, limit="max_tokens")
        asked = {**body, "cache_prompt": False, "stream": True, "stream_options": {"include_usage": True}}
        async with contextlib.aclosing(read_stream(endpoint.stream("/chat/completions", asked), None)) as pieces:
            async for piece in pieces:
                yield piece

    async def close(self) -> None:
        self._server, self._endpoint = None, None

    async def _ready(self) -> Endpoint:
        async with self._lock:
            if self._endpoint is None:
                self._endpoint = await asyncio.to_thread(self._start)
        return self._endpoint

    def _start(self) -> Endpoint:
        key = secrets.token_urlsafe(24)
        self._server = start_server(self.path, key, **self._numbers)
        url = f"{self._server.listening_address}/v1"
        return self._pool.endpoint(url, headers={"Authorization": f"Bearer {key}"}, secrets=[key])


def find_file(name: str) -> Path:
    """The file of a model of the catalogue, or the file at a path."""
    if name in weights.catalogue():
        if not weights.installed(name):
            raise MissingPart(f"The model '{name}' is not here yet. Type: empathic models add {name}")
        return weights.place(name)
    if not name.endswith(".gguf"):
        raise UnknownName("local model", name, weights.catalogue(), hint="A path ends in .gguf.")
    path = Path(name).expanduser()
    if not path.is_file():
        raise InputError("there is no such model file", path=path)
    return path


def _number(name: str, value: str) -> int:
    if name not in _ARGUMENTS:
        raise UnknownName("argument of llama-cpp", name, _ARGUMENTS)
    if not value.isdigit() or int(value) < 1:
        raise SettingError(f"-M {name}={value}: a whole number from 1 is needed.")
    return int(value)
