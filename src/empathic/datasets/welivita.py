"""The released table of Welivita & Pu (2024) becomes dialogues, responses of three conditions, ratings and raters.

One row is one dialogue, answered by a person (`human`), by GPT-4 (`chatgpt`) and by GPT-4 told what empathy is
(`chatgpt_empathy`), each judged by another rater: Bad, Okay or Good = 1, 2, 3. Each rater also filled the Toronto
Empathy Questionnaire, stored as 16 answers from −2 (never) to 2 (always); they become ratings of 0–4, unreversed.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeVar

import msgspec

from empathic.datasets.formats import Format, Head, Item, Located, Source, as_polarity, register, spoken
from empathic.datasets.rows import Row, rows
from empathic.errors import InputError
from empathic.records import Dialogue, Rater, Rating, Response, Turn

CONDITIONS = ("human", "chatgpt", "chatgpt_empathy")
_PER_CONDITION = ("annotator", "response", "rating", "empathy_propensity", "empathy_arr", "miti")
COLUMNS = (
    *("part_no", "dialog_id", "emotion", "sentiment", "plutchik", "situation", "speaker_uttr"),
    *(f"{name}_{condition}" for name in _PER_CONDITION for condition in CONDITIONS),
)
T = TypeVar("T")


def read(source: Source) -> Iterator[Located]:
    """The records of the table, row by row; a rater and his or her TEQ come with the first row that names them."""
    known: dict[str, tuple[str, str]] = {}
    for line, row in rows(source.path, need=COLUMNS):
        place = _Place(source.path, line, row)
        dialogue = _dialogue(place)
        yield line, dialogue
        for condition in CONDITIONS:
            yield line, (response := _response(place, dialogue, condition))
            yield line, _rating(place, response)
            for item in _rater(place, condition, known):
                yield line, item


class _Place(msgspec.Struct):
    """One row, and where it stands, to ask for cells."""

    path: Path
    line: int
    row: Row

    def text(self, column: str) -> str:
        return self.row[column]

    def json(self, column: str, type_: type[T]) -> T:
        """A cell that holds a number or a list, as written by Python."""
        try:
            return msgspec.json.decode(self.row[column].replace("'", '"'), type=type_)
        except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
            raise self.wrong(column, str(error).split(" - at")[0]) from error

    def wrong(self, column: str, what: str) -> InputError:
        what = f"{what} (the cell is {self.row[column][:60]!r})"
        return InputError(what, path=self.path, line=self.line, field=column)


def _dialogue(place: _Place) -> Dialogue:
    polarity = as_polarity(place.text("sentiment"))
    if polarity is None:
        raise place.wrong("sentiment", "should be positive or negative")
    return Dialogue(
        id=place.text("dialog_id"),
        turns=(Turn(role="speaker", text=place.text("speaker_uttr")),),
        emotion=place.text("emotion"),
        polarity=polarity,
        situation=place.text("situation"),
        reference=place.text("response_human"),
        metadata={"part": place.json("part_no", int), "plutchik": place.text("plutchik")},
    )


def _response(place: _Place, dialogue: Dialogue, condition: str) -> Response:
    return Response(
        id=f"{dialogue.id}#{condition}",
        system=condition,
        dialogue=dialogue.id,
        turns=dialogue.turns,
        reference=None if condition == "human" else dialogue.reference,
        emotion=dialogue.emotion,
        polarity=dialogue.polarity,
        situation=dialogue.situation,
        metadata={**dialogue.metadata, "miti": place.json(f"miti_{condition}", list[str])},
        **spoken(place.text(f"response_{condition}")),
    )


def _rating(place: _Place, response: Response) -> Rating:
    column = f"rating_{response.system}"
    value = place.json(column, int)
    if value not in (1, 2, 3):
        raise place.wrong(column, "should be 1, 2 or 3")
    return Rating(
        rater=_rater_id(place, response.system),
        instrument="bad-okay-good",
        item="empathy",
        target=response.id,
        value=float(value),
        system=response.system,
        dialogue=response.dialogue,
        condition=response.system,
        metadata={"part": response.metadata["part"]},
    )


def _rater(place: _Place, condition: str, known: dict[str, tuple[str, str]]) -> Iterator[Item]:
    """The rater and the TEQ at the first sight; later rows must say the same."""
    rater, arr, propensity = _rater_id(place, condition), f"empathy_arr_{condition}", f"empathy_propensity_{condition}"
    told = (place.text(arr), place.text(propensity))
    if known.get(rater, told) != told:
        raise place.wrong(arr, f"the rater '{rater}' has another questionnaire in an earlier row")
    if rater in known:
        return
    known[rater] = told
    answers = place.json(arr, list[int])
    if len(answers) != 16 or not all(-2 <= answer <= 2 for answer in answers):
        raise place.wrong(arr, "should be 16 answers from -2 to 2")
    traits = {"condition": condition, "part": place.json("part_no", int), "teq": place.json(propensity, int)}
    yield Rater(id=rater, traits={**traits, "teq_coded": answers})
    for number, answer in enumerate(answers, 1):
        yield Rating(rater=rater, instrument="teq", item=str(number), target=rater, value=float(answer + 2))


def _rater_id(place: _Place, condition: str) -> str:
    return f"human:{place.text(f'annotator_{condition}')}"


def _recognise(head: Head) -> bool:
    return b"annotator_human" in head.start[:2000] and b"empathy_arr_human" in head.start[:2000]


WELIVITA = register(
    Format(
        name="welivita",
        summary="Welivita & Pu (2024): a person and GPT-4 answer 2,000 dialogues, rated by 600 people (CSV)",
        read=read,
        recognise=_recognise,
        suffixes=(".csv",),
    )
)
