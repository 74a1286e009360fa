from __future__ import annotations

import msgspec
import pytest

from empathic.errors import InputError
from empathic.papers import Check, Reproduction, cell_matches
from empathic.papers.checks import check, printed_digits, read_published


def test_a_cell_matches_within_half_a_unit_of_its_last_digit() -> None:
    assert cell_matches(2.35, 2.3549, 2)
    assert cell_matches(2.35, 2.355, 2)
    assert not cell_matches(2.35, 2.3551, 2)


def test_a_reproduction_is_json_with_every_field() -> None:
    check = Check(table="2", row="human", column="templates", published=5201, computed=None, match=False)
    document = msgspec.json.encode(Reproduction(paper="lee2024", checks=(check,), findings=()))
    assert b'"computed":null' in document
    assert b'"findings":[]' in document


def test_a_tiny_p_value_must_match_in_its_own_digits() -> None:
    assert cell_matches(9.418e-39, 9.41828e-39, 42)
    assert not cell_matches(9.418e-39, 9.419e-39, 42)


@pytest.mark.parametrize(("text", "digits"), [("2.60", 2), ("252", 0), ("9.418e-39", 42), ("-0.37", 2), ("1e3", -3)])
def test_the_printed_digits_are_counted(text: str, digits: int) -> None:
    assert printed_digits(text) == digits


def test_a_word_is_no_printed_number() -> None:
    with pytest.raises(InputError):
        printed_digits("nan")


def test_a_cell_that_cannot_be_computed_does_not_match() -> None:
    assert not check("1", "a", "b", "2.5", None).match
    assert check("1", "a", "b", "2.5", 2.54).match


def test_the_published_cells_are_read_as_printed() -> None:
    cells = list(read_published("welivita2024"))
    assert len(cells) == 603
    assert ("table8", "all", "p", "9.418e-39") in cells
