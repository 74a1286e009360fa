from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from empathic.datasets import sinks


def test_lines_and_arrays_are_what_they_say(tmp_path: Path) -> None:
    values = [{"a": 1}, {"b": "ü"}]
    assert sinks.write_lines(tmp_path / "a.jsonl", values) == 2
    assert (tmp_path / "a.jsonl").read_bytes() == '{"a":1}\n{"b":"ü"}\n'.encode()
    assert sinks.write_array(tmp_path / "a.json", values) == 2
    assert json.loads((tmp_path / "a.json").read_text()) == values


def test_nothing_is_an_empty_array_or_an_empty_file(tmp_path: Path) -> None:
    assert sinks.write_array(tmp_path / "a.json", []) == 0
    assert json.loads((tmp_path / "a.json").read_text()) == []


def test_a_name_in_gz_is_packed_the_same_every_time(tmp_path: Path) -> None:
    for name in ("a.jsonl.gz", "b.jsonl.gz"):
        sinks.write_lines(tmp_path / name, ({"n": n} for n in range(1000)))
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()).count(b"\n") == 1000


@pytest.mark.parametrize("name", ["a.jsonl", "a.jsonl.gz"])
def test_a_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(sinks, "BLOCK", 10)

    def values() -> Iterator[object]:
        yield {"a": "x" * 100}
        raise KeyError

    with pytest.raises(KeyError):
        sinks.write_lines(tmp_path / name, values())
    assert list(tmp_path.iterdir()) == []
