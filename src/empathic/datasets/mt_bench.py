"""MT-bench files ⇄ responses: `model_answer/MODEL.jsonl` and, beside or above it, `question.jsonl`.

An answer line gives one response per choice and turn. What was asked stands in `question.jsonl`, looked for in the
same folder and the one above; without it the responses have no context, and their metadata says so. A question file
itself becomes dialogues of the speaker's turns.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from empathic import files
from empathic.datasets.formats import Format, Head, Holds, Item, Located, Source, is_array, keys, register, spoken
from empathic.datasets.sinks import write_lines
from empathic.errors import InputError
from empathic.records import Dialogue, Json, Response, Turn

QUESTIONS = "question.jsonl"
NO_CONTEXT = "question.jsonl was not found beside the answers"
HOLDS: Holds = {Response: frozenset({"system", "dialogue", "text", "position", "repeat", "metadata.answer_id"})}
MOST_TURNS = 10_000
Number = int | str


class Question(msgspec.Struct, frozen=True):
    """One line of the question file."""

    question_id: Number
    turns: list[str]
    category: str | None = None
    reference: list[str] | None = None


class Choice(msgspec.Struct, frozen=True):
    """One of several answers to all turns of a question."""

    turns: list[str]
    index: int = 0


class Answer(msgspec.Struct, frozen=True):
    """One line of an answer file."""

    question_id: Number
    model_id: str
    choices: list[Choice]
    answer_id: str | None = None
    tstamp: float | None = None


def read(source: Source) -> Iterator[Located]:
    """Responses of an answer file, dialogues of a question file."""
    questions: dict[str, Question] | None = None
    for number, line in files.lines(source.path):
        if b'"choices"' in line:
            questions = _questions(source.path) if questions is None else questions
            answer = files.decode(line, Answer, path=source.path, line=number)
            for response in _responses(answer, questions.get(str(answer.question_id))):
                yield number, response
        else:
            yield number, _dialogue(files.decode(line, Question, path=source.path, line=number), source.path, number)


def _questions(path: Path) -> dict[str, Question]:
    for folder in (path.parent, path.parent.parent):
        place = folder / QUESTIONS
        if place.is_file() and place != path:
            return {str(question.question_id): question for question in files.read_lines(place, Question)}
    return {}


def _dialogue(question: Question, path: Path, line: int) -> Dialogue:
    if not question.turns:
        raise InputError("is empty", path=path, line=line, field="turns")
    metadata: Json = {} if question.category is None else {"category": question.category}
    if question.reference is not None:
        metadata["references"] = question.reference
    turns = tuple(Turn(role="speaker", text=text) for text in question.turns)
    return Dialogue(id=str(question.question_id), turns=turns, metadata=metadata)


def _responses(answer: Answer, question: Question | None) -> Iterator[Response]:
    metadata: Json = {} if answer.answer_id is None else {"answer_id": answer.answer_id}
    metadata |= {} if answer.tstamp is None else {"tstamp": answer.tstamp}
    if question is None:
        metadata["context_missing"] = NO_CONTEXT
    elif question.category is not None:
        metadata["category"] = question.category
    for choice in answer.choices:
        for position, text in enumerate(choice.turns):
            yield Response(
                id=f"{answer.model_id}-{answer.question_id}-{choice.index}-{position}",
                system=answer.model_id,
                dialogue=str(answer.question_id),
                turns=_context(question, choice, position),
                position=position,
                repeat=choice.index,
                metadata=metadata,
                **spoken(text),
            )


def _context(question: Question | None, choice: Choice, position: int) -> tuple[Turn, ...]:
    if question is None or position >= len(question.turns):
        return ()
    before = zip(question.turns[:position], choice.turns[:position], strict=True)
    pairs = [(Turn(role="speaker", text=asked), Turn(role="listener", text=said)) for asked, said in before]
    return (*itertools.chain.from_iterable(pairs), Turn(role="speaker", text=question.turns[position]))


def write(path: Path, items: Iterable[Item]) -> int:
    """One line per run of responses of one system to one dialogue; returns the number of responses."""
    counted = _Counter()
    responses = (item for item in items if isinstance(item, Response))
    groups = itertools.groupby(responses, key=lambda response: (response.system, response.dialogue))
    write_lines(path, (counted.answer(system, dialogue, list(group)) for (system, dialogue), group in groups))
    return counted.responses


class _Counter:
    """Builds answer lines and counts what went into them."""

    def __init__(self) -> None:
        self.responses = 0

    def answer(self, system: str, dialogue: str, responses: list[Response]) -> dict[str, Any]:
        self.responses += len(responses)
        choices: dict[int, list[Response]] = {}
        for response in responses:
            choices.setdefault(response.repeat, []).append(response)
        kept = {name: responses[0].metadata[name] for name in ("answer_id",) if name in responses[0].metadata}
        listed = [{"index": index, "turns": _texts(choices[index])} for index in sorted(choices)]
        return {"question_id": dialogue, **kept, "model_id": system, "choices": listed}


def _texts(responses: list[Response]) -> list[str]:
    places = {response.position: response.text or "" for response in responses}
    if max(places) >= MOST_TURNS:
        raise InputError(f"a dialogue has at most {MOST_TURNS:,} turns here, not {max(places):,}", field="position")
    return [places.get(position, "") for position in range(max(places) + 1)]


def _recognise(head: Head) -> bool:
    names = keys(head)
    return not is_array(head) and "question_id" in names and bool(names & {"choices", "turns"})


MT_BENCH = register(
    Format(
        name="mt-bench",
        summary="MT-bench: model answers with their questions (JSON lines)",
        read=read,
        recognise=_recognise,
        write=write,
        holds=HOLDS,
        suffixes=(".jsonl",),
    )
)
