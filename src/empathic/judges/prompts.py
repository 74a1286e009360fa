"""A versioned prompt file, an instrument and a subject become the messages a judge is sent."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import NamedTuple

import msgspec

from empathic import registry
from empathic.contracts import Message, Subject
from empathic.errors import InputError
from empathic.files import content_hash, open_binary
from empathic.judges.transcripts import PLAIN, SWAPS, Labels, code, lines
from empathic.records import Instrument, Item, Point, Record

FOLDER = Path(__file__).parent / "prompts"
DEFAULT = "judge-observer"


class Prompt(Record, frozen=True):
    """The words around a questionnaire, with $places for what changes."""

    id: str
    version: int
    title: str
    system: str
    user: str
    perspectives: Mapping[str, str]
    focus: Mapping[str, str]


class Layout(NamedTuple):
    """In which order the items are shown and what the two sides are called."""

    items: tuple[Item, ...]
    labels: Labels


def read(path: Path) -> Prompt:
    """The prompt in a TOML file."""
    with open_binary(path) as stream:
        data = stream.read()
    try:
        return msgspec.convert(tomllib.loads(data.decode()), Prompt)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InputError(f"is no prompt for judges: {error}", path=path) from None


def register(path: Path) -> Prompt:
    """Read a prompt and put it under its name."""
    prompt = read(path)
    registry.register("prompt", prompt.id, version=prompt.version, summary=prompt.title)(prompt)
    return prompt


def layout(instrument: Instrument, subject: Subject, *, permute: bool, repeat: int, seed: int) -> Layout:
    """The published order and plain names; permuted, an order and names drawn anew for each subject and repeat."""
    if not permute:
        return Layout(instrument.items, PLAIN)
    drawn = random.Random(content_hash([seed, repeat, instrument.id, subject.target]))
    items = list(instrument.items)
    drawn.shuffle(items)
    return Layout(tuple(items), drawn.choice(SWAPS))


def messages(prompt: Prompt, instrument: Instrument, subject: Subject, shown: Layout) -> tuple[Message, ...]:
    """What the judge is sent about one subject."""
    places = _places(prompt, instrument, subject, shown)
    system, user = (Template(text).substitute(places).strip() for text in (prompt.system, prompt.user))
    return Message(role="system", content=system), Message(role="user", content=user)


def _places(prompt: Prompt, instrument: Instrument, subject: Subject, shown: Layout) -> dict[str, str]:
    names = {"speaker": shown.labels.speaker, "listener": shown.labels.listener}
    rated = ", ".join(str(place + 1) for place in subject.rated)
    everything = len(subject.rated) == sum(turn.role == "listener" for turn in subject.turns)
    return {
        **names,
        "instruction": instrument.instruction,
        "perspective": Template(prompt.perspectives[instrument.perspective]).substitute(names),
        "focus": Template(prompt.focus["all" if everything else "some"]).substitute(names, rated=rated),
        "code": code(subject),
        "transcript": lines(subject, shown.labels),
        "count": str(len(shown.items)),
        "items": "\n".join(_item(instrument, item) for item in shown.items),
        "ids": ", ".join(f'"{item.id}"' for item in shown.items),
    }


def points(instrument: Instrument, item: Item) -> Sequence[Point]:
    """The points an item is answered on."""
    return instrument.points if item.points is None else item.points


def _item(instrument: Instrument, item: Item) -> str:
    title = f" {item.title}." if item.title else ""
    help_ = f" {item.help}" if item.help else ""
    scale = ", ".join(
        f"{point.value:g} ({point.label})" if point.label else f"{point.value:g}" for point in points(instrument, item)
    )
    return f'- "{item.id}":{title} {item.text.rstrip(".")}.{help_} Points: {scale}.'
