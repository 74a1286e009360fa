"""Responses to probes become measured values: what was chosen, how it was said, whether it was said at all.

The probability of the keyed answer comes from letters' log-probabilities where the system gives them. Distances of
affect and levels of communication mechanisms come from a scorer that is handed in, applied to the speaker's last words
and the free answer. What the server itself withheld counts as a refusal, since it is one.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from empathic.contracts import Missing, Value
from empathic.errors import InputError
from empathic.probes import conduct
from empathic.probes.asking import Question, question_of
from empathic.probes.choice import parse
from empathic.probes.letters import NOT_GIVEN, Place, averaged, letter_logprobs
from empathic.probes.measured import Measured
from empathic.probes.probe import KEYED, Probe
from empathic.records import Response

Scorer = Callable[[Sequence[Response]], Mapping[str, Sequence[Value]]]
Tokens = Callable[[Response], Sequence[Place] | None]
WITHHELD = ("the model refused", "the server's content filter")
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


class Answer(NamedTuple):
    """A response, the probe it answers, and how it was asked."""

    response: Response
    probe: Probe
    question: Question


def answers(responses: Iterable[Response], probes: Mapping[str, Probe]) -> Iterator[Answer]:
    """Each response beside its probe."""
    for response in responses:
        question = question_of(response.metadata)
        if question.probe not in probes:
            raise InputError(f"the response '{response.id}' answers the probe '{question.probe}', which is not there")
        yield Answer(response, probes[question.probe], question)


def measure(given: Sequence[Answer], *, score: Scorer, tokens: Tokens) -> list[Measured]:
    """Every value of every answer, in the order of the answers; values of a whole probe stand behind its answers."""
    free = [answer for answer in given if answer.question.form == "free"]
    scored = iter(zip(free, scores([as_scored(answer) for answer in free], score), strict=True))
    spoken = {answer.response.id: found for answer, found in scored}
    found: dict[tuple[str, str], list[Measured]] = defaultdict(list)
    likely: dict[tuple[str, str], list[tuple[Answer, tuple[float, ...]]]] = defaultdict(list)
    for answer in given:
        key = answer.response.system, answer.probe.id
        if answer.question.form == "free":
            found[key] += of_free(answer, spoken[answer.response.id])
            continue
        found[key].append(by_text(answer))
        letters = letter_logprobs(tokens(answer.response), len(answer.probe.options))
        if letters is not NOT_GIVEN:
            found[key].append(by_letters(answer, letters))
        if not isinstance(letters, Missing):
            likely[key].append((answer, letters))
    for key, rows in found.items():
        rows += _of_probe(rows, likely[key])
    return [row for rows in found.values() for row in rows]


def scores(responses: Sequence[Response], score: Scorer) -> list[dict[str, Value]]:
    """The values of each response by metric; those without a text have the reason instead."""
    present = [place for place, response in enumerate(responses) if response.text is not None]
    columns = score([responses[place] for place in present])
    found: list[dict[str, Value]] = [
        dict.fromkeys(columns, Missing(reason=response.missing or "there is no response")) for response in responses
    ]
    for metric, values in columns.items():
        for place, value in zip(present, values, strict=True):
            found[place][metric] = value
    return found


def as_scored(answer: Answer) -> Response:
    """The response after the conversation itself: what the question added around it is not what was said."""
    return msgspec.structs.replace(answer.response, turns=answer.probe.turns)


def of_free(answer: Answer, found: Mapping[str, Value]) -> list[Measured]:
    """Affect, mechanisms, refusal, role break and length of a free answer."""
    text = answer.response.text
    reason = answer.response.missing or "there is no response"
    length: Value = Missing(reason=reason) if text is None else float(len(_WORD.findall(text)))
    rows = [_row(answer, metric, value) for metric, value in found.items()]
    return [*rows, *(_conduct(answer, kind) for kind in conduct.KINDS), _row(answer, "length", length)]


def _conduct(answer: Answer, kind: str) -> Measured:
    text, language = answer.response.text, answer.probe.language
    if text is None:
        reason = answer.response.missing or "there is no response"
        if kind == "refusal" and reason.startswith(WITHHELD):
            return msgspec.structs.replace(_row(answer, kind, 1.0), evidence=reason)
        return _row(answer, kind, Missing(reason=reason))
    if not conduct.has_rules(language):
        return _row(answer, kind, Missing(reason=f"there are no rules for the language '{language}'"))
    found = conduct.find(kind, text, language, conduct.people(answer.probe))
    row = _row(answer, kind, float(found is not None))
    return row if found is None else msgspec.structs.replace(row, evidence=f"{found.rule}: {found.words}")


def by_text(answer: Answer) -> Measured:
    """What the reply says it chooses: 1 the keyed answer, 0 another one, missing where none was read."""
    probe, shown, text = answer.probe, answer.question.shown, answer.response.text
    keyed = shown.index(_keyed(probe))
    if text is None:
        reason = answer.response.missing or "there is no response"
        outcome = "refusal" if reason.startswith(WITHHELD) else "failed"
        row = _row(answer, "ce", Missing(reason=reason))
        return msgspec.structs.replace(row, order=answer.question.order, keyed=keyed, outcome=outcome)
    parsed = parse(text, [probe.options[place].text for place in shown], probe.language)
    chosen = None if parsed.place is None else probe.options[shown[parsed.place]].kind
    value = Missing(reason=f"no answer was chosen: {parsed.outcome}") if chosen is None else float(chosen == KEYED)
    return msgspec.structs.replace(
        _row(answer, "ce", value),
        order=answer.question.order,
        outcome=parsed.outcome,
        chosen=chosen,
        position=parsed.place,
        keyed=keyed,
        evidence=parsed.rule,
    )


def by_letters(answer: Answer, letters: tuple[float, ...] | Missing) -> Measured:
    """The probability of the keyed answer's letter among the letters."""
    shown, order = answer.question.shown, answer.question.order
    keyed = shown.index(_keyed(answer.probe))
    if isinstance(letters, Missing):
        return msgspec.structs.replace(_row(answer, "ce.logprob", letters), order=order, keyed=keyed)
    place = max(range(len(letters)), key=lambda index: letters[index])
    chosen = answer.probe.options[shown[place]].kind
    row = _row(answer, "ce.logprob", math.exp(letters[keyed]))
    return msgspec.structs.replace(row, order=order, chosen=chosen, position=place, keyed=keyed)


