"""A file that is one JSON array of objects becomes its objects, one at a time, in bounded memory."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from empathic import files
from empathic.errors import InputError

T = TypeVar("T")
_BRACKET_OR_QUOTE = re.compile(rb"[{}\[\]\"]")
_INK = re.compile(rb"[^ \t\r\n]")
_QUOTE_OR_ESCAPE = re.compile(rb"[\"\\]")


def elements(path: Path, type_: type[T]) -> Iterator[tuple[int, T]]:
    """The objects of the array as `type_`, each with the line it begins at."""
    for line, data in split(path):
        yield line, files.decode(data, type_, path=path, line=line)


def split(path: Path) -> Iterator[tuple[int, bytes]]:
    """The bytes of each object in the array with its line; only the structure is looked at."""
    splitter = _Splitter(path)
    with contextlib.closing(files.blocks(path)) as blocks:
        for block in blocks:
            yield from splitter.feed(block)
    splitter.close()


def split_member(path: Path, name: str) -> Iterator[tuple[int, bytes]]:
    """Of a file that is one object: first what comes before its member `name`, then the objects in that array."""
    finder, splitter = _Finder(path, name), _Splitter(path, whole=False)
    with contextlib.closing(files.blocks(path)) as blocks:
        for block in blocks:
            if finder.found is None:
                finder.feed(block)
                if finder.found is None:
                    continue
                yield 1, finder.found
                splitter.line, block = finder.line, finder.rest
            yield from splitter.feed(block)
    if finder.found is None:
        raise InputError(f"there is no array '{name}' in the object, or the file is cut off", path=path)
    splitter.close()


class _Scanner:
    """Goes from bracket to bracket outside strings, however the bytes are cut into blocks."""

    def __init__(self) -> None:
        self.at, self.in_string = 0, False

    def bracket(self, data: bytearray) -> bytes | None:
        """The next bracket, `at` being behind it; None when the bytes are used up."""
        while match := (_QUOTE_OR_ESCAPE if self.in_string else _BRACKET_OR_QUOTE).search(data, self.at):
            self.at, sign = match.end(), match[0]
            if sign == b'"':
                self.in_string = not self.in_string
            elif self.in_string:
                self.at += 1  # what follows a backslash means nothing here
            else:
                return sign
        self.at = max(self.at, len(data))
        return None


class _Finder:
    """Looks for `"name": [` at the first level of an object."""

    def __init__(self, path: Path, name: str) -> None:
        self.path, self.key = path, re.compile(rb',?\s*"' + re.escape(name.encode()) + rb'"\s*:\s*$')
        self.data, self.scanner, self.depth = bytearray(), _Scanner(), 0
        self.found: bytes | None = None  # the object without the member
        self.line, self.rest = 1, b""

    def feed(self, block: bytes) -> None:
        self.data += block
        if len(self.data) > files.LONGEST_LINE:
            raise InputError(f"its beginning is longer than {files.LONGEST_LINE:,} bytes", path=self.path)
        while sign := self.scanner.bracket(self.data):
            key = self.key.search(self.data[: self.scanner.at - 1]) if sign == b"[" and self.depth == 1 else None
            if key:
                self.found = bytes(self.data[: key.start()]) + b"}"
                self.rest = bytes(self.data[self.scanner.at - 1 :])
                self.line = 1 + self.data.count(b"\n", 0, self.scanner.at)
                return
            self.depth += 1 if sign in b"{[" else -1


class _Splitter:
    """Follows strings and brackets; `pending` never holds more than one object and one block."""

    def __init__(self, path: Path, *, whole: bool = True) -> None:
        self.path, self.line, self.whole = path, 1, whole
        self.pending, self.scanner, self.depth = bytearray(), _Scanner(), 0
        self.state = "start"  # → first → object → between → next → object … → end

    def feed(self, block: bytes) -> Iterator[tuple[int, bytes]]:
        self.pending += block
        while True:
            if self.state != "object":
                if not self._pass_over():
                    return
            elif (end := self._object_end()) is not None:
                yield self.line, bytes(self.pending[:end])
                self._drop(end)
                self.state = "between"
            else:
                self._check_length()
                return

    def close(self) -> None:
        if self.state == "start":
            raise InputError("the file is empty, a JSON array of objects is needed", path=self.path)
        if self.state != "end":
            raise InputError("the JSON array ends in the middle: the file is cut off", path=self.path, line=self.line)

    def _pass_over(self) -> bool:
        """Go over white space and one structural sign; False when more bytes are needed."""
        ink = _INK.search(self.pending)
        self._drop(ink.start() if ink else len(self.pending))
        if not self.pending:
            return False
        sign = bytes(self.pending[:1])
        if sign == b"{" and self.state in ("first", "next"):
            self.state, self.depth, self.scanner = "object", 0, _Scanner()
            return True
        if self.state == "end" and not self.whole:
            self.pending.clear()
            return False
        self.state = self._following(sign)
        self._drop(1)
        return True

    def _following(self, sign: bytes) -> str:
        moves = {
            ("start", b"["): "first",
            ("first", b"]"): "end",
            ("between", b","): "next",
            ("between", b"]"): "end",
        }
        if (self.state, sign) in moves:
            return moves[self.state, sign]
        wanted = {"start": "'['", "first": "'{' or ']'", "next": "'{'", "between": "',' or ']'", "end": "nothing"}
        found = sign.decode("utf-8", "replace")
        what = f"a JSON array of objects is needed: {wanted[self.state]} should stand here, not {found!r}"
        raise InputError(what, path=self.path, line=self.line)

    def _object_end(self) -> int | None:
        """Where the object that begins `pending` ends; None when it is not all here."""
        while sign := self.scanner.bracket(self.pending):
            self.depth += 1 if sign in b"{[" else -1
            if self.depth == 0:
                return self.scanner.at
        return None

    def _drop(self, count: int) -> None:
        self.line += self.pending.count(b"\n", 0, count)
        del self.pending[:count]

    def _check_length(self) -> None:
        if len(self.pending) > files.LONGEST_LINE:
            what = f"one element is longer than {files.LONGEST_LINE:,} bytes"
            raise InputError(what, path=self.path, line=self.line)
