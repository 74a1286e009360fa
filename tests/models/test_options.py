from __future__ import annotations

from empathic.models import ModelOptions


def test_neither_the_key_nor_the_environment_is_shown() -> None:
    shown = repr(ModelOptions(api_key="sk-planted", environment={"OPENAI_API_KEY": "sk-planted"}))
    assert "sk-planted" not in shown
