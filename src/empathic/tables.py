"""Scores ⇄ Parquet: one row per response, one column per number, written as a stream of row groups.

    system  response  dialogue  position  repeat  length.words  specificity  …  missing

A number that could not be had is null, and `missing` maps its column to the reason. The signatures that reproduce
the columns stand in the file's metadata. Wide, because 40 numbers of a million responses are a million rows so, and
40 million rows otherwise.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

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


class Gaps(NamedTuple):
    """What is missing and why: `why[column, response]` is 0 if nothing is, k for the k-th of the `reasons`."""

    columns: Sequence[str]
    why: NDArray[np.integer]
    reasons: Sequence[str]


def rows(
    responses: Sequence[Response],
    values: Mapping[str, NDArray[np.float64] | Sequence[str | None]],
    gaps: Gaps,
    texts: Sequence[str] = (),
) -> Any:
    """One record batch: each column's numbers or words in the order of the responses, null where there is a gap."""
    keys = [
        [response.system for response in responses],
        [response.id for response in responses],
        [response.dialogue for response in responses],
        [response.position for response in responses],
        [response.repeat for response in responses],
    ]
    found = schema(list(values), texts)
    absent = {name: why > 0 for name, why in zip(gaps.columns, gaps.why, strict=True) if why.any()}
    arrays = [pa.array(column, field.type) for column, field in zip(keys, KEYS, strict=True)]
    arrays += [
        pa.array(column, pa.string()) if name in texts else pa.array(column, pa.float64(), mask=absent.get(name))
        for name, column in values.items()
    ]
    return pa.RecordBatch.from_arrays([*arrays, _reasons(gaps)], schema=found)


def _reasons(gaps: Gaps) -> Any:
    """The column of reasons: response by response the gaps in the order of the columns; null if there are none."""
    response, column = np.nonzero(gaps.why.T)
    names = pa.array(gaps.columns, pa.string()).take(pa.array(column))
    reasons = pa.array(gaps.reasons, pa.string()).take(pa.array(gaps.why[column, response] - 1))
    counts = np.bincount(response, minlength=gaps.why.shape[1])
    bounds = np.append(0, np.cumsum(counts)).astype(np.int32)
    empty = np.append(counts == 0, False)
    return pa.MapArray.from_arrays(pa.array(bounds, mask=empty), names, reasons)


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
