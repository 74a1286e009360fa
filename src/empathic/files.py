"""Records ⇄ files: JSON lines and JSON, read as a stream with file:line errors, written atomically."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import os
import tempfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

import msgspec

from empathic.errors import InputError

LONGEST_LINE = 64 * 1024 * 1024
BLOCK = 1 << 18
T = TypeVar("T")


@contextlib.contextmanager
def atomic(path: Path) -> Iterator[BinaryIO]:
    """Write `path` as a whole or not at all: temporary file beside it, fsync, rename, fsync of the folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        os.chmod(name, _default_mode())
        os.replace(name, path)
        _sync_folder(path.parent)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name)
        raise


def write_json(path: Path, value: object) -> None:
    """One JSON document, indented, keys in the order of the value, atomically."""
    with atomic(path) as stream:
        stream.write(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")


def read_json(path: Path, type_: type[T]) -> T:
    """One JSON document, strictly of `type_`."""
    return decode(_read_all(path), type_, path=path)


def write_lines(path: Path, records: Iterable[msgspec.Struct]) -> int:
    """Records as JSON lines, atomically; returns how many."""
    encoder, count, buffer = msgspec.json.Encoder(), 0, bytearray()
    with atomic(path) as stream:
        for count, record in enumerate(records, 1):  # noqa: B007
            encoder.encode_into(record, buffer, -1)
            buffer += b"\n"
            if len(buffer) > 1 << 20:
                stream.write(buffer)
                buffer.clear()
        stream.write(buffer)
    return count


def read_lines(path: Path, type_: type[T]) -> Iterator[T]:
    """JSON lines as records of `type_`, one at a time; blank lines are passed over."""
    decoder = msgspec.json.Decoder(type_)
    for number, line in lines(path):
        try:
            yield decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise _explain(error, path, number) from error


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The non-blank lines of a text file with their numbers, bounded in length, a UTF-8 mark removed."""
    return ((number, line) for number, line in enumerate(raw_lines(path), 1) if line and not line.isspace())


def raw_lines(path: Path) -> Generator[bytes, None, None]:
    """Every line of a text file (plain or gzip) with its line end, bounded in length, a UTF-8 mark removed."""
    with open_plain(path) as stream, _damage(path):
        number = 0
        while line := stream.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                raise InputError(f"the line is longer than {LONGEST_LINE:,} bytes", path=path, line=number)
            yield _start(line, path) if number == 1 else line


def blocks(path: Path) -> Generator[bytes, None, None]:
    """The content of a text file (plain or gzip) in blocks of bounded size, a UTF-8 mark removed."""
    with open_plain(path) as stream, _damage(path):
        if block := stream.read(BLOCK):
            yield _start(block, path)
        while block := stream.read(BLOCK):
            yield block


def open_plain(path: Path) -> BinaryIO:
    """Open for reading; what is compressed by gzip (whatever its name) is read as what it was before."""
    stream = open_binary(path)
    if not cast(io.BufferedReader, stream).peek(2).startswith(b"\x1f\x8b"):
        return stream
    stream.close()
    return cast(BinaryIO, gzip.open(path))


@contextlib.contextmanager
def _damage(path: Path) -> Iterator[None]:
    try:
        yield
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError("the compressed file is damaged or ends too early", path=path) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error


def open_binary(path: Path) -> BinaryIO:
    """Open for reading, or say in one line why not."""
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise InputError("there is no such file", path=path) from None
    except IsADirectoryError:
        raise InputError("is a folder, a file is needed", path=path) from None
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", path=path) from error


def decode(data: bytes, type_: type[T], *, path: Path, line: int | None = None) -> T:
    """JSON bytes as `type_`; what does not fit is an InputError naming the field."""
    try:
        return msgspec.json.decode(data, type=type_)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _explain(error, path, line) from error


def sha256(path: Path) -> str:
    """The SHA-256 of a file's content."""
    with open_binary(path) as stream:
        digest = hashlib.sha256()
        while block := stream.read(1 << 20):
            digest.update(block)
        return digest.hexdigest()


def content_hash(value: object) -> str:
    """A short stable hash of any JSON-like value (keys sorted)."""
    return hashlib.sha256(msgspec.json.encode(value, order="sorted")).hexdigest()[:16]


def _read_all(path: Path) -> bytes:
    with open_binary(path) as stream:
        return _start(stream.read(), path)


def _start(data: bytes, path: Path) -> bytes:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise InputError("is UTF-16 text; save it as UTF-8", path=path, line=1)
    if b"\x00" in data[:4096]:
        raise InputError("is a binary file, text in UTF-8 is needed", path=path)
    return data.removeprefix(b"\xef\xbb\xbf")


def _explain(error: Exception, path: Path, line: int | None) -> InputError:
    if isinstance(error, RecursionError):
        return InputError("the JSON is nested too deeply", path=path, line=line)
    if isinstance(error, UnicodeDecodeError):
        return InputError("is not UTF-8 text; save it as UTF-8", path=path, line=line)
    what, _, where = str(error).partition(" - at `$")
    field = where.rstrip("`").lstrip(".") or None
    return InputError(what, path=path, line=line, field=field)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _default_mode() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def to_builtins(value: object) -> Any:
    """A record as plain dicts, lists and numbers."""
    return msgspec.to_builtins(value)
