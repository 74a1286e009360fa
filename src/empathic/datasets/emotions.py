"""The 32 emotions of EmpatheticDialogues become positive or negative, as in Welivita & Pu (2024), Table 6."""

from __future__ import annotations

import functools
from pathlib import Path

from empathic.datasets.formats import as_polarity
from empathic.datasets.rows import rows
from empathic.records import Polarity

TABLE = Path(__file__).parent / "emotions.csv"


@functools.cache
def emotions() -> dict[str, Polarity]:
    """Emotion → polarity: 14 positive, 18 negative."""
    known = ((row["emotion"], as_polarity(row["polarity"])) for _, row in rows(TABLE, need=("emotion", "polarity")))
    return {emotion: polarity for emotion, polarity in known if polarity is not None}


def polarity_of(emotion: str | None) -> Polarity | None:
    """The polarity of an emotion; None if it is none of the 32."""
    return emotions().get((emotion or "").strip().lower())
