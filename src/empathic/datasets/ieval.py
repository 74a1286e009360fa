"""The released JSON of iEval (Svikhnushina et al. 2022) becomes transcripts, responses, ratings and raters.

One element is one task: a worker talked with four chatbots about a positive and about a negative situation, three
exchanges each, answered nine Likert items (1–5) and sorted the bots into Bad, Okay or Good = 1, 2, 3. The bots are
released as colours; their names follow from the chat logs printed in the paper. A dialogue is one whole chat
(`conv_id#bot`); a response is one turn of a bot in it; the ratings are about the whole chat.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import msgspec

from empathic.datasets.arrays import elements
from empathic.datasets.formats import Format, Head, Item, Located, Source, is_array, keys, register, spoken
from empathic.errors import InputError
from empathic.records import Dialogue, Polarity, Rater, Rating, Record, Response, Role, Turn

BOTS = {"Pink": "MEED", "Purple": "Blender", "Yellow": "MIME", "Green": "Plain"}
LIKERT = ("P", "^P", "A", "^A", "EU", "ER", "L", "R", "S")
CARRIAGE_RETURN = "_x000D_"  # as a spreadsheet writes it into the worker's turns
Likert = Annotated[int, msgspec.Meta(ge=1, le=5)]
Rank = Annotated[int, msgspec.Meta(ge=1, le=3)]
Frequency = Annotated[int, msgspec.Meta(ge=0, le=4)]


class Chat(Record, frozen=True, rename={"not_p": "^P", "not_a": "^A"}):
    """One chat with one bot and what the worker said of it."""

    chat_log: str
    P: Likert
    not_p: Likert
    A: Likert
    not_a: Likert
    EU: Likert
    ER: Likert
    L: Likert
    R: Likert
    S: Likert
    Rating: Rank


class Context(Record, frozen=True):
    """The situation the worker was given, and the four chats about it."""

    conv_id: str
    emotion: str
    prompt: str
    Pink: Chat
    Purple: Chat
    Yellow: Chat
    Green: Chat


class Task(Record, frozen=True):
    """One task, done by one worker (workers have no ids; a task is not proof of a new person)."""

    part: int
    elapsed_sec: float
    elapsed_min: float
    TEQ_raw: list[Frequency]
    TEQ_agg: int
    positive: Context
    negative: Context


def read(source: Source) -> Iterator[Located]:
    """The records of the file, task by task."""
    for line, task in elements(source.path, Task):
        for item in _task(task, source.path, line):
            yield line, item


def turns_of(log: str) -> tuple[Turn, ...]:
    """`- hello\\n- hi` as turns, the worker first; a line break inside a turn is kept."""
    texts = log.replace(CARRIAGE_RETURN, "").removeprefix("- ").split("\n- ")
    roles: tuple[Role, Role] = ("speaker", "listener")
    return tuple(Turn(role=roles[place % 2], text=text) for place, text in enumerate(texts))


def _task(task: Task, path: Path, line: int) -> Iterator[Item]:
    if len(task.TEQ_raw) != 16:
        raise InputError(f"16 answers are needed, there are {len(task.TEQ_raw)}", path=path, line=line, field="TEQ_raw")
    rater = f"human:task-{task.part}"
    traits = {"part": task.part, "teq": task.TEQ_agg, "elapsed_sec": task.elapsed_sec, "elapsed_min": task.elapsed_min}
    yield Rater(id=rater, traits={**traits, "teq_raw": task.TEQ_raw})
    for number, answer in enumerate(task.TEQ_raw, 1):
        yield Rating(rater=rater, instrument="teq", item=str(number), target=rater, value=float(answer))
    for colour in BOTS:
        yield from _chat(task, task.positive, "positive", colour)
    for colour in BOTS:
        yield from _chat(task, task.negative, "negative", colour)


def _chat(task: Task, context: Context, polarity: Polarity, colour: str) -> Iterator[Item]:
    chat: Chat = getattr(context, colour)
    metadata = {"scenario": context.conv_id, "part": task.part, "system": BOTS[colour], "colour": colour}
    dialogue = Dialogue(
        id=f"{context.conv_id}#{BOTS[colour]}",
        turns=turns_of(chat.chat_log),
        emotion=context.emotion,
        polarity=polarity,
        situation=context.prompt,
        metadata=metadata,
    )
    yield dialogue
    yield from _responses(dialogue)
    yield from _ratings(f"human:task-{task.part}", dialogue, chat)


def _responses(dialogue: Dialogue) -> Iterator[Response]:
    for position, place in enumerate(range(1, len(dialogue.turns), 2)):
        yield Response(
            id=f"{dialogue.id}#{position}",
            system=dialogue.metadata["system"],
            dialogue=dialogue.id,
            turns=dialogue.turns[:place],
            position=position,
            emotion=dialogue.emotion,
            polarity=dialogue.polarity,
            situation=dialogue.situation,
            metadata=dialogue.metadata,
            **spoken(dialogue.turns[place].text),
        )


def _ratings(rater: str, dialogue: Dialogue, chat: Chat) -> Iterator[Rating]:
    given: dict[str, Any] = msgspec.to_builtins(chat)
    answers = [("ieval-likert", item, given[item]) for item in LIKERT] + [("bad-okay-good", "empathy", chat.Rating)]
    for instrument, item, value in answers:
        yield Rating(
            rater=rater,
            instrument=instrument,
            item=item,
            target=dialogue.id,
            value=float(value),
            system=dialogue.metadata["system"],
            dialogue=dialogue.id,
            condition=dialogue.polarity,
            metadata=dialogue.metadata,
        )


def _recognise(head: Head) -> bool:
    return is_array(head) and {"part", "TEQ_raw"} <= keys(head)


IEVAL = register(
    Format(
        name="ieval",
        summary="iEval (Svikhnushina et al. 2022): 1,920 chats of 240 workers with four chatbots, rated (JSON)",
        read=read,
        recognise=_recognise,
        suffixes=(".json",),
    )
)
