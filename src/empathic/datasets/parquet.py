"""Parquet files ⇄ rows (column → value), a batch at a time."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from empathic import files
from empathic.errors import InputError
from empathic.parts import need

BATCH = 4096


def is_parquet(path: Path) -> bool:
    """Whether the file begins as Parquet files do."""
    with files.open_binary(path) as stream:
        return stream.read(4) == b"PAR1"


def column_names(path: Path) -> list[str]:
    """The names of the columns."""
    with _open(path) as file:
        return list(file.schema_arrow.names)


def rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each row with its number from 1."""
    number = 0
    with _open(path) as file:
        for batch in file.iter_batches(batch_size=BATCH):
            for row in batch.to_pylist():
                number += 1
                yield number, row


def write(path: Path, names: Sequence[str], numbers: Mapping[str, type], plain: Iterable[Mapping[str, Any]]) -> int:
    """Rows as a Parquet file: text, but 64-bit numbers for the columns in `numbers`; returns how many."""
    arrow, writer = need("pyarrow"), need("pyarrow.parquet")
    types = {int: arrow.int64(), float: arrow.float64()}
    schema = arrow.schema([(name, types.get(numbers.get(name, str), arrow.string())) for name in names])
    body, count = iter(plain), 0
    with files.atomic(path) as stream, writer.ParquetWriter(stream, schema, compression="zstd") as table:
        while batch := list(itertools.islice(body, BATCH)):
            table.write_table(_table(batch, schema))
            count += len(batch)
    return count


def _table(batch: list[Mapping[str, Any]], schema: Any) -> Any:
    arrow = need("pyarrow")
    try:
        return arrow.Table.from_pylist(batch, schema=schema)
    except (arrow.ArrowException, OverflowError) as error:
        raise InputError(f"a value does not fit into Parquet: {error}") from error


@contextlib.contextmanager
def _open(path: Path) -> Iterator[Any]:
    arrow, parquet = need("pyarrow"), need("pyarrow.parquet")
    try:
        with parquet.ParquetFile(path) as file:
            yield file
    except (arrow.ArrowException, OSError, UnicodeDecodeError) as error:
        what = " ".join(str(error).split())[:200]
        raise InputError(f"cannot be read as Parquet: {what}", path=path) from error
