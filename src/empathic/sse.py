"""Bytes of a stream of server-sent events become the data of each event, wherever the network cut them.

As the HTML standard has it: lines end in LF, CRLF or CR; `data` lines of one event are joined by LF; comments and
unknown fields are skipped; an event that its blank line never ended is dropped, for half of it may be missing.
"""

from __future__ import annotations

import re

_LINE = re.compile(rb"\r\n|\n|\r(?!$)")  # a CR at the very end may be half of CRLF


class Events:
    """Takes blocks of bytes, gives back what they complete."""

    def __init__(self) -> None:
        self._rest, self._data = b"", list[bytes]()

    def feed(self, block: bytes) -> list[bytes]:
        """The data of the events that end in this block."""
        *lines, self._rest = _LINE.split(self._rest + block)
        found = [self._line(line) for line in lines]
        return [data for data in found if data is not None]

    @property
    def size(self) -> int:
        """Bytes of the event that is not complete yet."""
        return len(self._rest) + sum(map(len, self._data))

    def _line(self, line: bytes) -> bytes | None:
        if line:
            name, _, value = line.partition(b":")
            if name == b"data":
                self._data.append(value.removeprefix(b" "))
            return None
        data, self._data = b"\n".join(self._data), []
        return data or None
