"""A name such as `openai/gpt-4o` or `llama-cpp/smollm2` becomes a model."""

from __future__ import annotations

from empathic import registry
from empathic.contracts import Model
from empathic.errors import SettingError, UnknownName
from empathic.models.openai_compatible import OpenAICompatible
from empathic.models.options import ModelOptions
from empathic.models.providers import read_providers

__all__ = ["ModelOptions", "make", "providers"]


def providers() -> frozenset[str]:
    """What a model's name may begin with."""
    return frozenset(entry.name for entry in registry.entries("model"))


def make(name: str, options: ModelOptions | None = None) -> Model:
    """The model called `PROVIDER/MODEL`; an unknown provider is refused with the nearest one that exists."""
    provider, _, rest = name.partition("/")
    if provider not in providers():
        raise UnknownName("provider of models", provider, providers(), hint="`empathic list models` shows all.")
    if not rest:
        raise SettingError(f"'{name}' names no model. Type {provider}/MODEL.")
    model: Model = registry.find("model", provider).thing.build(name, options or ModelOptions())
    return model


def _register_servers() -> None:
    for name, provider in read_providers().items():
        summary = f"a server at {provider.url or '--base-url'}" + (f", key in {provider.key}" if provider.key else "")
        registry.register("model", name, summary=summary)(OpenAICompatible)


_register_servers()
