"""The labelled pairs of the project become records: a prompt, a response, and the levels people wrote it to have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from empathic import files
from empathic.metrics.batch import Batch
from empathic.records import Record, Response, Turn

PAIRS = Path(__file__).parent / "pairs.jsonl"


class Pair(Record, frozen=True):
    """One prompt and one response with their levels (see docs/mechanisms.md for the label scheme)."""

    id: str
    prompt: str
    response: str
    er: int
    ip: int
    ex: int
    reflection: float
    kind: str
    split: Literal["train", "test"]


def read_pairs(split: str | None = None, path: Path = PAIRS) -> list[Pair]:
    """All pairs, or those of one split."""
    return [pair for pair in files.read_lines(path, Pair) if split in (None, pair.split)]


def as_batch(prompts: Sequence[str], texts: Sequence[str]) -> Batch:
    """Prompts and responses as a batch to be scored."""
    return Batch(
        [
            Response(
                id=str(place), system="", dialogue=str(place), turns=(Turn(role="speaker", text=prompt),), text=text
            )
            for place, (prompt, text) in enumerate(zip(prompts, texts, strict=True))
        ]
    )
