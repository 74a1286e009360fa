from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from empathic import files
from empathic.datasets.arrays import elements, split, split_member
from empathic.errors import InputError

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner), max_leaves=5)


@given(
    st.lists(st.dictionaries(st.text(), JSON, max_size=3), max_size=5),
    st.integers(1, 40),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_any_array_of_objects_comes_back_whatever_the_block_size(
    tmp_path_factory: pytest.TempPathFactory, objects: list[Any], block: int, indent: int | None, ascii_: bool
) -> None:
    path = tmp_path_factory.getbasetemp() / "array.json"
    path.write_text(json.dumps(objects, indent=indent, ensure_ascii=ascii_), encoding="utf-8", errors="surrogatepass")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "BLOCK", block)
        assert [json.loads(data) for _, data in split(path)] == objects


def test_each_element_knows_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[\n{"a": 1},\n\n{"a":\n 2}\n, {"a": 3}]\n')
    assert list(elements(path, dict[str, int])) == [(2, {"a": 1}), (4, {"a": 2}), (6, {"a": 3})]


def test_a_compressed_array_is_read_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b'[{"a": 1}]'))
    assert list(elements(path, dict[str, int])) == [(1, {"a": 1})]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "a.json: the file is empty"),
        ("[", "a.json:1: the JSON array ends in the middle"),
        ('[{"a": 1},\n{"a": 2', "a.json:2: the JSON array ends in the middle"),
        ('[{"a": 1}\n{"a": 2}]', "a.json:2: a JSON array of objects is needed: ',' or ']' should stand here, not '{'"),
        ('[{"a": 1},]', "'{' should stand here, not ']'"),
        ("[1, 2]", "'{' or ']' should stand here, not '1'"),
        ('{"a": 1}', "'[' should stand here, not '{'"),
        ("[] x", "nothing should stand here, not 'x'"),
        ('[{"a": "b"}]', "a.json:1 field '[...]': Expected `int`, got `str`"),
        ('[{"a": ]}', "a.json:1: "),
    ],
)
def test_what_is_no_array_of_objects_is_one_error_with_its_line(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content)
    with pytest.raises(InputError) as caught:
        list(elements(path, dict[str, int]))
    assert message in str(caught.value)


def test_an_element_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 1000)
    monkeypatch.setattr(files, "BLOCK", 100)
    path = tmp_path / "a.json"
    path.write_text('[{"a": "' + "x" * 5000)
    with pytest.raises(InputError, match="one element is longer than 1,000 bytes"):
        list(split(path))


@pytest.mark.parametrize("block", [1, 7, 1000])
def test_the_objects_of_a_member_come_after_what_stands_before_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(files, "BLOCK", block)
    path = tmp_path / "log.json"
    path.write_text(
        '{"a": {"samples": [1]}, "b": "\\"samples\\": [",\n "samples" : [{"x": 1},\n{"x": "]"}], "after": [}'
    )
    first, *rest = split_member(path, "samples")
    assert json.loads(first[1]) == {"a": {"samples": [1]}, "b": '"samples": ['}
    assert [(line, json.loads(data)) for line, data in rest] == [(2, {"x": 1}), (3, {"x": "]"})]


def test_a_member_that_is_cut_off_or_absent_is_one_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "log.json"
    path.write_text('{"a": 1, "samples": [{"x": 1}, ')
    with pytest.raises(InputError, match="log.json:1: the JSON array ends in the middle"):
        list(split_member(path, "samples"))
    path.write_text('{"a": 1}')
    with pytest.raises(InputError, match="there is no array 'samples'"):
        list(split_member(path, "samples"))
    monkeypatch.setattr(files, "LONGEST_LINE", 50)
    path.write_text('{"a": "' + "x" * 100)
    with pytest.raises(InputError, match="its beginning is longer than 50 bytes"):
        list(split_member(path, "samples"))
