from __future__ import annotations

import msgspec

from empathic.papers import Check, Reproduction, cell_matches


def test_a_cell_matches_within_half_a_unit_of_its_last_digit() -> None:
    assert cell_matches(2.35, 2.3549, 2)
    assert cell_matches(2.35, 2.355, 2)
    assert not cell_matches(2.35, 2.3551, 2)


def test_a_reproduction_is_json_with_every_field() -> None:
    check = Check(table="2", row="human", column="templates", published=5201, computed=None, match=False)
    document = msgspec.json.encode(Reproduction(paper="lee2024", checks=(check,), findings=()))
    assert b'"computed":null' in document
    assert b'"findings":[]' in document
