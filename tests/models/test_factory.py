from __future__ import annotations

import pytest

from empathic import models
from empathic.contracts import Model
from empathic.errors import MissingPart, SettingError, UnknownName


def test_a_model_of_every_server_can_be_made() -> None:
    local = models.ModelOptions(base_url="http://127.0.0.1:1/v1", environment={})
    for name in models.providers() - {"llama-cpp", "transformers"}:
        assert isinstance(models.make(f"{name}/some-model:8b/variant", local), Model)


def test_an_unknown_provider_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="No provider of models is called 'opnai'. Did you mean 'openai'?"):
        models.make("opnai/gpt-4o")


def test_a_provider_without_a_model_and_a_missing_key_are_refused_at_once() -> None:
    with pytest.raises(SettingError, match="Type openai/MODEL"):
        models.make("openai")
    with pytest.raises(MissingPart, match="export OPENAI_API_KEY"):
        models.make("openai/gpt-4o", models.ModelOptions(environment={}))
