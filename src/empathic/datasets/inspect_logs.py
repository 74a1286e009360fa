"""Logs of inspect_ai (`.eval` or JSON) become responses and ratings; its sample JSON lines ⇄ dialogues.

A sample of a log is one response of the model that was evaluated: the context is the messages before the model's last
one. Each score becomes a rating by `judge:inspect/SCORER`; a score that is not a number keeps its value in `raw`.
"""

from __future__ import annotations

import json
import sys
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from empathic import files
from empathic.datasets.arrays import split_member
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
from empathic.records import Dialogue, Json, Rating, Response, Turn

LABELS = ("emotion", "polarity", "situation")
HOLDS: Holds = {Dialogue: frozenset({"id", "turns", *LABELS, "reference", "metadata"})}
LARGEST = sys.float_info.max
HEADERS = ("header.json", "_journal/start.json")  # the second alone, if the evaluation was cut off
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError, ValueError)


class Score(msgspec.Struct, frozen=True):
    """One score of a sample."""

    value: Any
    answer: str | None = None
    explanation: str | None = None


class Output(msgspec.Struct, frozen=True):
    """What the model gave; only its name is needed, the text stands in the messages."""

    model: str = ""
    completion: str | None = None


class Sample(msgspec.Struct, frozen=True):
    """One sample of a log, or of a dataset (without messages)."""

    input: str | list[ChatMessage]
    id: str | int | None = None
    epoch: int = 1
    target: str | list[str] = ""
    messages: list[Any] = []
    output: Output | None = None
    scores: dict[str, Score] | None = None
    metadata: Json | None = None


class Eval(msgspec.Struct, frozen=True):
    """Of the evaluation: which model."""

    model: str
    task: str | None = None


class Header(msgspec.Struct, frozen=True):
    """The log without its samples."""

    eval: Eval


def read(source: Source) -> Iterator[Located]:
    """Responses and ratings of a log, dialogues of a dataset."""
    start = _start(source.path)
    if start.startswith(b"PK"):
        yield from _read_zip(source.path)
    elif {"eval", "version"} <= keys(Head(source.path, start)):
        yield from _read_json(source.path)
    else:
        yield from _read_samples(source.path)


def _start(path: Path) -> bytes:
    return next(files.blocks(path), b"") if not _is_zip(path) else b"PK"


def _is_zip(path: Path) -> bool:
    with files.open_binary(path) as stream:
        return stream.read(4) == b"PK\x03\x04"


def _read_zip(path: Path) -> Iterator[Located]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            known = next((name for name in HEADERS if name in names), HEADERS[0])
            header = files.decode(_clean(_member(archive, known, path), path), Header, path=path)
            samples = [name for name in names if name.startswith("samples/") and name.endswith(".json")]
            for number, name in enumerate(samples, 1):
                sample = _sample(_member(archive, name, path), path, number)
                yield from _items(sample, header, path, number)
    except KeyError as error:
        raise InputError("is no log of inspect_ai: it has no header.json", path=path) from error
    except _DAMAGE as error:
        hint = "try `inspect log convert --to json`"
        raise InputError(f"the archive cannot be read ({error or type(error).__name__}); {hint}", path=path) from error


def _member(archive: zipfile.ZipFile, name: str, path: Path) -> bytes:
    if archive.getinfo(name).file_size > files.LONGEST_LINE:
        raise InputError(f"'{name}' is longer than {files.LONGEST_LINE:,} bytes", path=path)
    return archive.read(name)


def _read_json(path: Path) -> Iterator[Located]:
    parts = split_member(path, "samples")
    line, start = next(parts)
    header = files.decode(_clean(start, path, line), Header, path=path, line=line)
    for line, data in parts:
        yield from _items(_sample(data, path, line), header, path, line)


def _sample(data: bytes, path: Path, line: int) -> Sample:
    return files.decode(_clean(data, path, line), Sample, path=path, line=line)


def _clean(data: bytes, path: Path, line: int | None = None) -> bytes:
    """The same in JSON: logs write the score of what is unscored, and metrics of it, as NaN, which is none."""
    if b"NaN" not in data and b"Infinity" not in data:
        return data
    try:
        return msgspec.json.encode(json.loads(data, parse_constant=str))
    except (ValueError, RecursionError) as error:
        raise InputError(f"is not readable as JSON: {error}", path=path, line=line) from error


def _read_samples(path: Path) -> Iterator[Located]:
    for number, line in files.lines(path):
        sample = files.decode(line, Sample, path=path, line=number)
        turns, metadata = _turns(sample, path, number)
        labels = {name: metadata.pop(name) for name in LABELS if isinstance(metadata.get(name), str)}
        dialogue = {"id": _name(sample, number), "turns": turns, "metadata": metadata, **labels}
        yield number, _checked({**dialogue, "reference": _target(sample)}, path, number)


