"""Chat JSON lines, `{"messages": [{"role": …, "content": …}]}`, ⇄ dialogues and responses.

A line with a `model` is a response of that system (its last assistant message answers the ones before); any other line
is a dialogue. Keys that are not known here are kept in the metadata.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from empathic import files
from empathic.datasets.formats import (
    NO_TEXT,
    Format,
    Head,
    Holds,
    Item,
    Located,
    Source,
    is_array,
    keys,
    register,
    spoken,
)
from empathic.datasets.messages import ChatMessage, to_messages, to_turns
from empathic.datasets.sinks import write_lines
from empathic.errors import InputError
from empathic.records import Dialogue, Json, Polarity, Response, Turn

_SHARED = frozenset({"id", "turns", "emotion", "polarity", "situation", "reference", "metadata"})
HOLDS: Holds = {Dialogue: _SHARED, Response: _SHARED | {"system", "dialogue", "text", "missing", "position", "repeat"}}


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the file."""

    messages: list[ChatMessage]
    id: str | int | None = None
    emotion: str | None = None
    polarity: Polarity | None = None
    situation: str | None = None
    reference: str | None = None
    model: str | None = None
    dialogue: str | None = None
    position: int = 0
    repeat: int = 0
    missing: str | None = None
    metadata: Json = {}


_KNOWN = frozenset(Line.__struct_fields__)


def read(source: Source) -> Iterator[Located]:
    """One dialogue or response per line."""
    for number, data in files.lines(source.path):
        given = files.decode(data, dict[str, Any], path=source.path, line=number)
        line = _line(given, source.path, number)
        extra = {name: value for name, value in given.items() if name not in _KNOWN}
        yield number, _item(line, extra, source, number)


def _line(given: dict[str, Any], path: Path, number: int) -> Line:
    try:
        return msgspec.convert(given, Line)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$")
        raise InputError(what, path=path, line=number, field=where.rstrip("`").lstrip(".") or None) from error


def _item(line: Line, extra: Json, source: Source, number: int) -> Item:
    turns, prompt = to_turns(line.messages, path=source.path, line=number)
    metadata = {**extra, **line.metadata, **({} if prompt is None else {"system_prompt": prompt})}
    name = f"line-{number}" if line.id is None else str(line.id)
    system = line.model or source.system
    if system is None:
        return Dialogue(id=name, turns=turns, metadata=metadata, **_facts(line))
    answered = turns[-1].role == "listener"
    context = turns[:-1] if answered else turns
    return Response(
        id=name,
        system=system,
        dialogue=line.dialogue or name,
        turns=context,
        position=line.position,
        repeat=line.repeat,
        metadata=metadata,
        **(spoken(turns[-1].text) if answered else {"text": None, "missing": line.missing or NO_TEXT}),
        **_facts(line),
    )


def _facts(line: Line) -> dict[str, Any]:
    return {name: getattr(line, name) for name in ("emotion", "polarity", "situation", "reference")}


def write(path: Path, items: Iterable[Item]) -> int:
    """One line per dialogue or response."""
    return write_lines(path, (_plain(item) for item in items if isinstance(item, Dialogue | Response)))


def _plain(item: Dialogue | Response) -> dict[str, Any]:
    metadata = dict(item.metadata)
    prompt = metadata.pop("system_prompt", None) if isinstance(metadata.get("system_prompt"), str) else None
    turns = item.turns
    if isinstance(item, Response) and item.text is not None:
        turns = (*turns, Turn(role="listener", text=item.text))
    plain: dict[str, Any] = {"id": item.id, "messages": to_messages(turns, prompt)}
    names = ("emotion", "polarity", "situation", "reference", "dialogue", "position", "repeat", "missing")
    plain |= {name: value for name in names if (value := getattr(item, name, None))}
    if isinstance(item, Response):
        plain["model"] = item.system
    return plain | ({"metadata": metadata} if metadata else {})


def _recognise(head: Head) -> bool:
    return "messages" in keys(head) and not is_array(head)


CHAT = register(
    Format(
        name="chat",
        summary="chat JSON lines: messages with role and content, as most tools read and write them",
        read=read,
        recognise=_recognise,
        write=write,
        holds=HOLDS,
        suffixes=(".jsonl",),
    )
)
