"""A probe becomes what a system is asked: once to answer freely, and to choose an answer once per order of the options.

Free: instruction and context open the conversation, which then follows turn by turn. Choice:
one message with instruction, context, the conversation as a transcript, the lettered answers and the question.
"""

from __future__ import annotations

import functools
import importlib.resources
import string
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from empathic import files
from empathic.contracts import Reply, Request
from empathic.errors import InputError, UnknownName
from empathic.probes.orders import Order, orders, single
from empathic.probes.probe import KEYED, Option, Probe
from empathic.records import Dialogue, Record, Response, Turn

Form = Literal["free", "choice"]
LETTERS = string.ascii_uppercase


class Words(Record, frozen=True):
    """The words around a probe in one language."""

    conversation: str
    speaker: str
    listener: str
    question: str
    reply: str


class Question(Record, frozen=True):
    """What a response answers: kept in its metadata, so that responses.jsonl can be measured alone."""

    probe: str
    form: Form
    order: int | None = None
    shown: tuple[int, ...] = ()  # place → which of the probe's options stood there


def questions(probes: Sequence[Probe], *, orders_: int, seed: int) -> Iterator[Dialogue]:
    """Every probe's free question, then its choices, as dialogues for the generation engine."""
    alone = iter(single(_count(probes), len(probes), seed=seed))
    for probe in probes:
        yield free(probe)
        asked = orders(len(probe.options), orders_, seed=seed, key=probe.template) or [next(alone)]
        yield from (choice(probe, order, place) for place, order in enumerate(asked))


def _count(probes: Iterable[Probe]) -> int:
    """How many options every probe has."""
    counts = {len(probe.options) for probe in probes}
    if len(counts) != 1:
        raise InputError(f"the probes have different numbers of options ({sorted(counts)}); all need the same")
    return counts.pop()


def free(probe: Probe) -> Dialogue:
    """The question that is answered in one's own words; the reference is the keyed answer."""
    first = 1 if probe.turns[0].role == "speaker" else 0  # chats begin with the user, and no two turns are one role's
    opening = Turn(role="speaker", text="\n\n".join([*_head(probe), *(turn.text for turn in probe.turns[:first])]))
    question = Question(probe=probe.id, form="free")
    return _dialogue(probe, "free", (opening, *probe.turns[first:]), question, _keyed(probe).text)


def choice(probe: Probe, order: Order, place: int) -> Dialogue:
    """The question that is answered by a letter; the reference is the letter of the keyed answer."""
    words = find_words(probe.language)
    letters = LETTERS[: len(order)]
    listed = "\n".join(f"{letter}) {probe.options[i].text}" for letter, i in zip(letters, order, strict=True))
    reply = words.reply.format(letters=", ".join(letters[:-1]), last=letters[-1])
    parts = [*_head(probe), _transcript(probe, words), words.question, listed, reply]
    question = Question(probe=probe.id, form="choice", order=place, shown=order)
    keyed = letters[order.index(probe.options.index(_keyed(probe)))]
    text = "\n\n".join(parts)
    return _dialogue(probe, f"choice-{place}", (Turn(role="speaker", text=text),), question, keyed)


def scene(probe: Probe) -> str:
    """Everything up to the listener's turn, as a transcript that waits for it."""
    words = find_words(probe.language)
    return "\n\n".join([*_head(probe), f"{_transcript(probe, words)}\n{words.listener}:"])


def _head(probe: Probe) -> list[str]:
    return [part for part in (probe.instruction, probe.context) if part.strip()]


def _transcript(probe: Probe, words: Words) -> str:
    named = {"speaker": words.speaker, "listener": words.listener}
    return "\n".join([words.conversation, *(f"{named[turn.role]}: {turn.text}" for turn in probe.turns)])


def _keyed(probe: Probe) -> Option:
    return next(option for option in probe.options if option.kind == KEYED)


def _dialogue(probe: Probe, name: str, turns: tuple[Turn, ...], question: Question, reference: str) -> Dialogue:
    return Dialogue(
        id=f"{probe.id}/{name}",
        turns=turns,
        emotion=probe.emotion,
        polarity=probe.polarity,
        reference=reference,
        metadata={**files.to_builtins(question), "repeat": probe.repeat},
    )


def question_of(metadata: Mapping[str, Any]) -> Question:
    """The question in a response's metadata."""
    own = {key: value for key, value in metadata.items() if key in Question.__struct_fields__}
    try:
        return msgspec.convert(own, Question)
    except msgspec.ValidationError as error:
        raise InputError(f"the response says not which probe it answers ({error})") from error


@functools.cache
def _all_words() -> dict[str, Words]:
    data = importlib.resources.files("empathic.probes").joinpath("asking.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, Words])


def find_words(language: str) -> Words:
    """The words around a probe in this language."""
    if language not in _all_words():
        raise UnknownName("language of probes", language, _all_words())
    return _all_words()[language]


class Asking:
    """The procedure: each question is asked once, with the probe's repeat as the repeat (each has its own chance)."""

    name = "probe.v1"
    turn_by_turn = False

    def settings(self) -> Mapping[str, Any]:
        return {"procedure": self.name, "words": files.content_hash(_all_words())}

    def requests(self, dialogue: Dialogue) -> Iterator[Request]:
        yield _request(dialogue.id, dialogue)

    def request_of(self, response: Response) -> Request:
        """The request a response came from."""
        return _request(response.dialogue, response)

    async def follow(self, dialogue: Dialogue, request: Request, reply: Reply) -> Request | Reply | None:
        return None


def _request(name: str, asked: Dialogue | Response) -> Request:
    """The person's feeling is not told: finding it out is what is asked."""
    return Request(
        dialogue=name,
        position=0,
        turns=asked.turns,
        reference=asked.reference,
        repeat=int(asked.metadata.get("repeat", 0)),
    )
