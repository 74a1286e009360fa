"""A dataset's name or a file becomes dialogues."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from empathic import datasets, registry
from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Dialogue


def load(source: str, *, limit: int | None = None, per_emotion: int | None = None) -> list[Dialogue]:
    """The dialogues of a source, at most `limit`; an unreadable or empty source is an error that names it."""
    for flag, number in (("--limit", limit), ("--per-emotion", per_emotion)):
        if number is not None and number < 1:
            raise SettingError(f"{flag} {number}: a number from 1 is needed.")
    names = [entry.name for entry in registry.entries("dataset")]
    if not Path(source).exists() and not Path(source).suffix and source not in names:
        raise UnknownName("dataset or file", source, names)
    every = (one for one in datasets.read(source) if isinstance(one, Dialogue))
    found = list(itertools.islice(_spread(every, per_emotion), limit))
    if not found:
        raise InputError("holds no dialogues to answer", path=source)
    return found


def _spread(every: Iterable[Dialogue], per_emotion: int | None) -> Iterator[Dialogue]:
    """The first few of each emotion; all of them without a number."""
    seen: Counter[str | None] = Counter()
    for dialogue in every:
        seen[dialogue.emotion] += 1
        if per_emotion is None or seen[dialogue.emotion] <= per_emotion:
            yield dialogue


class Lazily:
    """The dialogues of a source, read when somebody goes through them."""

    def __init__(self, source: str) -> None:
        self.source = source

    def __iter__(self) -> Iterator[Dialogue]:
        return iter(load(self.source))
