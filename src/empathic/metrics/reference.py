"""A table of word counts becomes the rarity of each word (NIDF): 0 the most frequent, 1 the rarest and the unseen."""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path

from empathic import files
from empathic.errors import InputError

BUILTIN = "builtin"
BUILTIN_NAME = "builtin-2026"  # changes when the table does


class Rarity(dict[str, float]):
    """Word → NIDF(w) = (ln max − ln c_w) / (ln max − ln min), See et al. (2019); unseen words → 1."""

    def __init__(self, counts: Mapping[str, float]) -> None:
        largest, smallest = math.log(max(counts.values())), math.log(min(counts.values()))
        span = (largest - smallest) or 1.0
        super().__init__({word: (largest - math.log(count)) / span for word, count in counts.items()})

    def __missing__(self, word: str) -> float:
        return 1.0


def load(reference: str, *, fold_case: bool) -> tuple[str, Rarity]:
    """The name of a reference (for the signature) and its rarities; `reference` is `builtin` or a file of counts."""
    if reference == BUILTIN:
        return BUILTIN_NAME, _builtin(fold_case)
    path = Path(reference)
    counts = _read(path)
    return f"{path.name}@{files.sha256(path)[:12]}", Rarity(_folded(counts) if fold_case else counts)


@lru_cache(maxsize=2)
def _builtin(fold_case: bool) -> Rarity:
    text = resources.files("empathic.metrics").joinpath("data", "reference_words.csv").read_text(encoding="utf-8")
    rows = csv.reader(text.splitlines()[1:])
    counts = {word: float(count) for word, count in rows}
    return Rarity(_folded(counts) if fold_case else counts)


def _read(path: Path) -> dict[str, float]:
    """`{"word": count}` as `empathic corpus build` writes it."""
    counts = files.read_json(path, dict[str, float])
    if not counts or min(counts.values()) <= 0:
        raise InputError('counts above zero are needed: {"word": 12, …}', path=path)
    return counts


def _folded(counts: Mapping[str, float]) -> dict[str, float]:
    folded: dict[str, float] = {}
    for word, count in counts.items():
        folded[word.lower()] = folded.get(word.lower(), 0) + count
    return folded
