from __future__ import annotations

from pathlib import Path

import pyarrow
import pyarrow.parquet
import pytest

from empathic import datasets
from empathic.datasets import parquet
from empathic.errors import InputError
from empathic.records import Response


def test_rows_come_back_in_their_types_over_several_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "BATCH", 3)
    path = tmp_path / "t.parquet"
    body = [{"name": f"ü{n}", "order": n, "value": n / 2 if n else None} for n in range(10)]
    assert parquet.write(path, ["name", "order", "value"], {"order": int, "value": float}, body) == 10
    assert parquet.is_parquet(path)
    assert parquet.column_names(path) == ["name", "order", "value"]
    assert list(parquet.rows(path)) == [(n + 1, row) for n, row in enumerate(body)]


def test_a_file_written_by_others_is_read_as_a_table(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    turns = [{"role": "speaker", "text": "Hi"}]
    made = pyarrow.Table.from_pylist([{"id": 5, "system": "s", "turns": turns, "text": "Hello", "position": 1}])
    pyarrow.parquet.write_table(made, path)
    (found,) = datasets.read(path)
    assert isinstance(found, Response)
    assert (found.id, found.turns[0].text, found.position) == ("5", "Hi", 1)


def test_damage_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    path.write_bytes(b"PAR1" + b"\x00" * 50)
    with pytest.raises(InputError, match="t.parquet: cannot be read as Parquet"):
        list(parquet.rows(path))


def test_a_number_that_does_not_fit_is_one_error_and_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a value does not fit into Parquet"):
        parquet.write(tmp_path / "t.parquet", ["order"], {"order": int}, [{"order": 10**30}])
    assert list(tmp_path.iterdir()) == []
