from __future__ import annotations

import pytest

from empathic.errors import MissingPart, SettingError
from empathic.models import ModelOptions
from empathic.models.providers import read_providers


def test_the_address_is_the_flag_then_the_variable_then_the_providers_own() -> None:
    provider = read_providers()["openai"]
    assert provider.address("openai", ModelOptions(environment={})) == "https://api.openai.com/v1"
    variable = {"OPENAI_BASE_URL": "http://a/v1"}
    assert provider.address("openai", ModelOptions(environment=variable)) == "http://a/v1"
    assert provider.address("openai", ModelOptions(environment=variable, base_url="http://b")) == "http://b"


def test_a_server_without_an_address_asks_for_one() -> None:
    with pytest.raises(SettingError, match="--base-url .* or set OPENAI_COMPATIBLE_BASE_URL"):
        read_providers()["openai-compatible"].address("openai-compatible", ModelOptions(environment={}))


def test_a_missing_key_says_which_variable_to_set() -> None:
    provider = read_providers()["openrouter"]
    with pytest.raises(MissingPart, match="'openrouter' needs a key. Type: export OPENROUTER_API_KEY="):
        provider.secret("openrouter", ModelOptions(environment={}))
    assert provider.secret("openrouter", ModelOptions(environment={"OPENROUTER_API_KEY": "k"})) == "k"
    assert provider.secret("openrouter", ModelOptions(environment={}, api_key="flag")) == "flag"
    assert provider.secret("openrouter", ModelOptions(environment={}, base_url="http://127.0.0.1:1")) is None


@pytest.mark.parametrize("name", ["ollama", "vllm", "lm-studio", "openai-compatible"])
def test_servers_of_ones_own_need_no_key(name: str) -> None:
    assert read_providers()[name].secret(name, ModelOptions(environment={})) is None
