"""The released table of Welivita & Pu (2024) becomes the arrays of their analysis: per dialogue, group and rater."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from empathic import datasets
from empathic.errors import InputError
from empathic.records import Dialogue, Rater, Rating, Response

TITLES = {"human": "Human", "chatgpt": "GPT-4 (vanilla)", "chatgpt_empathy": "GPT-4 (empathy-defined)"}
FILE = "dataset_and_ratings.csv"
TIMES = "demographics_of_workers"  # a folder of the authors' repository, not part of every copy
Floats = NDArray[np.float64]
Words = NDArray[np.str_]


class Study(NamedTuple):
    """Columns over the 2,000 dialogues, and per group the raters with their questionnaires."""

    dialogues: Words
    emotions: Words
    polarities: Words
    parts: NDArray[np.int_]
    prompts: tuple[str, ...]
    texts: dict[str, tuple[str, ...]]  # group → response to each dialogue
    labels: dict[str, tuple[list[str], ...]]  # group → MITI labels of each response
    ratings: dict[str, Floats]
    raters: dict[str, Words]
    people: dict[str, dict[str, Any]]  # rater → traits
    answers: dict[str, Floats]  # rater → 16 TEQ answers, 0 to 4, not reversed
    seconds: Floats | None  # completion times, where the folder has them

    def chosen(self, polarity: str) -> NDArray[np.bool_]:
        """Which dialogues belong to `all`, `positive` or `negative`."""
        return np.full(len(self.dialogues), True) if polarity == "all" else self.polarities == polarity

    def long(self, keep: NDArray[np.bool_] | None = None, groups: tuple[str, ...] = tuple(TITLES)) -> dict[str, Any]:
        """The ratings of these dialogues and groups as parallel arrays: values, groups, raters, items, parts."""
        rows = np.full(len(self.dialogues), True) if keep is None else keep
        return {
            "values": np.concatenate([self.ratings[g][rows] for g in groups]),
            "groups": np.repeat([list(TITLES).index(g) for g in groups], int(rows.sum())),
            "raters": np.concatenate([self.raters[g][rows] for g in groups]),
            "items": np.tile(self.dialogues[rows], len(groups)),
            "parts": np.tile(self.parts[rows], len(groups)),
        }

    def rater_means(self, group: str) -> tuple[list[str], Floats, Floats]:
        """Each rater of a group (in order of id) with the mean rating and the TEQ total."""
        names, places = np.unique(self.raters[group], return_inverse=True)
        means = np.bincount(places, self.ratings[group]) / np.bincount(places)
        return names.tolist(), means, np.array([float(self.people[name]["teq"]) for name in names.tolist()])


def load(folder: Path) -> Study:
    """Read the released file in `folder` (and completion times, if they are there)."""
    path = folder / FILE if folder.is_dir() else folder
    if not path.is_file():
        raise InputError(f"holds no {FILE}; give the folder with the released data: --data DIR", path=folder)
    records = list(datasets.read(path, "welivita"))
    dialogues = [record for record in records if isinstance(record, Dialogue)]
    responses = {record.id: record for record in records if isinstance(record, Response)}
    ratings = {r.target: r for r in records if isinstance(r, Rating) and r.instrument == "bad-okay-good"}
    people = {record.id: dict(record.traits) for record in records if isinstance(record, Rater)}
    ids = {group: [f"{dialogue.id}#{group}" for dialogue in dialogues] for group in TITLES}
    return Study(
        dialogues=np.array([dialogue.id for dialogue in dialogues]),
        emotions=np.array([dialogue.emotion for dialogue in dialogues]),
        polarities=np.array([dialogue.polarity for dialogue in dialogues]),
        parts=np.array([dialogue.metadata["part"] for dialogue in dialogues]),
        prompts=tuple(dialogue.turns[0].text for dialogue in dialogues),
        texts={g: tuple(responses[i].text or "" for i in ids[g]) for g in TITLES},
        labels={g: tuple(responses[i].metadata["miti"] for i in ids[g]) for g in TITLES},
        ratings={g: np.array([ratings[i].value for i in ids[g]], float) for g in TITLES},
        raters={g: np.array([ratings[i].rater for i in ids[g]]) for g in TITLES},
        people=people,
        answers=_answers(records),
        seconds=_seconds(path.parent / TIMES),
    )


def _answers(records: list[Any]) -> dict[str, Floats]:
    found: dict[str, dict[int, float]] = {}
    for record in records:
        if isinstance(record, Rating) and record.instrument == "teq" and record.value is not None:
            found.setdefault(record.rater, {})[int(record.item)] = record.value
    return {rater: np.array([sheet[item] for item in sorted(sheet)]) for rater, sheet in found.items()}


def _seconds(folder: Path) -> Floats | None:
    """`Time taken` of every row of the platform's exports."""
    if not folder.is_dir():
        return None
    taken: list[float] = []
    for path in sorted(folder.glob("*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as stream:
            rows = list(csv.DictReader(stream))
        if rows and "Time taken" not in rows[0]:
            raise InputError("has no column 'Time taken'", path=path, line=1)
        taken += [float(row["Time taken"]) for row in rows if row["Time taken"]]
    return np.array(taken) if taken else None
