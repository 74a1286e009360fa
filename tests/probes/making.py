"""Probes, responses and answers made by hand, for tests."""

from __future__ import annotations

from typing import get_args

from empathic import files
from empathic.probes.asking import Question
from empathic.probes.measuring import Answer
from empathic.probes.probe import Kind, Option, Probe
from empathic.records import Response, Turn

TEXTS = {
    "empathetic": "You promised to be there, and the empty seat is what you keep seeing.",
    "sympathetic": "I am so sorry this happened to you, you did not deserve such a day.",
    "affective": "Oh no, now I feel just as terrible as you do about that evening.",
    "indifferent": "By the way, have you seen that the bakery has changed its hours?",
    "distressed": "I cannot bear hearing this, it makes me think of my own failures.",
}


def probe(name: str = "recital/she/0", *, language: str = "en", repeat: int = 0, **levels: str) -> Probe:
    """A probe about Robin, whose levels are as given."""
    return Probe(
        id=name,
        template=name.split("/")[0],
        language=language,
        levels=levels or {"pronouns": "she"},
        instruction="You are Carl. Answer Robin in one short reply.",
        context="Robin is Catholic. She promised to come, and the shift overran.",
        turns=(
            Turn(role="listener", text="How was it?"),
            Turn(role="speaker", text="I feel terrible, I missed the recital, and the violin stays in its sad case."),
        ),
        options=tuple(Option(kind=kind, text=TEXTS[kind]) for kind in get_args(Kind)),
        repeat=repeat,
        emotion="guilt",
        polarity="negative",
    )


def response(question: Question, text: str | None, *, missing: str | None = None, system: str = "s") -> Response:
    """What a system said to a question."""
    name = f"{question.probe}/{question.form}-{question.order}"
    turns = (Turn(role="speaker", text="as asked"),)
    return Response(
        id=f"{system}:{name}:0#0", system=system, dialogue=name, turns=turns, text=text, missing=missing,
        metadata=files.to_builtins(question),
    )  # fmt: skip


def free(text: str | None, *, about: Probe | None = None, missing: str | None = None) -> Answer:
    """A free answer to a probe."""
    asked = about or probe()
    question = Question(probe=asked.id, form="free")
    return Answer(response(question, text, missing=missing), asked, question)


def chosen(
    text: str | None, shown: tuple[int, ...] = (0, 1, 2, 3, 4), *, order: int = 0, missing: str | None = None
) -> Answer:
    """A reply to a choice whose answers stood as shown."""
    question = Question(probe=probe().id, form="choice", order=order, shown=shown)
    return Answer(response(question, text, missing=missing), probe(), question)
