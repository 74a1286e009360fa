"""Scores ⇄ Parquet: one row per response, one column per number, written as a stream of row groups.

    system  response  dialogue  position  repeat  length.words  specificity  …  missing

A number that could not be had is null, and `missing` maps its column to the reason. The signatures that reproduce
the columns stand in the file's metadata. Wide, because 40 numbers of a million responses are a million rows so, and
40 million rows otherwise.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from empathic.errors import InputError
from empathic.files import atomic
from empathic.records import Response, Score

KEYS = pa.schema(
    [
        ("system", pa.string()),
        ("response", pa.string()),
        ("dialogue", pa.string()),
        ("position", pa.int32()),
        ("repeat", pa.int32()),
    ]
)
REASONS = pa.field("missing", pa.map_(pa.string(), pa.string()))
SIGNATURES = b"empathic.signatures"


def schema(columns: Sequence[str], texts: Sequence[str] = (), signatures: Mapping[str, str] | None = None) -> Any:
    """The schema of a table of scores: `columns` are numbers, `texts` are words (evidence)."""
    kinds = [(name, pa.string() if name in texts else pa.float64()) for name in columns]
    fields = [*KEYS, *(pa.field(name, kind) for name, kind in kinds), REASONS]
    metadata = {SIGNATURES: msgspec.json.encode(dict(signatures or {}))}
    return pa.schema(fields, metadata=metadata)


def rows(
    responses: Sequence[Response],
    values: Mapping[str, Sequence[float | str | None]],
    reasons: Sequence[Mapping[str, str]],
    texts: Sequence[str] = (),
) -> Any:
    """One record batch: the values of each column in the order of the responses, and per response what is missing."""
    keys = [
        [response.system for response in responses],
        [response.id for response in responses],
        [response.dialogue for response in responses],
        [response.position for response in responses],
        [response.repeat for response in responses],
    ]
    found = schema(list(values), texts)
    columns = zip([*keys, *values.values()], found, strict=False)
    arrays = [pa.array(column, field.type) for column, field in columns]
    return pa.RecordBatch.from_arrays([*arrays, _reasons(reasons)], schema=found)


def _reasons(reasons: Sequence[Mapping[str, str]]) -> Any:
    """The column of reasons, from flat lists: a list of pairs per response would cost more than all numbers."""
    names = pa.array(list(chain.from_iterable(reasons)), pa.string())
    words = pa.array(list(chain.from_iterable(reason.values() for reason in reasons)), pa.string())
    ends = list(accumulate(map(len, reasons)))
    starts = [end - len(reason) if reason else None for end, reason in zip(ends, reasons, strict=True)]
    bounds = pa.array([*starts, len(names)], pa.int32())
    return pa.MapArray.from_arrays(bounds, names, words)


@contextlib.contextmanager
def writer(path: Path, found: Any) -> Iterator[Any]:
    """Write record batches to `path` as a whole or not at all: `.write_batch(rows)`, one row group each."""
    with atomic(path) as stream, pq.ParquetWriter(stream, found, compression="zstd") as parquet:
        yield parquet


def read_signatures(path: Path) -> dict[str, str]:
    """Column → the string that reproduces it."""
    metadata = _open(path).schema_arrow.metadata or {}
    signatures: dict[str, str] = msgspec.json.decode(metadata.get(SIGNATURES, b"{}"))
    return signatures


def read_columns(path: Path, columns: Sequence[str] | None = None) -> Any:
    """The table (or some of its columns) as a `pyarrow.Table`."""
    return _open(path).read(columns=None if columns is None else list(columns))


def text_columns(path: Path) -> list[str]:
    """The columns that hold words (evidence)."""
    return [
        field.name
        for field in _open(path).schema_arrow
        if pa.types.is_string(field.type) and field.name not in KEYS.names
    ]


def read_scores(path: Path, columns: Sequence[str] | None = None) -> Iterator[Score]:
    """Every number of the table as a record, response by response; texts are passed over."""
    file, signatures = _open(path), read_signatures(path)
    numbers = [field.name for field in file.schema_arrow if pa.types.is_floating(field.type)]
    wanted = [name for name in numbers if columns is None or name in columns]
    for batch in file.iter_batches(columns=["system", "response", "missing", *wanted]):
        for row in batch.to_pylist():
            reasons = dict(row["missing"] or ())
            for name in wanted:
                yield Score(
                    metric=name,
                    system=row["system"],
                    response=row["response"],
                    value=row[name],
                    missing=reasons.get(name),
                    signature=signatures.get(name),
                )


def _open(path: Path) -> Any:
    if not path.is_file():
        raise InputError("there is no such file", path=path)
    try:
        return pq.ParquetFile(path)
    except pa.ArrowInvalid as error:
        raise InputError(
            "is not a Parquet file; a table of scores is written by `empathic score`", path=path
        ) from error
