"""The people of a study become files to download, made person by person while they are sent.

Each file is byte for byte what `empathic study export` writes (Parquet: the same rows).
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec
import pyarrow as pa
import pyarrow.parquet

from empathic.studies import export, tables
from empathic.studies.design import Mode, Plan
from empathic.studies.export import Export
from empathic.studies.store import Store
from empathic.studies.versions import newest

BLOCK = 1 << 16
GROUP = 100  # people in one row group of a Parquet file
_JSON = msgspec.json.Encoder()
People = Iterable[Export]
TableOf = Callable[[Export, Plan], pa.Table]


class Download(NamedTuple):
    """One file: what it is, and how people become its bytes."""

    kind: str
    told: str
    make: Callable[[People, Plan], Iterator[bytes]]


def stream(store: Store, name: str, *, mode: Mode, everyone: bool) -> Iterator[bytes]:
    """The bytes of a file, all of one state of the database."""
    with store.read() as connection:
        _, plan = newest(connection)
        yield from filter(None, FILES[name].make(export.each(connection, mode=mode, everyone=everyone), plan))


def whole(store: Store, *, mode: Mode, everyone: bool) -> Iterator[bytes]:
    """Everything as one JSON document, one kind of record after the other."""
    with store.read() as connection:
        for place, field in enumerate(Export._fields):
            yield b"%s%s:[" % (b"," if place else b"{", _JSON.encode(field))
            comma = b""
            for one in export.each(connection, mode=mode, everyone=everyone):
                for record in getattr(one, field):
                    yield comma + _JSON.encode(record)
                    comma = b","
            yield b"]"
        yield b"}"


def _ratings(one: Export, _plan: Plan) -> pa.Table:
    return tables.as_table(one.ratings)


def _raters(one: Export, plan: Plan) -> pa.Table:
    return tables.as_rater_table(one.raters, plan)


def _csv(table_of: TableOf) -> Callable[[People, Plan], Iterator[bytes]]:
    def made(people: People, plan: Plan) -> Iterator[bytes]:
        yield tables.as_csv(table_of(Export([], [], [], [], []), plan))
        for one in people:
            yield tables.as_csv(table_of(one, plan), header=False)

    return made


def _parquet(table_of: TableOf) -> Callable[[People, Plan], Iterator[bytes]]:
    def made(people: People, plan: Plan) -> Iterator[bytes]:
        empty = table_of(Export([], [], [], [], []), plan)
        with tempfile.TemporaryFile() as kept:
            with pa.parquet.ParquetWriter(kept, empty.schema) as writer:
                source = iter(people)
                while some := [table_of(one, plan) for one in itertools.islice(source, GROUP)]:
                    writer.write_table(pa.concat_tables(some))
            kept.seek(0)
            yield from iter(lambda: kept.read(BLOCK), b"")

    return made


def _lines(field: str) -> Callable[[People, Plan], Iterator[bytes]]:
    def made(people: People, _plan: Plan) -> Iterator[bytes]:
        for one in people:
            yield b"".join(_JSON.encode(record) + b"\n" for record in getattr(one, field))

    return made


def _exclusions(people: People, _plan: Plan) -> Iterator[bytes]:
    found = [each for one in people for each in one.exclusions]
    yield msgspec.json.format(_JSON.encode(found), indent=2) + b"\n"


def _codebook(_people: People, plan: Plan) -> Iterator[bytes]:
    yield tables.codebook(plan).encode()


TEXT, CSV, LINES, PARQUET = "text/markdown", "text/csv", "application/x-ndjson", "application/vnd.apache.parquet"
FILES: dict[str, Download] = {
    "ratings.csv": Download(CSV, "every answer, one row each; for spreadsheets, R, SPSS", _csv(_ratings)),
    "ratings.parquet": Download(PARQUET, "the same, small and typed; for Python and R", _parquet(_ratings)),
    "ratings.jsonl": Download(LINES, "the same as Rating records, for `empathic analyze`", _lines("ratings")),
    "raters.csv": Download(
        CSV, "the people, one row each: what they said of themselves, times, outcome", _csv(_raters)
    ),
    "raters.parquet": Download(PARQUET, "the same, small and typed", _parquet(_raters)),
    "raters.jsonl": Download(LINES, "the same as Rater records", _lines("raters")),
    "dialogues.jsonl": Download(LINES, "the chats as Dialogue records", _lines("dialogues")),
    "responses.jsonl": Download(
        LINES, "what the bots said as Response records, for `empathic score`", _lines("responses")
    ),
    "exclusions.json": Download("application/json", "who is left out, and by which rule", _exclusions),
    "codebook.md": Download(TEXT, "what every column and item means", _codebook),
}
CHATS = ("dialogues.jsonl", "responses.jsonl")
