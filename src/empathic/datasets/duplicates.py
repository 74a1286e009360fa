"""Ids in, an error for the second of two equal ones: exact up to 128-bit hashes, in bounded memory."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from empathic.datasets.formats import Item, Located
from empathic.errors import InputError
from empathic.records import Rating

IN_MEMORY = 100_000
PARTS = 64
_ENTRY = 16 + 8  # bytes of hash and line


def refuse_duplicates(records: Iterator[Located], path: Path) -> Iterator[Located]:
    """The same records; a second dialogue, response or rater with an id of its kind is an InputError.

    The first 100,000 ids are compared at once; a longer file is compared at its end, part by part on disk.
    """
    with contextlib.ExitStack() as stack:
        seen: dict[bytes, int] = {}
        parts: list[IO[bytes]] = []
        for line, record in records:
            key = _key(record)
            if key is not None and not parts:
                if key in seen:
                    raise _twice(record.id, seen[key], path, line)  # type: ignore[union-attr]
                seen[key] = line
                if len(seen) >= IN_MEMORY:
                    parts = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(PARTS)]
                    _spill(seen, parts)
            elif key is not None:
                _put(key, line, parts)
            yield line, record
        for part in parts:
            _check(part, path)


def _key(record: Item) -> bytes | None:
    if isinstance(record, Rating):
        return None
    name = f"{type(record).__name__}\n{record.id}"
    return hashlib.blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _spill(seen: dict[bytes, int], parts: list[IO[bytes]]) -> None:
    for key, line in seen.items():
        _put(key, line, parts)
    seen.clear()


def _put(key: bytes, line: int, parts: list[IO[bytes]]) -> None:
    parts[key[0] % PARTS].write(key + line.to_bytes(8))


def _check(part: IO[bytes], path: Path) -> None:
    part.seek(0)
    seen: dict[bytes, int] = {}
    while entry := part.read(_ENTRY):
        key, line = entry[:16], int.from_bytes(entry[16:])
        if key in seen:
            raise _twice(None, seen[key], path, line)
        seen[key] = line


def _twice(name: str | None, first: int, path: Path, line: int) -> InputError:
    shown = "" if name is None else f" {name[:80]!r}"
    return InputError(f"the id{shown} stands in line {first} already", path=path, line=line, field="id")
