"""Affect lexicons by name: the two that come with the package, and those a user adds.

A user's lexicon is checked and its file kept under the per-user data folder, so that a metric can name it.
"""

from __future__ import annotations

import functools
import importlib.util
import os
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from empathic import registry
from empathic.errors import MissingPart, SettingError
from empathic.metrics.lexicons.reading import EMOTIONS, Lexicon, emotion_scale, read

__all__ = [
    "EMOTIONS",
    "Lexicon",
    "Lexicons",
    "Source",
    "add",
    "added_folder",
    "emotion_scale",
    "find",
    "load_added",
    "read",
]

AFFECT = Path(__file__).parent / "affect.csv"


class Source(NamedTuple):
    """A lexicon that is read when it is first asked for."""

    name: str
    path: Path | None  # None: inside the package vaderSentiment

    def load(self) -> Lexicon:
        """The lexicon, read once."""
        return _load(self.name, self.path or _vader_path())


class Lexicons(NamedTuple):
    """One or more lexicons asked as one: a scale is taken from the first that has it."""

    parts: tuple[Lexicon, ...]

    @property
    def label(self) -> str:
        return "+".join(part.label for part in self.parts)

    def scale(self, *names: str) -> Mapping[str, float]:
        """The words of the first of these scales that there is; empty if there is none."""
        found = (part.scales[name] for name in names for part in self.parts if name in part.scales)
        return next(found, {})


def find(names: str) -> Lexicons:
    """The lexicons of `vader+affect`: registered names, or paths of files."""
    return Lexicons(tuple(_find(name) for name in names.split("+")))


def _find(name: str) -> Lexicon:
    path = Path(name)
    if path.suffix and path.is_file():
        return _load(path.stem, path)
    source: Source = registry.find("lexicon", name).thing
    return source.load()


def added_folder() -> Path:
    """Where a user's own lexicons are kept."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "empathic" / "lexicons"


def add(path: Path, *, name: str | None = None) -> Lexicon:
    """Check a lexicon file and keep a copy, so that every later command knows it."""
    lexicon = read(path, name=name)
    if lexicon.name in ("affect", "vader"):
        raise SettingError(f"'{lexicon.name}' comes with the package. Give yours another name: --name mine")
    target = added_folder() / f"{lexicon.name}{path.suffix or '.txt'}"
    _register(Source(lexicon.name, target), lexicon.title)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(path.read_bytes())
    return lexicon


def load_added() -> None:
    """Register the lexicons that were added by `empathic lexicon add`."""
    for path in sorted(added_folder().glob("*.*")):
        _register(Source(path.stem, path), f"added by you, from {path}")


def _register(source: Source, summary: str) -> None:
    entries = [entry for entry in registry.entries("lexicon") if entry.name == source.name]
    if not entries:
        registry.register("lexicon", source.name, summary=summary)(source)


@functools.cache
def _load(name: str, path: Path) -> Lexicon:
    return read(path, name=name)


def _vader_path() -> Path:
    spec = importlib.util.find_spec("vaderSentiment")
    if spec is None or spec.origin is None:
        raise MissingPart("The lexicon 'vader' needs the package vaderSentiment. Type: pip install vaderSentiment")
    return Path(spec.origin).with_name("vader_lexicon.txt")


_register(Source("affect", AFFECT), "7,399 everyday words: valence, arousal, dominance, intensity, emotion (CC0)")
_register(Source("vader", None), "VADER's 7,500 tokens with sentiment, as valence 0…1 (MIT)")
