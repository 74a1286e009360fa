from __future__ import annotations

import empathic.errors as errors
from empathic.errors import InputError, UnknownName


def test_an_input_error_says_file_line_and_field() -> None:
    assert str(InputError("expected a string", path="a.jsonl", line=3, field="text")) == (
        "a.jsonl:3 field 'text': expected a string"
    )


def test_an_input_error_without_a_file_starts_with_what_it_knows() -> None:
    assert str(InputError("is empty")) == "is empty"
    assert str(InputError("is empty", line=2)) == "line 2: is empty"
    assert str(InputError("is empty", field="id")) == "field 'id': is empty"


def test_an_unknown_name_suggests_the_nearest() -> None:
    assert str(UnknownName("metric", "specifity", ["specificity", "length"])) == (
        "No metric is called 'specifity'. Did you mean 'specificity'?"
    )


def test_an_unknown_name_with_no_neighbour_shows_what_there_is() -> None:
    assert str(UnknownName("metric", "zzz", ["b", "a"])) == "No metric is called 'zzz'. Known: a, b."
    assert "None is registered" in str(UnknownName("metric", "zzz", []))
    assert ", …" in str(UnknownName("metric", "zzz", [f"name{i}" for i in range(20)]))


def test_the_tree_in_the_docstring_names_every_exception() -> None:
    for name, thing in vars(errors).items():
        if isinstance(thing, type) and issubclass(thing, errors.EmpathicError):
            assert name in (errors.__doc__ or ""), name
