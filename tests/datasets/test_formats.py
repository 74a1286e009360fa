from __future__ import annotations

from pathlib import Path

import pytest

from empathic.datasets.formats import Head, as_polarity, keys, spoken


def head(start: bytes, name: str = "a.json") -> Head:
    return Head(Path(name), start)


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        (b'{"a": 1, "b": {"c": 2}}\n{"d": 1}', {"a", "b"}),
        (b' [\n  {\n "a": [1, {"x": "}"}],\n "b": "\\"y\\": 1", "c', {"a", "b"}),
        (b'\xef\xbb\xbf[{"a":1},{"b":2}]', {"a"}),
        (b"[]", set()),
        (b"a,b\n1,2\n", set()),
        (b'{"a', set()),
        (b'{"a": "\\', {"a"}),
    ],
)
def test_the_keys_of_the_first_object_are_found_even_if_it_is_cut_off(start: bytes, expected: set[str]) -> None:
    assert keys(head(start)) == expected


def test_the_suffix_is_the_one_before_gz() -> None:
    assert head(b"", "x.JSONL.gz").suffix == ".jsonl"
    assert head(b"", "x.csv").suffix == ".csv"


def test_a_blank_answer_is_missing_with_its_reason() -> None:
    assert spoken(" a ") == {"text": " a "}
    assert spoken(" \n") == {"text": None, "missing": "the response is empty"}


def test_a_polarity_is_one_of_two_or_none() -> None:
    assert [as_polarity(text) for text in ("Positive", " negative", "mixed", "", None)] == [
        "positive",
        "negative",
        None,
        None,
        None,
    ]
