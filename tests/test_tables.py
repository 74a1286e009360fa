from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from empathic import tables
from empathic.errors import InputError
from empathic.records import Response, Score

RESPONSES = [Response(id=f"r{n}", system="s", dialogue="d", turns=(), text="x", position=n) for n in range(2)]


def write(path: Path) -> None:
    found = tables.schema(["length", "why"], ["why"], {"length": "length.v1|tokens:ptb"})
    values = {"length": np.array([3.0, 0.0]), "why": ["a", None]}
    gaps = tables.Gaps(["length"], np.array([[0, 1]]), ["the response is empty"])
    with tables.writer(path, found) as table:
        table.write_batch(tables.rows(RESPONSES, values, gaps, ["why"]))


def test_scores_written_are_read_back_with_reason_and_signature(tmp_path: Path) -> None:
    write(tmp_path / "scores.parquet")
    signature = "length.v1|tokens:ptb"
    reason = "the response is empty"
    assert list(tables.read_scores(tmp_path / "scores.parquet")) == [
        Score(metric="length", system="s", response="r0", value=3.0, signature=signature),
        Score(metric="length", system="s", response="r1", value=None, missing=reason, signature=signature),
    ]
    assert list(tables.read_scores(tmp_path / "scores.parquet", ["other"])) == []


def test_columns_are_read_as_a_table(tmp_path: Path) -> None:
    write(tmp_path / "scores.parquet")
    table = tables.read_columns(tmp_path / "scores.parquet", ["position", "why"])
    assert table.to_pydict() == {"position": [0, 1], "why": ["a", None]}
    assert tables.text_columns(tmp_path / "scores.parquet") == ["why"]


def test_the_same_scores_are_the_same_bytes(tmp_path: Path) -> None:
    write(tmp_path / "one.parquet")
    write(tmp_path / "two.parquet")
    assert (tmp_path / "one.parquet").read_bytes() == (tmp_path / "two.parquet").read_bytes()


def test_a_write_that_fails_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), tables.writer(tmp_path / "scores.parquet", tables.schema(["a"])):
        1 / 0  # noqa: B018
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_refused_with_the_command_that_writes_one(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("no")
    with pytest.raises(InputError, match="not a Parquet file"):
        tables.read_signatures(tmp_path / "a.parquet")
    with pytest.raises(InputError, match="no such file"):
        tables.read_columns(tmp_path / "b.parquet")


def test_a_response_without_reasons_is_null_there_and_the_others_keep_theirs_in_order() -> None:
    responses = [Response(id=str(place), system="s", dialogue="d", turns=(), text="a") for place in range(4)]
    gaps = tables.Gaps(["b", "a"], np.array([[0, 1, 0, 0], [0, 2, 0, 2]]), ["short", "none"])
    found = tables.rows(responses, {"a": np.array([1.0, 0.0, 2.0, 0.0])}, gaps)
    assert found.column("missing").to_pylist() == [None, [("b", "short"), ("a", "none")], None, [("a", "none")]]
    assert found.column("a").to_pylist() == [1.0, None, 2.0, None]
    nothing = tables.rows(responses, {"a": np.ones(4)}, tables.Gaps(["a"], np.zeros((1, 4), dtype=int), []))
    assert nothing.column("missing").to_pylist() == [None] * 4
