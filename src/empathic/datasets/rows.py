"""CSV and TSV files ⇄ rows: dictionaries with checked columns, one at a time, with their lines."""

from __future__ import annotations

import contextlib
import csv
import io
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from empathic import files
from empathic.datasets.sinks import open_sink
from empathic.errors import InputError

Row = dict[str, str]


def rows(path: Path, *, need: Sequence[str] = (), delimiter: str = ",") -> Iterator[tuple[int, Row]]:
    """Each row as column → text with the line it begins at; `need` names the columns that must be there."""
    cells = _cells(path, delimiter)
    _, head = next(cells, (1, []))
    _check_head(head, need, path)
    for line, values in cells:
        if values:
            yield line, _row(head, values, path, line)


def head(path: Path, *, delimiter: str = ",") -> list[str]:
    """The names of the columns."""
    _, names = next(_cells(path, delimiter), (1, []))
    _check_head(names, (), path)
    return names


def _cells(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    csv.field_size_limit(files.LONGEST_LINE)  # of the whole process, and larger than its default
    line = 1
    with contextlib.closing(_text_lines(path)) as lines:
        reader = csv.reader(lines, delimiter=delimiter, strict=True)
        while True:
            try:
                values = next(reader, None)
            except csv.Error as error:
                raise InputError(f"is not readable as a table: {error}", path=path, line=line) from error
            if values is None:
                return
            yield line, values
            line = reader.line_num + 1


def _text_lines(path: Path) -> Generator[str, None, None]:
    with contextlib.closing(files.raw_lines(path)) as lines:
        for number, line in enumerate(lines, 1):
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


def write_rows(path: Path, names: Sequence[str], body: Iterable[Mapping[str, object]], *, delimiter: str = ",") -> int:
    """A first line with the names, then a line per row; None is an empty cell. Returns how many rows."""
    count = 0
    with open_sink(path) as stream:
        text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
        try:
            writer = csv.DictWriter(text, names, delimiter=delimiter, lineterminator="\n")
            writer.writeheader()
            for count, row in enumerate(body, 1):  # noqa: B007
                writer.writerow(row)
        finally:
            text.detach()
    return count
