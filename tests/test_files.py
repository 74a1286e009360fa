from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from empathic import files
from empathic.errors import InputError
from empathic.records import Turn

TURNS = [Turn(role="speaker", text="Grüße"), Turn(role="listener", text="…")]


def test_records_written_as_lines_are_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "turns.jsonl"
    assert files.write_lines(path, TURNS) == 2
    assert list(files.read_lines(path, Turn)) == TURNS


def test_a_large_file_is_written_in_blocks(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    many = [Turn(role="speaker", text="x" * 1000)] * 3000
    assert files.write_lines(path, many) == 3000
    assert sum(1 for _ in files.read_lines(path, Turn)) == 3000


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    files.write_lines(path, TURNS)
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError):
        files.write_lines(path, (1 / 0 for _ in range(3)))  # type: ignore[misc]
    assert path.read_bytes() == before
    assert [child.name for child in tmp_path.iterdir()] == ["turns.jsonl"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"role":"speaker","text":"a"}\n{"role":"speaker"}\n', ":2: Object missing required field `text`"),
        (b'{"role":"speaker","text":1}\n', ":1 field 'text': Expected `str`, got `int`"),
        (b'{"role":"speaker","text":"a\n', ":1: "),
        (b'{"role":"speaker","text":"\xff"}\n', ":1: "),
        (b"\xff\xfe{\x00", "UTF-16"),
        (b"\x00\x01\x02\n", "binary"),
        (b"[" * 100_000 + b"\n", ":1: "),
    ],
)
def test_bad_lines_are_one_error_with_file_and_line(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        list(files.read_lines(path, Turn))
    assert "bad.jsonl" in str(caught.value)
    assert message in str(caught.value)


def test_a_line_that_is_too_long_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LONGEST_LINE", 10)
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"{}\n" + b"x" * 100)
    with pytest.raises(InputError, match="long.jsonl:2: the line is longer than 10 bytes"):
        list(files.lines(path))


def test_blank_lines_and_a_utf8_mark_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_bytes(b'\xef\xbb\xbf\n\n{"role":"speaker","text":"a"}\r\n\n')
    assert [number for number, _ in files.lines(path)] == [3]
    assert list(files.read_lines(path, Turn)) == [Turn(role="speaker", text="a")]


def test_absent_files_and_folders_are_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file"):
        files.open_binary(tmp_path / "absent")
    with pytest.raises(InputError, match="is a folder"):
        files.open_binary(tmp_path)


def test_json_documents_are_strict(tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    files.write_json(path, TURNS[0])
    assert files.read_json(path, Turn) == TURNS[0]
    path.write_text('{"role":"speaker","text":"a","more":1}')
    with pytest.raises(InputError, match="more"):
        files.read_json(path, Turn)


def test_hashes_depend_on_content_alone(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"abc")
    assert files.sha256(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert files.content_hash({"a": 1, "b": 2}) == files.content_hash({"b": 2, "a": 1})


def test_compressed_files_are_read_as_they_were_and_damage_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl.gz"
    path.write_bytes(gzip.compress(b'{"role":"speaker","text":"a"}\n' * 3))
    assert sum(1 for _ in files.read_lines(path, Turn)) == 3
    assert b"".join(files.blocks(path)).count(b"speaker") == 3
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(InputError, match="damaged or ends too early"):
        list(files.lines(path))


def test_blocks_are_bounded_and_lose_only_the_utf8_mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "BLOCK", 4)
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\xbfabcdefg")
    assert list(files.blocks(path)) == [b"a", b"bcde", b"fg"]
