"""What a file format is: a reader, perhaps a writer, how to recognise it, and the facts it can hold."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from empathic import registry
from empathic.records import Dialogue, Polarity, Rater, Rating, Response

Item = Dialogue | Response | Rating | Rater
Holds = Mapping[type[Item], frozenset[str]]  # kind of record → the fields of it that are kept
Located = tuple[int, Item]  # the line (or element) a record began at, and the record
NO_TEXT = "the response is empty"


@dataclass(frozen=True)
class Source:
    """What a reader is given: the file, and what the user said about it."""

    path: Path
    columns: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  # field → column of the file
    system: str | None = None  # who answered, for files that do not say
    constants: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))  # field → value for every row


@dataclass(frozen=True)
class Head:
    """What recognition looks at: the name and the beginning of a file."""

    path: Path
    start: bytes  # up to 64 KiB, unpacked; empty for a folder

    @property
    def suffix(self) -> str:
        """`.jsonl` of `a.jsonl` and of `a.jsonl.gz`."""
        return Path(self.path.name.removesuffix(".gz")).suffix.lower()


@dataclass(frozen=True)
class Format:
    """One file format; `holds` says which fields of which records its writer can keep (`metadata.x`: only x of it)."""

    name: str
    summary: str
    read: Callable[[Source], Iterator[Located]]
    recognise: Callable[[Head], bool]
    write: Callable[[Path, Iterable[Item]], int] | None = None
    holds: Holds = field(default_factory=dict)
    suffixes: tuple[str, ...] = ()
    general: bool = False  # many files look like it: asked only when no other format recognises the file


def register(format_: Format) -> Format:
    """Make a format known to `empathic list formats`, `read` and `convert`."""
    return registry.register("format", format_.name, summary=format_.summary)(format_)


def spoken(text: str) -> dict[str, Any]:
    """The fields `text` and `missing` of a response: a blank answer is missing, with the reason."""
    return {"text": text} if text.strip() else {"text": None, "missing": NO_TEXT}


def as_polarity(text: str | None) -> Polarity | None:
    """`Positive`/`negative` as the record has it; anything else (mixed, neutral, absent) is None."""
    word = (text or "").strip().lower()
    return "positive" if word == "positive" else "negative" if word == "negative" else None


def is_array(head: Head) -> bool:
    """Whether the file begins as a JSON array."""
    return head.start.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def keys(head: Head) -> frozenset[str]:
    """The top-level keys of the first JSON object in the beginning of a file (a line, or an array's first element)."""
    text = head.start.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text.startswith(b"["):
        text = text[1:].lstrip()
    if not text.startswith(b"{"):
        return frozenset()
    line = text.split(b"\n", 1)[0]
    try:
        return frozenset(msgspec.json.decode(line, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return frozenset(_keys_by_scan(text))


def _keys_by_scan(text: bytes) -> Iterator[str]:
    """Keys at depth 1 of an object that is cut off."""
    depth, at = 0, 0
    while at < len(text):
        byte = text[at : at + 1]
        if byte == b'"':
            end = _string_end(text, at)
            if depth == 1 and text[end:].lstrip()[:1] == b":":
                yield text[at + 1 : end - 1].decode("utf-8", "replace")
            at = end
            continue
        depth += (byte in b"{[") - (byte in b"}]")
        if depth == 0:
            return
        at += 1


def _string_end(text: bytes, start: int) -> int:
    at = start + 1
    while at < len(text) and text[at : at + 1] != b'"':
        at += 2 if text[at : at + 1] == b"\\" else 1
    return min(at + 1, len(text))
