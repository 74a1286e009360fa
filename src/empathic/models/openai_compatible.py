"""Chat messages become a reply through any server that speaks OpenAI's chat completions."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from empathic.contracts import Message, Reply, Sampling
from empathic.errors import ServiceError, UnknownName
from empathic.models.completions import read_reply, request_body
from empathic.models.options import ModelOptions
from empathic.models.providers import Provider, read_providers
from empathic.models.streamed import read_stream
from empathic.transport import Endpoint, public_url

REFUSED = {401: "the key is refused", 403: "the key has no access"}


class OpenAICompatible:
    """A model behind `URL/chat/completions`: any of the providers of providers.toml, or --base-url."""

    concurrency: int | None = None

    def __init__(self, name: str, model: str, endpoint: Endpoint, provider: Provider, options: ModelOptions) -> None:
        self.name, self.model, self._endpoint, self._provider = name, model, endpoint, provider
        self._extra, self._prices = dict(options.extra_body), options.prices

    @classmethod
    def build(cls, name: str, options: ModelOptions) -> OpenAICompatible:
        provider_name, _, model = name.partition("/")
        provider = read_providers()[provider_name]
        url, key = provider.address(provider_name, options), provider.secret(provider_name, options)
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        endpoint = options.pool.endpoint(url, headers=headers, secrets=[key] if key else [])
        return cls(name, model, endpoint, provider, options)

    def settings(self) -> Mapping[str, Any]:
        return {"model": self.model, "url": public_url(self._endpoint.url), "extra": self._extra}

    async def check(self) -> None:
        """Ask the server for its list of models: is it there, is the key good, does it know this model?"""
        answer = await self._endpoint.reach("/models")
        where = public_url(self._endpoint.url)
        if answer.status in REFUSED:
            key = self._provider.key or "the key"
            raise ServiceError(f"{where}: {REFUSED[answer.status]} (HTTP {answer.status}). Check {key}.")
        known = _listed(answer.document)
        if known and self.model not in known:
            raise UnknownName(f"model at {where}", self.model, known)

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        return read_reply(await self._endpoint.post("/chat/completions", self._body(messages, sampling)), self._prices)

    def stream(self, messages: Sequence[Message], sampling: Sampling) -> AsyncGenerator[str | Reply, None]:
        usage = {"stream_options": {"include_usage": True}} if self._provider.stream_options else {}
        body = {**self._body(messages, sampling), "stream": True, **usage}
        return read_stream(self._endpoint.stream("/chat/completions", body), self._prices)

    def _body(self, messages: Sequence[Message], sampling: Sampling) -> dict[str, Any]:
        limit = self._provider.completion_limit
        return {**request_body(self.model, messages, sampling, limit=limit), **self._extra}

    async def close(self) -> None:
        return None


def _listed(document: Any) -> list[str]:
    """The model names of a server's list; empty if it offers none."""
    data = document.get("data") if isinstance(document, dict) else None
    items = data if isinstance(data, list) else []
    return [item["id"] for item in items if isinstance(item, dict) and isinstance(item.get("id"), str)]
