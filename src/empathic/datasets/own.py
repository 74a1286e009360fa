"""Our own JSON lines ⇄ records: every field of Dialogue, Response, Rating and Rater, in any order of lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from empathic import files
from empathic.datasets.formats import Format, Head, Holds, Item, Located, Source, is_array, keys, register
from empathic.datasets.sinks import write_lines
from empathic.errors import InputError
from empathic.records import Dialogue, Rater, Rating, Response

_DECODERS: dict[type[Item], msgspec.json.Decoder[Item]] = {
    kind: msgspec.json.Decoder(kind) for kind in (Response, Dialogue, Rating, Rater)
}
HOLDS: Holds = {kind: frozenset(kind.__struct_fields__) for kind in _DECODERS}
_BAD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def read(source: Source) -> Iterator[Located]:
    """One record per line; a line is first tried as the kind the line before was."""
    kind: type[Item] = Response
    decoder = _DECODERS[kind]
    for number, line in files.lines(source.path):
        try:
            yield number, decoder.decode(line)
            continue
        except _BAD:
            kind = _kind(line, source.path, number)
            decoder = _DECODERS[kind]
        yield number, files.decode(line, kind, path=source.path, line=number)


def _kind(line: bytes, path: Path, number: int) -> type[Item]:
    """Which record a line is, by the field only that kind has."""
    names = frozenset(files.decode(line, dict[str, msgspec.Raw], path=path, line=number))
    kind = kind_of(names)
    if kind is None:
        shown = ", ".join(sorted(names)[:12]) or "no field"
        raise InputError(f"is no dialogue, response, rating or rater: it has {shown}", path=path, line=number)
    return kind


def kind_of(names: frozenset[str]) -> type[Item] | None:
    """The record that has these fields."""
    if "rater" in names or "instrument" in names:
        return Rating
    if "system" in names or "text" in names:
        return Response
    if "turns" in names:
        return Dialogue
    return Rater if "id" in names and names <= {"id", "traits"} else None


def write(path: Path, items: Iterable[Item]) -> int:
    """One line per record."""
    return write_lines(path, items)


def _recognise(head: Head) -> bool:
    names = keys(head)
    kind = None if is_array(head) else kind_of(names)
    return kind is not None and names <= HOLDS[kind]


RECORDS = register(
    Format(
        name="records",
        summary="our own JSON lines: every field of dialogues, responses, ratings and raters",
        read=read,
        recognise=_recognise,
        write=write,
        holds=HOLDS,
        suffixes=(".jsonl",),
    )
)
