"""A file that is one JSON array of objects becomes its objects, one at a time, in bounded memory."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

from empathic import files
from empathic.errors import InputError

T = TypeVar("T")
_OUTSIDE = re.compile(rb"[{}\[\]\"]")
_INSIDE = re.compile(rb"[\"\\]")


def elements(path: Path, type_: type[T]) -> Iterator[tuple[int, T]]:
    """The objects of the array as `type_`, each with the line it begins at."""
    for line, data in split(path):
        yield line, files.decode(data, type_, path=path, line=line)


def split(path: Path) -> Iterator[tuple[int, bytes]]:
    """The bytes of each object in the array with its line; only the structure is looked at."""
    splitter = _Splitter(path)
    for block in files.blocks(path):
        yield from splitter.feed(block)
    splitter.close()


class _Splitter:
    """Follows strings and brackets; `pending` never holds more than one object and one block."""

    def __init__(self, path: Path) -> None:
        self.path, self.line = path, 1
        self.pending = bytearray()
        self.at = 0  # how far `pending` was scanned
        self.depth, self.in_string = 0, False
        self.state = "start"  # → first → object → between → first … → end

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
        blank = len(self.pending) - len(self.pending.lstrip())
        self._drop(blank)
        if not self.pending:
            return False
        sign = bytes(self.pending[:1])
        if sign == b"{" and self.state in ("first", "next"):
            self.state, self.depth, self.at, self.in_string = "object", 0, 0, False
            return True
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
        while match := (_INSIDE if self.in_string else _OUTSIDE).search(self.pending, self.at):
            self.at, sign = match.end(), match[0]
            if self.in_string:
                self._in_string(sign)
            elif sign == b'"':
                self.in_string = True
            else:
                self.depth += 1 if sign in b"{[" else -1
                if self.depth == 0:
                    return self.at
        self.at = max(self.at, len(self.pending))
        return None

    def _in_string(self, sign: bytes) -> None:
        if sign == b'"':
            self.in_string = False
        else:
            self.at += 1  # the sign after a backslash means nothing here

    def _drop(self, count: int) -> None:
        self.line += self.pending.count(b"\n", 0, count)
        del self.pending[:count]

    def _check_length(self) -> None:
        if len(self.pending) > files.LONGEST_LINE:
            what = f"one element is longer than {files.LONGEST_LINE:,} bytes"
            raise InputError(what, path=self.path, line=self.line)
