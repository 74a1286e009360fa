"""providers.toml becomes providers: where a server is and which variable holds its key."""

from __future__ import annotations

import functools
import importlib.resources

import msgspec

from empathic.errors import MissingPart, SettingError
from empathic.models.options import ModelOptions
from empathic.records import Record


class Provider(Record, frozen=True):
    """One server that speaks OpenAI's chat completions."""

    url: str | None = None
    key: str | None = None  # name of the variable
    key_optional: bool = False
    completion_limit: str = "max_tokens"  # what the server calls the largest number of tokens
    stream_options: bool = True  # whether it may be asked to count the tokens of a stream; some refuse the field

    def address(self, name: str, options: ModelOptions) -> str:
        """The base URL: flag, then variable, then the provider's own."""
        variable = f"{_upper(name)}_BASE_URL"
        url = options.base_url or options.environment.get(variable) or self.url
        if url is None:
            raise SettingError(
                f"'{name}' has no address of its own. Type --base-url http://HOST:PORT/v1, or set {variable}."
            )
        return url

    def secret(self, name: str, options: ModelOptions) -> str | None:
        """The key: flag, then variable; one that is needed and absent is an error before anything is sent."""
        if self.key is None:
            return options.api_key
        found = options.api_key or options.environment.get(self.key)
        own_server = options.base_url is not None or f"{_upper(name)}_BASE_URL" in options.environment
        if not found and not self.key_optional and not own_server:
            raise MissingPart(f"'{name}' needs a key. Type: export {self.key}=…, or put it into .env.")
        return found or None


@functools.cache
def read_providers() -> dict[str, Provider]:
    """Every provider by name."""
    data = importlib.resources.files("empathic.models").joinpath("providers.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, Provider])


def _upper(name: str) -> str:
    return name.upper().replace("-", "_")
