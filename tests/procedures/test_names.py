from __future__ import annotations

import pytest

from empathic import procedures
from empathic.errors import SettingError, UnknownName


def test_procedures_are_made_by_name() -> None:
    assert procedures.make("piecewise").name == "piecewise.v1"
    assert procedures.make("single-turn.v1").name == "single-turn.v1"
    assert procedures.make("conversation", turns=5).settings()["turns"] == 5


def test_an_unknown_procedure_suggests_the_nearest() -> None:
    with pytest.raises(UnknownName, match="No procedure is called 'peacewise'. Did you mean 'piecewise'?"):
        procedures.make("peacewise")


def test_a_conversation_without_turns_is_refused() -> None:
    with pytest.raises(SettingError, match="--turns 1 or more"):
        procedures.make("conversation", turns=0)
