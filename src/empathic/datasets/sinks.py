"""Plain values become a file as a whole or not at all: JSON lines, a JSON array, packed when the name ends in .gz."""

from __future__ import annotations

import contextlib
import gzip
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import msgspec

from empathic import files

BLOCK = 1 << 20


@contextlib.contextmanager
def open_sink(path: Path) -> Iterator[BinaryIO]:
    """A stream whose content becomes `path` when all went well."""
    with files.atomic(path) as stream:
        if not path.name.endswith(".gz"):
            yield stream
            return
        with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=stream, mtime=0) as packed:
            yield cast(BinaryIO, packed)


def write_lines(path: Path, values: Iterable[object]) -> int:
    """One JSON value per line; returns how many."""
    return _write(path, values, between=b"\n", start=b"", end=b"\n")


def write_array(path: Path, values: Iterable[object]) -> int:
    """One JSON array with one element per line; returns how many."""
    return _write(path, values, between=b",\n", start=b"[", end=b"]\n")


def _write(path: Path, values: Iterable[object], *, between: bytes, start: bytes, end: bytes) -> int:
    encoder, buffer, count = msgspec.json.Encoder(), bytearray(start), 0
    with open_sink(path) as stream:
        for count, value in enumerate(values, 1):
            if count > 1:
                buffer += between
            encoder.encode_into(value, buffer, -1)
            if len(buffer) > BLOCK:
                stream.write(buffer)
                buffer.clear()
        stream.write(buffer + end)
    return count
