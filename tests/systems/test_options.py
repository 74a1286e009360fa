from __future__ import annotations

import pytest

from empathic.errors import SettingError
from empathic.systems import Options


def test_options_know_no_models_unless_they_are_given() -> None:
    with pytest.raises(SettingError, match="needs a model"):
        Options().model("openai/gpt-4o")


def test_the_environment_is_not_shown() -> None:
    assert "SECRET" not in repr(Options(environment={"SECRET": "x"}))