def _of_probe(rows: Sequence[Measured], likely: Sequence[tuple[Answer, tuple[float, ...]]]) -> list[Measured]:
    """What all orders together say of one probe."""
    found: list[Measured] = []
    chosen = [row for row in rows if row.metric == "ce" and row.chosen is not None]
    if len(chosen) > 1:
        value = Counter(row.chosen for row in chosen).most_common(1)[0][1] / len(chosen)
        found.append(_bare(chosen[0], "ce.consistency", value))
    if len(likely) > 1:
        found.append(_averaged(likely))
    return found


def _averaged(likely: Sequence[tuple[Answer, tuple[float, ...]]]) -> Measured:
    """The probability of the keyed answer after averaging each answer's log-probability over the orders."""
    answer = likely[0][0]
    options = range(len(answer.probe.options))
    by_option = [[letters[one.question.shown.index(option)] for option in options] for one, letters in likely]
    mean = averaged(by_option)
    best = max(options, key=lambda option: mean[option])
    row = _row(answer, "ce.averaged", math.exp(mean[_keyed(answer.probe)]))
    return msgspec.structs.replace(row, chosen=answer.probe.options[best].kind, response=None)


def _bare(row: Measured, metric: str, value: float) -> Measured:
    return Measured(
        system=row.system, probe=row.probe, template=row.template, levels=row.levels, metric=metric, value=value,
        repeat=row.repeat, control=row.control,
    )  # fmt: skip


def _row(answer: Answer, metric: str, value: Value) -> Measured:
    probe = answer.probe
    absent = isinstance(value, Missing) or value is None
    reason = value.reason if isinstance(value, Missing) else "it could not be measured"
    return Measured(
        system=answer.response.system,
        probe=probe.id,
        template=probe.template,
        levels=probe.levels,
        metric=metric,
        value=None if absent else float(value),  # type: ignore[arg-type]
        missing=reason if absent else None,
        repeat=probe.repeat,
        control=probe.control,
        response=answer.response.id,
    )


def _keyed(probe: Probe) -> int:
    return next(place for place, option in enumerate(probe.options) if option.kind == KEYED)
