"""A small file in the shape of the released table of Welivita & Pu (2024), with made-up content."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

GROUPS = ("human", "chatgpt", "chatgpt_empathy")


def write(folder: Path, *, parts: int = 8, each: int = 3, seed: int = 0) -> Path:
    """Write `dataset_and_ratings.csv` with `parts` × `each` dialogues."""
    random = np.random.default_rng(seed)
    rows = [_row(random, part, place) for part in range(parts) for place in range(each)]
    sheets = {(part, group): _sheet(random) for part in range(parts) for group in GROUPS}
    for row in rows:
        for group in GROUPS:
            row[f"empathy_arr_{group}"], row[f"empathy_propensity_{group}"] = sheets[row["part_no"], group]
    path = folder / "dataset_and_ratings.csv"
    with path.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def _row(random: np.random.Generator, part: int, place: int) -> dict[str, object]:
    emotion, sentiment = ("joyful", "positive") if (part + place) % 2 else ("sad", "negative")
    row: dict[str, object] = {
        "part_no": part, "dialog_id": f"d{part}-{place}", "emotion": emotion, "sentiment": sentiment,
        "plutchik": "joy", "situation": "It was my birthday.", "speaker_uttr": "I got a cake. It was good!",
    }  # fmt: skip
    for group in GROUPS:
        row[f"annotator_{group}"] = f"r{part}{group}"
        row[f"response_{group}"] = "That is nice. Enjoy it!"
        row[f"rating_{group}"] = int(random.integers(1, 4))
        row[f"miti_{group}"] = (
            "['Affirm', 'Advise without Permission']" if random.random() < 0.5 else "['Affirm', 'Support']"
        )
    return row


def _sheet(random: np.random.Generator) -> tuple[str, int]:
    answers = random.integers(-2, 3, 16)
    signs = np.ones(16)
    signs[[1, 3, 6, 9, 10, 11, 13, 14]] = -1
    return str(answers.tolist()), int(32 + (signs * answers).sum())
