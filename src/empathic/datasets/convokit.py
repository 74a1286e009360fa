"""A ConvoKit corpus folder (`utterances.jsonl`, `conversations.json`, …) ⇄ dialogues.

The utterances of a conversation must stand together. Who speaks first is the speaker, unless the utterances say a
`role` in their meta. Meta of the conversation is kept; `conversations.json` is one JSON object and is read whole, the
utterances are read as a stream.
"""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, get_args

import msgspec

from empathic import files
from empathic.datasets.formats import Format, Head, Holds, Item, Located, Source, as_polarity, keys, register
from empathic.datasets.messages import role_of
from empathic.datasets.sinks import write_lines
from empathic.errors import InputError, SettingError
from empathic.records import Dialogue, Json, Role, Turn

UTTERANCES, CONVERSATIONS = "utterances.jsonl", "conversations.json"
LABELS = ("emotion", "polarity", "situation", "reference")
HOLDS: Holds = {Dialogue: frozenset({"id", "turns", *LABELS, "metadata"})}


class Utterance(msgspec.Struct, frozen=True):
    """One line of the utterances; other keys (timestamp, vectors, reply-to) are passed over."""

    id: str
    speaker: str
    text: str
    conversation_id: str | None = None
    root: str | None = None  # what older corpora call conversation_id
    meta: Json | None = None

    @property
    def conversation(self) -> str:
        return self.conversation_id or self.root or self.id


class Conversation(msgspec.Struct, frozen=True):
    """One value of conversations.json."""

    meta: Json | None = None


def read(source: Source) -> Iterator[Located]:
    """One dialogue per conversation."""
    folder = source.path if source.path.is_dir() else source.path.parent
    path = folder / UTTERANCES if source.path.is_dir() else source.path
    conversations = _conversations(folder / CONVERSATIONS)
    for name, group in itertools.groupby(_utterances(path), key=lambda pair: pair[1].conversation):
        spoken = list(group)
        raw = conversations.get(name)
        meta = files.decode(bytes(raw), Conversation, path=folder / CONVERSATIONS).meta if raw is not None else None
        yield spoken[0][0], _dialogue(name, spoken, meta or {}, path)


def _utterances(path: Path) -> Iterator[tuple[int, Utterance]]:
    decoder = msgspec.json.Decoder(Utterance)
    for number, line in files.lines(path):
        try:
            yield number, decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            files.decode(line, Utterance, path=path, line=number)


def _conversations(path: Path) -> dict[str, msgspec.Raw]:
    return files.read_json(path, dict[str, msgspec.Raw]) if path.is_file() else {}


def _dialogue(name: str, spoken: list[tuple[int, Utterance]], meta: Json, path: Path) -> Dialogue:
    turns = tuple(Turn(role=role, text=one.text) for role, (_, one) in zip(_roles(spoken, path), spoken, strict=True))
    labels = {label: value for label in LABELS if isinstance(value := meta.get(label), str)}
    rest = {key: value for key, value in meta.items() if key not in labels}
    polarity = as_polarity(labels.pop("polarity", None))
    return Dialogue(id=name, turns=turns, polarity=polarity, metadata=rest, **labels)


def _roles(spoken: list[tuple[int, Utterance]], path: Path) -> list[Role]:
    people = list(dict.fromkeys(one.speaker for _, one in spoken))
    roles: list[Role] = []
    for line, one in spoken:
        told = (one.meta or {}).get("role")
        if isinstance(told, str):
            roles.append(role_of(told, path=path, line=line, field="meta.role"))
        elif one.speaker in people[:2]:
            roles.append("speaker" if one.speaker == people[0] else "listener")
        else:
            what = f"conversation '{one.conversation[:80]}' has more than two speakers; a dialogue has two"
            raise InputError(what, path=path, line=line, field="speaker")
    return roles


def write(path: Path, items: Iterable[Item]) -> int:
    """A corpus folder that ConvoKit loads; written beside `path` and moved there when all went well."""
    if path.exists():
        raise SettingError(f"{path} is there already. Choose another folder or remove it first.")
    path.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part"))
    try:
        count = _write(folder, items)
        folder.chmod(0o755)
        os.replace(folder, path)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return count


def _write(folder: Path, items: Iterable[Item]) -> int:
    with _Metas(folder / CONVERSATIONS) as metas:
        write_lines(folder / UTTERANCES, metas.utterances(items))
    files.write_json(folder / "speakers.json", {role: {"meta": {}, "vectors": []} for role in get_args(Role)})
    files.write_json(folder / "corpus.json", {})
    index = {"utterances-index": {"role": ["<class 'str'>"]}, "speakers-index": {}, "conversations-index": {}}
    files.write_json(folder / "index.json", {**index, "overall-index": {}, "version": 1, "vectors": []})
    return metas.count


class _Metas:
    """Writes conversations.json, an object, while the utterances go by."""

    def __init__(self, path: Path) -> None:
        self.stream, self.count = path.open("wb"), 0

    def __enter__(self) -> _Metas:
        self.stream.write(b"{")
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.write(b"}\n")
        self.stream.close()

    def utterances(self, items: Iterable[Item]) -> Iterator[dict[str, Any]]:
        for item in items:
            if isinstance(item, Dialogue):
                self._put(item)
                yield from _plain(item)

    def _put(self, dialogue: Dialogue) -> None:
        labels = {label: value for label in LABELS if (value := getattr(dialogue, label)) is not None}
        value = {"meta": {**dialogue.metadata, **labels}, "vectors": []}
        start = b",\n" if self.count else b"\n"
        self.stream.write(start + msgspec.json.encode(dialogue.id) + b":" + msgspec.json.encode(value))
        self.count += 1


def _plain(dialogue: Dialogue) -> Iterator[dict[str, Any]]:
    """ConvoKit names a conversation by its first utterance."""
    before = None
    for place, turn in enumerate(dialogue.turns):
        name = dialogue.id if place == 0 else f"{dialogue.id}#{place}"
        known = {"id": name, "conversation_id": dialogue.id, "text": turn.text, "speaker": turn.role}
        yield {**known, "meta": {"role": turn.role}, "reply-to": before, "timestamp": None, "vectors": []}
        before = name


def _recognise(head: Head) -> bool:
    if head.path.is_dir():
        return (head.path / UTTERANCES).is_file()
    return {"speaker", "text"} <= keys(head) and bool(keys(head) & {"conversation_id", "root"})


CONVOKIT = register(
    Format(
        name="convokit",
        summary="a ConvoKit corpus folder: utterances of conversations with their meta",
        read=read,
        recognise=_recognise,
        write=write,
        holds=HOLDS,
    )
)
