"""A model, a prompt and an instrument become a judge: a subject in, one rating per item out.

One call asks for all items. An answer that cannot be read in full is asked for again; the attempt with the most items
read is kept, and what is still missing is stored as missing, with the reason and the text as it came.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from empathic.contracts import Message, Model, Reply, Sampling, Subject
from empathic.files import content_hash
from empathic.judges import answers, prompts, transcripts
from empathic.judges.answers import Answer, Sheet
from empathic.judges.prompts import Layout, Prompt
from empathic.records import Instrument, Item, Json, Rating, Record
from empathic.registry import signature

METHOD = "judge.v1"


class Settings(Record, frozen=True):
    """Everything that decides a judge's answer, beside the model."""

    attempts: int = 3
    permute: bool = False
    seed: int = 1
    temperature: float = 0.0
    top_p: float | None = None
    max_tokens: int | None = None
    constrained: bool = True  # ask the server to hold the answer to the schema


class Attempt(NamedTuple):
    """One call and what could be read of it."""

    reply: Reply
    sheet: Sheet


class ModelJudge:
    """One model that fills one instrument; `repeat` tells its sittings apart."""

    def __init__(self, model: Model, prompt: Prompt, settings: Settings, *, repeat: int = 0) -> None:
        self.model, self.prompt, self.settings, self.repeat = model, prompt, settings, repeat
        self.name = f"judge:{model.name}#{repeat}"

    def signature(self, instrument: Instrument) -> str:
        """The string that reproduces a rating, repeats aside."""
        return judge_signature(self.model.name, self.prompt, instrument, self.settings)

    def question(self, instrument: Instrument, subject: Subject) -> tuple[Sequence[Message], Sampling]:
        """The first thing the model is asked about a subject."""
        shown = self._layout(instrument, subject)
        return prompts.messages(self.prompt, instrument, subject, shown), self._sampling(instrument, shown.items, 0)

    async def rate(self, instrument: Instrument, subject: Subject) -> Sequence[Rating]:
        """One rating per item."""
        shown = self._layout(instrument, subject)
        if subject.missing:
            nothing = {item.id: Answer(None, subject.missing) for item in instrument.items}
            return self._ratings(instrument, subject, shown, Sheet(nothing, subject.missing), None, 0)
        messages = prompts.messages(self.prompt, instrument, subject, shown)
        tried: list[Attempt] = []
        while len(tried) < self.settings.attempts and not (tried and tried[-1].sheet.complete):
            tried.append(await self._ask(instrument, shown, messages, len(tried)))
        best = max(tried, key=lambda attempt: attempt.sheet.read)
        return self._ratings(instrument, subject, shown, best.sheet, best.reply, len(tried))

    def _layout(self, instrument: Instrument, subject: Subject) -> Layout:
        settings = self.settings
        return prompts.layout(instrument, subject, permute=settings.permute, repeat=self.repeat, seed=settings.seed)

    async def _ask(self, instrument: Instrument, shown: Layout, messages: Sequence[Message], attempt: int) -> Attempt:
        reply = await self.model.complete(messages, self._sampling(instrument, shown.items, attempt))
        if reply.text is None:
            reason = f"no answer: {reply.missing}"
            return Attempt(reply, Sheet({item.id: Answer(None, reason) for item in instrument.items}, reason))
        return Attempt(reply, answers.read(reply.text, instrument))

    def _sampling(self, instrument: Instrument, items: tuple[Item, ...], attempt: int) -> Sampling:
        """How the model is asked: a seed of its own for every repeat and attempt.

        A second attempt at temperature 0 would be the first one again, so it is asked at 0.7.
        """
        settings = self.settings
        return Sampling(
            temperature=settings.temperature if attempt == 0 else max(settings.temperature, 0.7),
            top_p=settings.top_p,
            max_tokens=settings.max_tokens or 60 + 120 * len(items),
            seed=int(content_hash([settings.seed, self.repeat, attempt])[:7], 16),
            json_schema=answers.schema(instrument, items) if settings.constrained else None,
        )

    def _ratings(
        self, instrument: Instrument, subject: Subject, shown: Layout, sheet: Sheet, reply: Reply | None, attempts: int
    ) -> list[Rating]:
        fixed: Json = {"signature": self.signature(instrument), "attempts": attempts, "labels": "/".join(shown.labels)}
        return [
            self._rating(instrument, subject, place, item.id, sheet.answers[item.id], reply, fixed)
            for place, item in enumerate(shown.items)
        ]

    def _rating(
        self,
        instrument: Instrument,
        subject: Subject,
        place: int,
        item: str,
        answer: Answer,
        reply: Reply | None,
        fixed: Json,
    ) -> Rating:
        quote = {"quote": answer.quote, "quoted": transcripts.quoted(subject, answer.quote)} if answer.quote else {}
        return Rating(
            rater=self.name,
            instrument=instrument.id,
            item=item,
            target=subject.target,
            value=answer.value,
            missing=answer.missing,
            system=subject.system,
            dialogue=subject.dialogue,
            order=place,
            reason=answer.reason or None,
            raw=reply.text if reply is not None and answer.value is None else None,
            metadata={**fixed, **quote},
        )


def judge_signature(model: str, prompt: Prompt, instrument: Instrument, settings: Settings) -> str:
    """`judge.v1|instrument:eshcc.v1|model:…|permute:no|prompt:judge-observer.v1|temperature:0|empathic:…`."""
    return signature(
        METHOD,
        model=model,
        prompt=f"{prompt.id}.v{prompt.version}",
        instrument=f"{instrument.id}.v{instrument.version}",
        permute="yes" if settings.permute else "no",
        temperature=f"{settings.temperature:g}",
        top_p="default" if settings.top_p is None else f"{settings.top_p:g}",
        schema="yes" if settings.constrained else "no",
    )
