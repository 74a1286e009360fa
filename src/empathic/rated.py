"""Ratings of responses, by people or judges, become columns beside the scores: `rating.INSTRUMENT.item`.

Stands with `profile` above the rooms. A response rated by several raters counts once, with their mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from empathic import files
from empathic.records import Rating, Response
from empathic.statistics.systems import Scores

RATINGS, RESPONSES = "ratings.jsonl", "responses.jsonl"
Means = Mapping[tuple[str, Any], float]


def with_ratings(found: Sequence[Scores], folder: Path) -> list[Scores]:
    """The scores with a column for each rated item, missing where a response was not rated; without ratings, as is."""
    if not (folder / RATINGS).is_file():
        return list(found)
    means = _means(folder)
    names = list(dict.fromkeys(name for name, _ in means))
    return [_extended(scores, names, means) for scores in found]


def _means(folder: Path) -> Means:
    """(column, (system, place)) → mean rating."""
    places = {
        each.id: (each.system, (each.dialogue, each.position, each.repeat))
        for each in files.read_lines(folder / RESPONSES, Response)
    }
    values: dict[tuple[str, Any], list[float]] = defaultdict(list)
    for rating in files.read_lines(folder / RATINGS, Rating):
        if rating.value is not None and rating.target in places:
            values[f"rating.{rating.instrument}.{rating.item}", places[rating.target]].append(rating.value)
    return {key: sum(each) / len(each) for key, each in values.items()}


def _extended(scores: Scores, names: Sequence[str], means: Means) -> Scores:
    rated = {
        name: np.array([means.get((name, (scores.system, place)), np.nan) for place in scores.places], dtype=float)
        for name in names
    }
    return scores._replace(columns={**scores.columns, **rated})
