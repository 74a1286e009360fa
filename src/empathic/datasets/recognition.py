"""A path becomes the format it is in, by its content and its name."""

from __future__ import annotations

import gzip
import zlib
from pathlib import Path
from typing import cast

from empathic import files, registry
from empathic.datasets.formats import Format, Head
from empathic.errors import InputError

LOOK = 1 << 16


def find(name: str) -> Format:
    """The format called `name`."""
    return cast(Format, registry.find("format", name).thing)


def all_formats() -> list[Format]:
    """Every registered format, by name."""
    return [cast(Format, entry.thing) for entry in registry.entries("format")]


def recognise(path: Path) -> Format:
    """The one format that fits the file; none or several is an error that says what to type."""
    head = look(path)
    fitting = [format_ for format_ in all_formats() if format_.recognise(head)]
    special = [format_ for format_ in fitting if not format_.general] or fitting
    if len(special) == 1:
        return special[0]
    names = "|".join(format_.name for format_ in special or all_formats())
    what = "fits several formats" if special else _strange(head)
    raise InputError(f"{what}; say which it is with --from {names}", path=path)


def _strange(head: Head) -> str:
    if head.start.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "is UTF-16 text: save it as UTF-8"
    if b"\x00" in head.start[:4096]:
        return "is a binary file that is not recognised"
    return "is in no format that is recognised"


def look(path: Path) -> Head:
    """The beginning of a file; an absent or empty one is an error."""
    if path.is_dir():
        return Head(path, b"")
    if path.exists() and not path.is_file():
        raise InputError("is no ordinary file and can be read only once: say its format with --from", path=path)
    try:
        with files.open_plain(path) as stream:
            start = stream.read(LOOK)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise InputError("the compressed file is damaged or ends too early", path=path) from error
    if not start.strip():
        raise InputError("the file is empty", path=path)
    return Head(path, start)
