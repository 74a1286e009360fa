"""Batches become expected levels with evidence and dependence on the prompt, by the embedded or a fitted model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec
import numpy as np

from empathic.contracts import Texts, Value
from empathic.metrics.batch import Batch
from empathic.metrics.features import Quantities, quantities
from empathic.metrics.fitted import Fitted
from empathic.metrics.linear import Linear
from empathic.metrics.ragged import Floats, Ints
from empathic.metrics.text import words
from empathic.metrics.values import Values
from empathic.records import Response, Turn

Scores = dict[str, Sequence[Value | str]]
# what a response would answer instead: two sad, two glad, none of them in the pairs the model was fitted on
OTHER_PROMPTS = (
    "my grandfather died last night and i did not get to say goodbye",
    "i failed my driving test again and everybody laughed at me",
    "i got the promotion i have been working towards for years !",
    "we are having a baby girl in spring and i could not be happier",
)


def embedded_scores(models: Mapping[str, Linear], batch: Texts) -> Scores:
    """Levels by linear models over the features of the package; everything comes from one count of the batch."""
    found, scores = batch.view(quantities), Scores()
    whole, without, others = batch.view(_whole), batch.view(_without), batch.view(_elsewhere)
    for name, model in models.items():
        level = model.expected(whole)
        moved = [model.expected(other) for other in others]
        scores |= _columns(name, batch, level, model.expected(without), moved, found.starts)
    return scores


def fitted_scores(model: Fitted, names: Sequence[str], batch: Texts) -> Scores:
    """Levels by a model fitted on a user's data: shortened responses and other prompts are scored as texts."""
    found, scores = batch.view(quantities), Scores()
    encoded, without = model.encode(batch.texts), _shortened(batch)
    levels = model.expected(batch.texts, found.whole(), encoded)
    shorter = model.expected(without, found.without_each(), model.encode(without))
    moved = [model.expected(batch.texts, other, encoded) for other in batch.view(_elsewhere)]
    for name in names:
        scores |= _columns(name, batch, levels[name], shorter[name], [other[name] for other in moved], found.starts)
    return scores


def rescored_scores(score: Callable[[Texts], Mapping[str, Floats]], names: Sequence[str], batch: Texts) -> Scores:
    """Levels by any function of a batch: one more call per sentence taken out and per prompt swapped."""
    starts = batch.view(quantities).starts
    owners = np.repeat(np.arange(len(batch.texts)), np.diff(starts)).tolist()
    shorter = [_saying(batch.responses[owner], text) for owner, text in zip(owners, _shortened(batch), strict=True)]
    levels, without = score(batch), score(Batch(shorter, batch.tokens))
    moved = [score(Batch([_answering(each, prompt) for each in batch.responses])) for prompt in OTHER_PROMPTS]
    scores = Scores()
    for name in names:
        scores |= _columns(name, batch, levels[name], without[name], [other[name] for other in moved], starts)
    return scores


def _columns(name: str, batch: Texts, level: Floats, without: Floats, moved: Sequence[Floats], starts: Ints) -> Scores:
    change = np.mean([np.abs(other - level) for other in moved], axis=0)
    chosen = strongest(level, without, starts)
    return {name: Values(level), f"{name}_evidence": evidence(batch, chosen), f"{name}_context": Values(change)}


def strongest(level: Floats, without: Floats, starts: Ints) -> Ints:
    """Per response the number of the sentence without which its level falls most; the first of equals."""
    owner = np.repeat(np.arange(len(level)), np.diff(starts))
    loss = level[owner] - without
    most = np.flatnonzero(loss == np.maximum.reduceat(loss, starts[:-1])[owner])[::-1]
    chosen = starts[:-1].copy()
    chosen[owner[most]] = most
    return chosen


def evidence(batch: Texts, chosen: Ints) -> list[str]:
    """The chosen sentences in words."""
    return list(map(batch.view(_sentences).__getitem__, chosen.tolist()))


def _sentences(batch: Texts) -> list[str]:
    """Every sentence of the batch; a response that is one sentence, as it stands."""
    rows = zip(batch.sentences, batch.texts, strict=True)
    return [sentence for found, text in rows for sentence in (found if len(found) > 1 else (text,))]


def _shortened(batch: Texts) -> list[str]:
    """Per sentence of the batch the response without it."""
    found: list[str] = []
    for sentences in batch.sentences:
        places = range(max(1, len(sentences)))
        found += [" ".join([*sentences[:place], *sentences[place + 1 :]]) for place in places]
    return found


def _saying(response: Response, text: str) -> Response:
    return msgspec.structs.replace(response, text=text)


def _answering(response: Response, prompt: str) -> Response:
    return msgspec.structs.replace(response, turns=(Turn(role="speaker", text=prompt),))


def _whole(batch: Texts) -> Floats:
    return batch.view(quantities).whole()


def _without(batch: Texts) -> Floats:
    return batch.view(quantities).without_each()


def _elsewhere(batch: Texts) -> list[Floats]:
    found: Quantities = batch.view(quantities)
    whole = batch.view(_whole)
    return [found.answering(whole, words(prompt)) for prompt in OTHER_PROMPTS]
