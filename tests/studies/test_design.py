"""The records of a study: frozen, and told apart by their design."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from empathic.studies import design


@pytest.mark.parametrize("kind", ["between", "ieval", "observer"])
def test_a_plan_survives_the_way_through_the_database(make_plan: Callable[..., design.Plan], kind: str) -> None:
    plan = make_plan(kind)
    again = msgspec.json.decode(msgspec.json.encode(plan), type=design.Plan)
    assert again == plan
    assert again.study.__struct_config__.tag == kind


def test_a_study_cannot_be_changed_once_it_is_read(make_plan: Callable[..., design.Plan]) -> None:
    with pytest.raises(AttributeError):
        make_plan().study.title = "Another"
