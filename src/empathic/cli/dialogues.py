"""A dataset's name or a file becomes dialogues."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from empathic import datasets, registry
from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Dialogue


def load(source: str, *, limit: int | None = None) -> list[Dialogue]:
    """The dialogues of a source, at most `limit`; an unreadable or empty source is an error that names it."""
    if limit is not None and limit < 1:
        raise SettingError(f"--limit {limit}: a number from 1 is needed.")
    names = [entry.name for entry in registry.entries("dataset")]
    if not Path(source).exists() and not Path(source).suffix and source not in names:
        raise UnknownName("dataset or file", source, names)
    found = list(itertools.islice((one for one in datasets.read(source) if isinstance(one, Dialogue)), limit))
    if not found:
        raise InputError("holds no dialogues to answer", path=source)
    return found


class Lazily:
    """The dialogues of a source, read when somebody goes through them."""

    def __init__(self, source: str) -> None:
        self.source = source

    def __iter__(self) -> Iterator[Dialogue]:
        return iter(load(self.source))
