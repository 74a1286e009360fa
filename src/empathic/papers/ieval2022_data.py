"""The records of iEval's released file become arrays: tasks × chatbots × contexts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from empathic import datasets
from empathic.errors import InputError
from empathic.records import Dialogue, Json, Rater, Rating, Response

FILE = "ieval_data.json"
BOTS = ("MEED", "Blender", "MIME", "Plain")
CONTEXTS = ("positive", "negative")
TURNS = 3
Array = npt.NDArray[np.float64]


class Study(NamedTuple):
    """Everything the paper's numbers are made of."""

    raters: tuple[str, ...]
    traits: tuple[Json, ...]
    answers: dict[str, Array]  # item → tasks × bots × contexts
    responses: npt.NDArray[np.object_]  # tasks × bots × contexts × turns
    chats: dict[str, Dialogue]  # by id
    rated: dict[str, float]  # chat id → rating

    @property
    def rating(self) -> Array:
        """Bad 1, Okay 2, Good 3."""
        return self.answers["rating"]

    def long(self) -> tuple[dict[str, npt.NDArray[np.str_]], npt.NDArray[np.str_]]:
        """The factors and the block (task) of each value of an answer, flattened."""
        n = len(self.raters)
        factors = {
            "chatbot": np.tile(np.repeat(BOTS, len(CONTEXTS)), n),
            "context": np.tile(CONTEXTS, n * len(BOTS)),
        }
        return factors, np.repeat(self.raters, len(BOTS) * len(CONTEXTS))


def read(folder: Path) -> Study:
    """The study in `folder`/ieval_data.json."""
    path = folder / FILE if folder.is_dir() else folder
    if not path.is_file():
        raise InputError(f"there is no {FILE}; give the folder it lies in with --data", path=path)
    return collect(datasets.read(path, "ieval"))


def collect(records: Iterable[object]) -> Study:
    """The study from its records."""
    raters: dict[str, Rater] = {}
    ratings: list[Rating] = []
    responses: list[Response] = []
    chats: dict[str, Dialogue] = {}
    for record in records:
        if isinstance(record, Rater):
            raters[record.id] = record
        elif isinstance(record, Rating) and record.system:
            ratings.append(record)
        elif isinstance(record, Response):
            responses.append(record)
        elif isinstance(record, Dialogue):
            chats[record.id] = record
    place = {rater: number for number, rater in enumerate(raters)}
    answers, home, rated = _answers(ratings, place)
    traits = tuple(rater.traits for rater in raters.values())
    return Study(tuple(raters), traits, answers, _texts(responses, home, len(place)), chats, rated)


def _answers(
    ratings: list[Rating], place: dict[str, int]
) -> tuple[dict[str, Array], dict[str, tuple[int, int, int]], dict[str, float]]:
    shape = (len(place), len(BOTS), len(CONTEXTS))
    answers: dict[str, Array] = {}
    home: dict[str, tuple[int, int, int]] = {}
    rated: dict[str, float] = {}
    for rating in ratings:
        cell = (place[rating.rater], BOTS.index(str(rating.system)), CONTEXTS.index(str(rating.condition)))
        home[rating.target] = cell
        value = np.nan if rating.value is None else rating.value
        overall = rating.instrument == "bad-okay-good"
        answers.setdefault("rating" if overall else rating.item, np.full(shape, np.nan))[cell] = value
        if overall:
            rated[rating.target] = value
    return answers, home, rated


def _texts(responses: list[Response], home: dict[str, tuple[int, int, int]], tasks: int) -> npt.NDArray[np.object_]:
    texts = np.full((tasks, len(BOTS), len(CONTEXTS), TURNS), "", dtype=object)
    for response in responses:
        if response.position < TURNS:
            texts[(*home[response.dialogue], response.position)] = response.text or ""
    return texts
