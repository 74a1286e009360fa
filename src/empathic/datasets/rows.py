"""A CSV or TSV file becomes its rows: dictionaries with checked columns, one at a time, with their lines."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from empathic import files
from empathic.errors import InputError

Row = dict[str, str]


def rows(path: Path, *, need: Sequence[str] = (), delimiter: str = ",") -> Iterator[tuple[int, Row]]:
    """Each row as column → text with the line it begins at; `need` names the columns that must be there."""
    reader = csv.reader(_text_lines(path), delimiter=delimiter, strict=True)
    cells = _cells(reader, path)
    _, head = next(cells, (1, []))
    _check_head(head, need, path)
    for line, values in cells:
        if values:
            yield line, _row(head, values, path, line)


def head(path: Path, *, delimiter: str = ",") -> list[str]:
    """The names of the columns."""
    _, names = next(_cells(csv.reader(_text_lines(path), delimiter=delimiter, strict=True), path), (1, []))
    _check_head(names, (), path)
    return names


def _cells(reader: Iterator[list[str]], path: Path) -> Iterator[tuple[int, list[str]]]:
    line = 1
    while True:
        try:
            values = next(reader, None)
        except csv.Error as error:
            raise InputError(f"is not readable as a table: {error}", path=path, line=line) from error
        if values is None:
            return
        yield line, values
        line = reader.line_num + 1  # type: ignore[attr-defined]


def _text_lines(path: Path) -> Iterator[str]:
    for number, line in enumerate(files.raw_lines(path), 1):
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            raise InputError("is not UTF-8 text; save it as UTF-8", path=path, line=number) from error


def _check_head(names: Sequence[str], need: Sequence[str], path: Path) -> None:
    if not names:
        raise InputError("the file is empty, a first line with the names of the columns is needed", path=path, line=1)
    for name in names:
        if names.count(name) > 1:
            raise InputError("two columns have the same name", path=path, line=1, field=name)
    for name in need:
        if name not in names:
            raise InputError(f"there is no such column; the file has {_shown(names)}", path=path, line=1, field=name)


def _shown(names: Sequence[str]) -> str:
    text = ", ".join(names[:30])
    return text if len(text) <= 300 else text[:300] + "…"


def _row(names: Sequence[str], values: Sequence[str], path: Path, line: int) -> Row:
    if len(values) != len(names):
        what = f"the row has {len(values)} cells, the first line names {len(names)} columns"
        raise InputError(what, path=path, line=line)
    return dict(zip(names, values, strict=True))
