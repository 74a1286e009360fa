from __future__ import annotations

from pathlib import Path

import pytest

from empathic import files
from empathic.datasets.rows import head, rows, write_rows
from empathic.errors import InputError


def test_rows_have_their_first_line_and_keep_quoted_line_breaks(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b'\xef\xbb\xbfa,b\r\n1,"x\n\ny"\n\n2,z\n')
    assert list(rows(path, need=("b",))) == [(2, {"a": "1", "b": "x\n\ny"}), (6, {"a": "2", "b": "z"})]
    assert head(path) == ["a", "b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.csv:1: the file is empty"),
        (b"x,y\n1,2\n", "a.csv:1 field 'b': there is no such column; the file has x, y"),
        (b"b,b\n", "a.csv:1 field 'b': two columns have the same name"),
        (b"a,b\n1,2,3\n", "a.csv:2: the row has 3 cells, the first line names 2 columns"),
        (b'a,b\n1,"2\n', "a.csv:2: is not readable as a table"),
        (b"a,b\n1,\xff\n", "a.csv:2: is not UTF-8 text"),
        (b'a,b\n1,"' + b"xxxxxxxxx\n" * 30, "a.csv:2: is not readable as a table: field larger"),
        (b"\xff\xfea\x00", "UTF-16"),
        (b"PAR1\x00\x00", "binary"),
    ],
)
def test_what_is_no_table_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes, message: str
) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 200)
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(rows(path, need=("b",)))
    assert message in str(caught.value)


def test_rows_that_are_written_come_back(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    body = [{"a": "x\ty", "b": 'say "hi"\nthere'}, {"a": None, "b": 1.5}]
    assert write_rows(path, ["a", "b"], body, delimiter="\t") == 2
    back = [row for _, row in rows(path, delimiter="\t")]
    assert back == [{"a": "x\ty", "b": 'say "hi"\nthere'}, {"a": "", "b": "1.5"}]


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_a_failed_table_leaves_nothing(tmp_path: Path, name: str) -> None:
    with pytest.raises(ZeroDivisionError):
        write_rows(tmp_path / name, ["a"], ({"a": 1 // n} for n in (1, 0)))
    assert list(tmp_path.iterdir()) == []
