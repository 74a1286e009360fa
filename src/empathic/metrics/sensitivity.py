"""A scorer and responses become two checks of any measure: does it notice the context, is it fooled by empty words?

A scorer is any function from responses to numbers: a metric's column (`column_scorer`), a judge, a model of yours.

- *Context sensitivity*: every response is scored again as an answer to other prompts. A measure of how a response fits
  must change; the index is the mean absolute change, with the share of responses whose nearest level changes.
- *Probes*: replies that look empathic and are not ("I am not sorry to hear that.") beside one that is.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from empathic import files, registry
from empathic.contracts import Missing
from empathic.errors import SettingError, UnknownName
from empathic.metrics.batch import Batch
from empathic.metrics.measure import build
from empathic.records import Record, Response, Turn

Scorer = Callable[[Sequence[Response]], Sequence[float | None]]
PROBES = Path(__file__).parent / "data" / "probes.jsonl"


class ContextSensitivity(Record, frozen=True):
    """How far scores move when the prompt is another one."""

    n: int  # comparisons: responses × swaps, without those that could not be scored
    mean_change: float | None  # mean |score − score in another context|
    flipped: float | None  # share whose nearest level is another one
    missing: int


class Probe(Record, frozen=True):
    """One reply with the reply it must not be mistaken for."""

    id: str
    prompt: str
    text: str
    genuine: str  # a reply that is what the probe only looks like
    neutral: str  # a reply without any of it
    about: str  # which measure it tests: er, ip, ex


class ProbeResult(Record, frozen=True):
    """What a measure makes of a probe: fooled if it is nearer to the genuine reply than to the neutral one."""

    id: str
    text: str
    value: float | None
    genuine: float | None
    neutral: float | None
    fooled: bool | None


def context_sensitivity(
    scorer: Scorer, responses: Sequence[Response], *, swaps: int = 1, step: float = 1.0, seed: int
) -> ContextSensitivity:
    """Score responses again with the turns of other dialogues; `step` is the distance between two levels."""
    if len({response.dialogue for response in responses}) < 2:
        raise SettingError("Context sensitivity needs responses to at least two dialogues: there is no other prompt.")
    before = scorer(responses)
    changes: list[tuple[float, float]] = []
    for swap in range(swaps):
        after = scorer(swapped(responses, seed=seed + swap))
        pairs = zip(before, after, strict=True)
        changes += [(one, other) for one, other in pairs if one is not None and other is not None]
    n = len(changes)
    return ContextSensitivity(
        n=n,
        mean_change=sum(abs(one - other) for one, other in changes) / n if n else None,
        flipped=sum(round(one / step) != round(other / step) for one, other in changes) / n if n else None,
        missing=swaps * len(responses) - n,
    )


def swapped(responses: Sequence[Response], *, seed: int) -> list[Response]:
    """Each response with the turns of a response to another dialogue, drawn at random."""
    chooser, result = random.Random(seed), []
    for response in responses:
        other = chooser.choice(responses)
        while other.dialogue == response.dialogue:
            other = chooser.choice(responses)
        result.append(msgspec.structs.replace(response, turns=other.turns, situation=other.situation))
    return result


def read_probes(about: str | None = None, path: Path = PROBES) -> list[Probe]:
    """The probes of the package, or those about one measure."""
    return [probe for probe in files.read_lines(path, Probe) if about in (None, probe.about)]


def run_probes(scorer: Scorer, probes: Iterable[Probe]) -> list[ProbeResult]:
    """Score each probe beside its genuine and its neutral reply."""
    chosen = list(probes)
    texts = [(probe, text) for probe in chosen for text in (probe.text, probe.genuine, probe.neutral)]
    values = scorer([_reply(str(place), probe, text) for place, (probe, text) in enumerate(texts)])
    return [_result(probe, *values[3 * place : 3 * place + 3]) for place, probe in enumerate(chosen)]


def _reply(identifier: str, probe: Probe, text: str) -> Response:
    turns = (Turn(role="speaker", text=probe.prompt),)
    return Response(id=identifier, system="probe", dialogue=probe.id, turns=turns, text=text)


def _result(probe: Probe, value: float | None, genuine: float | None, neutral: float | None) -> ProbeResult:
    fooled = None
    if value is not None and genuine is not None and neutral is not None:
        fooled = abs(value - genuine) < abs(value - neutral)
    return ProbeResult(id=probe.id, text=probe.text, value=value, genuine=genuine, neutral=neutral, fooled=fooled)


def column_scorer(name: str, *, tokens: str = "ptb") -> Scorer:
    """The scorer of a metric's column: `mechanisms.er`, `sentiment.response`, `reflection.level`."""
    metric, wanted = _split(name)
    measure = build(metric)
    names = [each.name for each in measure.columns if not each.text]
    if measure.corpus or wanted not in names:
        raise UnknownName(f"column of '{measure.asked}' with a number per response", wanted, names)

    def scorer(responses: Sequence[Response]) -> list[float | None]:
        found = measure.metric.score(Batch(responses, tokens))[wanted]
        return [None if value is None or isinstance(value, Missing) else float(value) for value in found]

    return scorer


def _split(name: str) -> tuple[str, str]:
    """`word_choice.v1.intensity.difference` → the longest part that is a metric, and the column."""
    pieces = name.split(".")
    for end in range(len(pieces), 0, -1):
        metric = ".".join(pieces[:end])
        if any(metric in (entry.name, entry.versioned) for entry in registry.entries("metric")):
            return metric, ".".join(pieces[end:])
    raise UnknownName("metric", pieces[0], [entry.name for entry in registry.entries("metric")])
