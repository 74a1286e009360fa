"""A table with named columns (CSV, TSV, Parquet) ⇄ dialogues, responses, ratings or raters, one kind per file.

A column is called as the record's field; `prompt` is a context of one turn, `response` and `model` may stand for `text`
and `system`. Other names are mapped by the user (`--column text=answer`); columns nobody names go into the metadata.
Lists and objects stand in their cells as JSON. An empty cell is no value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from empathic.datasets import parquet
from empathic.datasets.formats import NO_TEXT, Format, Head, Holds, Item, Located, Source, register
from empathic.datasets.rows import head as column_names
from empathic.datasets.rows import rows, write_rows
from empathic.errors import InputError, SettingError
from empathic.records import Dialogue, Rater, Rating, Response

ALIASES = {"response": "text", "model": "system"}
NESTED = frozenset({"turns", "metadata", "traits", "generation"})
NUMBERS: Mapping[str, type[int] | type[float]] = {
    "position": int,
    "repeat": int,
    "order": int,
    "value": float,
    "seconds": float,
}
HOLDS: Holds = {kind: frozenset(kind.__struct_fields__) for kind in (Dialogue, Response, Rating, Rater)}
NO_VALUE = "the cell is empty"


def read(source: Source) -> Iterator[Located]:
    """One record per row, all of the kind the columns make."""
    names, body = _open(source.path)
    fields = _fields(names, source)
    kind = _kind(frozenset(fields.values()) | frozenset(source.constants), source.path)
    columns = {field: name for name, field in fields.items()}
    for line, cells in body:
        given = {**source.constants, **{fields[name]: cell for name, cell in cells.items() if cell not in ("", None)}}
        yield line, _Row(source, kind, line, columns).record(given)


def _open(path: Path) -> tuple[list[str], Iterator[tuple[int, Mapping[str, Any]]]]:
    if parquet.is_parquet(path):
        return parquet.column_names(path), parquet.rows(path)
    delimiter = _delimiter(path)
    return column_names(path, delimiter=delimiter), iter(rows(path, delimiter=delimiter))


def _delimiter(path: Path) -> str:
    return "\t" if {".tsv", ".tab"} & set(path.suffixes) else ","


def _fields(names: list[str], source: Source) -> dict[str, str]:
    """Column → field; what the user said goes before what the columns are called."""
    told = {column: field for field, column in source.columns.items()}
    for column in told:
        if column not in names:
            what = f"there is no such column; the file has {', '.join(names[:30])}"
            raise InputError(what, path=source.path, line=1, field=column)
    taken = set(told.values()) | (set(names) - set(told))
    aliases = {name: field for name, field in ALIASES.items() if field not in taken}
    return {name: told.get(name) or aliases.get(name, name) for name in names}


def _kind(fields: frozenset[str], path: Path) -> type[Item]:
    if {"rater", "value"} <= fields:
        return Rating
    if "text" in fields:
        return Response
    if fields & {"turns", "prompt"}:
        return Dialogue
    if {"id", "traits"} <= fields:
        return Rater
    what = "no column is called text (a response), prompt or turns (a dialogue), or rater and value (a rating)"
    raise InputError(f"{what}; say which is which, e.g. --column text=answer", path=path, line=1)


class _Row:
    """One row on its way to a record."""

    def __init__(self, source: Source, kind: type[Item], line: int, columns: Mapping[str, str]) -> None:
        self.source, self.kind, self.line, self.columns = source, kind, line, columns

    def record(self, given: dict[str, Any]) -> Item:
        known = {name: self._value(name, cell) for name, cell in given.items() if name in HOLDS[self.kind]}
        extra = {name: cell for name, cell in given.items() if name not in known and name != "prompt"}
        if "metadata" in HOLDS[self.kind]:
            known["metadata"] = {**extra, **known.get("metadata", {})}
        if "prompt" in given and "turns" in HOLDS[self.kind]:
            known.setdefault("turns", [{"role": "speaker", "text": str(given["prompt"])}])
        self._complete(known)
        try:
            return msgspec.convert(known, self.kind)
        except msgspec.ValidationError as error:
            raise self._wrong_record(error) from error

    def _complete(self, known: dict[str, Any]) -> None:
        """What a row may leave out: the id, the context, the system the user named, the reason of a missing value."""
        if self.kind is not Rating:
            known.setdefault("id", f"row-{self.line}")
        if self.kind is Response:
            known.setdefault("dialogue", known["id"])
            known.setdefault("turns", [])
            known.setdefault("system", self.source.system)
            known.setdefault("text", None)
        wanted = {Response: ("text", NO_TEXT), Rating: ("value", NO_VALUE)}.get(self.kind)
        if wanted and known.setdefault(wanted[0], None) is None:
            known.setdefault("missing", wanted[1])

    def _value(self, name: str, cell: Any) -> Any:
        try:
            if name in NESTED and isinstance(cell, str):
                return msgspec.json.decode(cell, type=list[Any] if name == "turns" else dict[str, Any])
            if name in NUMBERS:
                return _number(NUMBERS[name], cell)
        except (msgspec.DecodeError, ValueError, TypeError, OverflowError, RecursionError) as error:
            raise self._wrong(name, f"{error} (the cell is {str(cell)[:60]!r})") from error
        return cell if name in NESTED else str(cell)

    def _wrong(self, name: str | None, what: str) -> InputError:
        column = None if name is None else self.columns.get(name, name)
        return InputError(what, path=self.source.path, line=self.line, field=column)

    def _wrong_record(self, error: msgspec.ValidationError) -> InputError:
        what, _, where = str(error).partition(" - at `$.")
        if where == "system`" and what.endswith("got `null`"):
            return self._wrong("system", "nobody says which system answered; add --system NAME")
        return self._wrong(where.rstrip("`") or None, what)


def _number(type_: type[int] | type[float], cell: Any) -> int | float:
    number = type_(cell)
    if not math.isfinite(number):
        raise ValueError("a number is needed; leave the cell empty if there is none")
    return number


def write(path: Path, items: Iterable[Item]) -> int:
    """Every field of the records as a column; records of two kinds do not fit into one table."""
    body = iter(items)
    first = next(body, None)
    if first is None:
        raise SettingError("There is nothing to write into the table.")
    plain = (_plain(item) for item in _of_one_kind(type(first), first, body))
    names = list(type(first).__struct_fields__)
    if path.suffix == ".parquet":
        return parquet.write(path, names, NUMBERS, plain)
    return write_rows(path, names, plain, delimiter=_delimiter(path))


def _of_one_kind(kind: type[Item], first: Item, rest: Iterator[Item]) -> Iterator[Item]:
    yield first
    for item in rest:
        if type(item) is not kind:
            one, other = kind.__name__.lower(), type(item).__name__.lower()
            raise SettingError(f"A table holds one kind of record, these are {one}s and {other}s. Add --only {one}s")
        yield item


def _plain(item: Item) -> dict[str, Any]:
    values = {name: getattr(item, name) for name in item.__struct_fields__}
    for name in NESTED & values.keys():
        values[name] = msgspec.json.encode(values[name]).decode() if values[name] else None
    return values


def _recognise(head: Head) -> bool:
    return head.suffix in (".csv", ".tsv", ".tab", ".parquet") or head.start.startswith(b"PAR1")


TABLE = register(
    Format(
        name="table",
        summary="CSV, TSV or Parquet with named columns: one kind of record per file",
        read=read,
        recognise=_recognise,
        write=write,
        holds=HOLDS,
        suffixes=(".csv", ".tsv", ".parquet"),
        general=True,
    )
)