def _checked(fields: Json, path: Path, line: int) -> Dialogue:
    try:
        return msgspec.convert(fields, Dialogue)
    except msgspec.ValidationError as error:
        raise InputError(str(error), path=path, line=line, field="metadata") from error


def _items(sample: Sample, header: Header, path: Path, line: int) -> Iterator[Located]:
    response = _response(sample, header, path, line)
    yield line, response
    for name, score in (sample.scores or {}).items():
        for item, value in _values(name, score):
            yield line, _rating(response, name, item, value, score)


def _response(sample: Sample, header: Header, path: Path, line: int) -> Response:
    turns, metadata = _turns(sample, path, line)
    answer = sample.output.completion if sample.output else None
    if sample.messages:
        turns, answer = _split(_conversation(sample, path, line), answer)
    return Response(
        id=f"{_name(sample, line)}-{sample.epoch}",
        system=header.eval.model,
        dialogue=_name(sample, line),
        turns=turns,
        repeat=sample.epoch - 1,
        position=sum(turn.role == "listener" for turn in turns),
        reference=_target(sample),
        metadata=metadata,
        **(spoken(answer) if answer is not None else {"text": None, "missing": NO_TEXT}),
    )


def _name(sample: Sample, line: int) -> str:
    return f"line-{line}" if sample.id is None else str(sample.id)


def _conversation(sample: Sample, path: Path, line: int) -> tuple[Turn, ...]:
    """The turns of the transcript; tool calls, their results and a model's reasoning are none."""
    kept = [_spoken_part(message) for message in sample.messages if isinstance(message, dict) and not _is_tool(message)]
    try:
        messages = msgspec.convert(kept, list[ChatMessage])
    except msgspec.ValidationError as error:
        raise InputError(str(error), path=path, line=line, field="messages") from error
    return to_turns(messages, path=path, line=line)[0]


def _is_tool(message: Json) -> bool:
    return message.get("role") == "tool" or bool(message.get("tool_calls") and not message.get("content"))


def _spoken_part(message: Json) -> Json:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    said = [part for part in content if not (isinstance(part, dict) and part.get("type") == "reasoning")]
    return {**message, "content": said}


def _split(turns: tuple[Turn, ...], answer: str | None) -> tuple[tuple[Turn, ...], str | None]:
    if turns[-1].role == "listener":
        return turns[:-1], turns[-1].text
    return turns, answer


def _turns(sample: Sample, path: Path, line: int) -> tuple[tuple[Turn, ...], Json]:
    metadata = dict(sample.metadata or {})
    if isinstance(sample.input, str):
        return (Turn(role="speaker", text=sample.input),), metadata
    turns, prompt = to_turns(sample.input, path=path, line=line)
    return turns, metadata if prompt is None else {**metadata, "system_prompt": prompt}


def _target(sample: Sample) -> str | None:
    target = sample.target if isinstance(sample.target, str) else "\n".join(sample.target)
    return target or None


def _values(name: str, score: Score) -> Iterator[tuple[str, Any]]:
    if isinstance(score.value, dict):
        yield from score.value.items()
    else:
        yield name, score.value


def _rating(response: Response, scorer: str, item: str, value: Any, score: Score) -> Rating:
    number = float(value) if isinstance(value, int | float) and abs(value) <= LARGEST else None
    return Rating(
        rater=f"judge:inspect/{scorer}",
        instrument=scorer,
        item=str(item),
        target=response.id,
        value=number,
        missing=None if number is not None else "the score is not a number",
        raw=None if number is not None else str(value),
        system=response.system,
        dialogue=response.dialogue,
        reason=score.explanation,
    )


def write(path: Path, items: Iterable[Item]) -> int:
    """Samples that inspect_ai's `json_dataset` reads, one per dialogue."""
    return write_lines(path, (_plain(item) for item in items if isinstance(item, Dialogue)))


def _plain(dialogue: Dialogue) -> dict[str, Any]:
    labels = {name: value for name in LABELS if (value := getattr(dialogue, name)) is not None}
    metadata = {**dialogue.metadata, **labels}
    prompt = metadata.pop("system_prompt", None) if isinstance(metadata.get("system_prompt"), str) else None
    plain: dict[str, Any] = {"id": dialogue.id, "input": to_messages(dialogue.turns, prompt)}
    return {**plain, "target": dialogue.reference or "", **({"metadata": metadata} if metadata else {})}


def _recognise(head: Head) -> bool:
    names = keys(head)
    if head.start.startswith(b"PK\x03\x04"):
        return head.suffix == ".eval"
    return {"eval", "version"} <= names or (not is_array(head) and {"input", "target"} <= names)


INSPECT = register(
    Format(
        name="inspect",
        summary="inspect_ai: logs (.eval, JSON) as responses and ratings; sample JSON lines as dialogues",
        read=read,
        recognise=_recognise,
        write=write,
        holds=HOLDS,
        suffixes=(".eval", ".json", ".jsonl"),
    )
)
