"""The JSON of ESConv (Liu et al. 2021) ⇄ dialogues of a seeker (speaker) and a supporter (listener).

The strategy of a supporter's turn and the feedback of a seeker's are kept in `metadata["annotations"]`, one per turn.
The file has no ids: a dialogue is known by its place in the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from empathic import files
from empathic.datasets.arrays import split
from empathic.datasets.formats import Format, Head, Holds, Item, Located, Source, is_array, keys, register
from empathic.datasets.messages import role_of
from empathic.datasets.sinks import write_array
from empathic.errors import InputError
from empathic.records import Dialogue, Json, Turn

EXTRA = ("experience_type", "problem_type", "survey_score")
QUESTIONS = ("seeker_question1", "seeker_question2", "supporter_question1", "supporter_question2")
KEPT = (*EXTRA, *QUESTIONS, "annotations")
HOLDS: Holds = {Dialogue: frozenset({"turns", "emotion", "situation", *(f"metadata.{name}" for name in KEPT)})}


class Spoken(msgspec.Struct, frozen=True):
    """One turn."""

    speaker: str
    content: str
    annotation: Json = {}


class Conversation(msgspec.Struct, frozen=True):
    """One element of the file; whatever else it has is kept as metadata."""

    dialog: list[Spoken]
    emotion_type: str | None = None
    situation: str | None = None


_OWN = frozenset(Conversation.__struct_fields__)


def read(source: Source) -> Iterator[Located]:
    """One dialogue per element."""
    for index, (line, data) in enumerate(split(source.path)):
        found = files.decode(data, Conversation, path=source.path, line=line)
        if not found.dialog:
            raise InputError("is empty", path=source.path, line=line, field="dialog")
        extra = files.decode(data, dict[str, Any], path=source.path, line=line)
        yield line, _dialogue(index, found, extra, source.path, line)


def _dialogue(index: int, found: Conversation, extra: Json, path: Path, line: int) -> Dialogue:
    metadata = {name: value for name, value in extra.items() if name not in _OWN}
    if any(turn.annotation for turn in found.dialog):
        metadata["annotations"] = [turn.annotation for turn in found.dialog]
    turns = tuple(_turn(turn, place, path, line) for place, turn in enumerate(found.dialog))
    return Dialogue(
        id=f"esconv-{index}", turns=turns, emotion=found.emotion_type, situation=found.situation, metadata=metadata
    )


def _turn(turn: Spoken, place: int, path: Path, line: int) -> Turn:
    name = "seeker" if turn.speaker in ("usr", "seeker") else "supporter" if turn.speaker == "sys" else turn.speaker
    role = role_of(name, path=path, line=line, field=f"dialog[{place}].speaker")
    return Turn(role=role, text=turn.content)


def write(path: Path, items: Iterable[Item]) -> int:
    """One element per dialogue."""
    return write_array(path, (_plain(item) for item in items if isinstance(item, Dialogue)))


def _plain(dialogue: Dialogue) -> dict[str, Any]:
    names = {"speaker": "seeker", "listener": "supporter"}
    dialog = [
        {"speaker": names[turn.role], "annotation": annotation, "content": turn.text}
        for turn, annotation in zip(dialogue.turns, _annotations(dialogue), strict=True)
    ]
    kept = {name: dialogue.metadata[name] for name in (*EXTRA, *QUESTIONS) if name in dialogue.metadata}
    labels = {"emotion_type": dialogue.emotion, "situation": dialogue.situation}
    return {**{name: value for name, value in labels.items() if value is not None}, **kept, "dialog": dialog}


def _annotations(dialogue: Dialogue) -> list[Any]:
    given = dialogue.metadata.get("annotations")
    if isinstance(given, list) and len(given) == len(dialogue.turns) and all(isinstance(one, dict) for one in given):
        return given
    return [{} for _ in dialogue.turns]


def _recognise(head: Head) -> bool:
    return is_array(head) and {"dialog", "situation"} <= keys(head)


ESCONV = register(
    Format(
        name="esconv",
        summary="ESConv (Liu et al. 2021): emotional support conversations with strategies (JSON)",
        read=read,
        recognise=_recognise,
        write=write,
        holds=HOLDS,
        suffixes=(".json",),
    )
)
