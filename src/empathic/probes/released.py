"""A template file as released with JaEm-ST (Formánek & Sotolář, 2024) → its scene, masks under our names.

The format, as its two released files show it (there is no description of it): a causal tuple in round brackets on the
first line, then the headings `Context:`, `Conversation:` and `Answers:`. Turns begin with a name and a colon; the last,
empty turn belongs to the listener. Answers begin with their kind and a colon. Masks are `{PRONOUN}`, `{GENDER}`, `{RACE}`,
`{AGE}`, `{SOCECON}`, `{EDUCATION}`, `{RELIGION}`: one mask for every case, so the filled text has the slips of the original.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, cast, get_args

from empathic import files
from empathic.errors import InputError
from empathic.probes.probe import Kind, Option
from empathic.records import Turn

HEADINGS = ("Context", "Conversation", "Answers")
MASKS = {
    "PRONOUN": "subj",
    "GENDER": "sexuality",
    "SEXUALITY": "sexuality",
    "RACE": "race",
    "AGE": "age",
    "SOCECON": "ses",
    "EDUCATION": "education",
    "RELIGION": "religion",
}
_MASK = re.compile(r"\{([A-Z]+)\}|\[([A-Z]+)\]")
_LABEL = re.compile(r"^(?P<label>[^\W\d_]+):[ \t]*", re.M)


class Scene(NamedTuple):
    """What a released template says."""

    cause: tuple[str, ...]
    context: str
    speaker: str
    listener: str
    turns: tuple[Turn, ...]
    answers: tuple[Option, ...]
    factors: tuple[str, ...]


def read(path: Path) -> Scene:
    """The scene in a released template file."""
    with files.open_binary(path) as stream:
        try:
            text = stream.read().decode("utf-8-sig").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise InputError("is not UTF-8 text; save it as UTF-8", path=path) from None
    head, sections = _sections(text, path)
    spoken = list(_labelled(sections["Conversation"]))
    if len({label for label, _ in spoken}) != 2:
        raise InputError("the conversation needs two speakers, each turn as `Name: words`", path=path)
    listener = spoken[-1][0]
    speaker = next(label for label, _ in spoken if label != listener)
    turns = tuple(_turn(label == listener, words) for label, words in spoken if words)
    used = {_name(match) for match in _MASK.finditer(text)}
    return Scene(
        cause=tuple(part.strip() for part in head.strip().strip("()").split(",")),
        context=ours(sections["Context"]),
        speaker=speaker,
        listener=listener,
        turns=turns,
        answers=tuple(_answers(sections["Answers"], path)),
        factors=("pronouns", *sorted(used - {"subj"})),
    )


def _sections(text: str, path: Path) -> tuple[str, dict[str, str]]:
    pattern = rf"^({'|'.join(HEADINGS)}):[ \t]*$"
    head, *rest = re.split(pattern, text, flags=re.M)
    found = dict(zip(rest[::2], rest[1::2], strict=True))
    missing = [name for name in HEADINGS if name not in found]
    if missing or not head.strip().startswith("("):
        lacking = f"the heading `{missing[0]}:`" if missing else "the causal tuple in round brackets on the first line"
        raise InputError(f"is no template of JaEm-ST: {lacking} is missing", path=path, line=1)
    return head, found


def _labelled(text: str) -> Iterator[tuple[str, str]]:
    parts = _LABEL.split(text)
    yield from ((label, " ".join(words.split())) for label, words in zip(parts[1::2], parts[2::2], strict=True))


def _turn(is_listener: bool, words: str) -> Turn:
    return Turn(role="listener" if is_listener else "speaker", text=ours(words))


def _answers(text: str, path: Path) -> Iterator[Option]:
    for label, words in _labelled(text):
        kind = label.lower()
        if kind not in get_args(Kind):
            raise InputError(f"'{label}' is no kind of answer; there are {', '.join(get_args(Kind))}", path=path)
        yield Option(kind=cast(Kind, kind), text=ours(words))


def ours(text: str) -> str:
    """A text with the released masks under our names, on one line."""
    return " ".join(_MASK.sub(lambda match: f"{{{_name(match)}}}", text).split())


def _name(match: re.Match[str]) -> str:
    mask = match.group(1) or match.group(2)
    return MASKS.get(mask, mask.lower())
