"""What every registered metric must hold: deterministic, order-invariant or declared otherwise, in range.

Whatever a system may say is given a value, or is missing with a reason.
"""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import empathic.metrics  # noqa: F401
from empathic import registry
from empathic.contracts import Missing
from empathic.metrics.batch import Batch
from empathic.metrics.measure import Measure, build
from empathic.records import Response, Turn

NAMES = [entry.versioned for entry in registry.entries("metric")]
STRANGE = {
    "one token": "yes",
    "emoji only": "🙂🙂🙂",
    "ten thousand tokens": "so sorry . " * 3334,
    "other script": "ご愁傷さまです。 Мне очень жаль. أنا آسف",
    "only punctuation": "?! ...",
    "lone quote": "'",
    "control characters": "a\x00b\x1f",
    "combining marks": "e\u0301" * 50,
    "a link": "see https://example.org/a?b=c&d=1 ok",
}
ORDINARY = [
    "I am so sorry to hear that. Are you ok?",
    "that is great ! i am glad .",
    "oh no , what happened ?",
    "I would have been furious too; my sister did that once.",
    "that is great ! i am glad .",
    "Congratulations!",
]


def response(number: int, text: str) -> Response:
    turns = (Turn(role="speaker", text="I lost my dog yesterday and I feel terrible."),)
    return Response(
        id=f"r{number}",
        system="s",
        dialogue=f"d{number}",
        turns=turns,
        text=text,
        reference="I am sorry about your dog.",
        emotion="sad",
    )


def usable(name: str) -> Measure:
    """The measure, unless it needs something (a model, a package) that is not here."""
    if getattr(registry.find("metric", name).thing, "external", False):
        pytest.skip(f"{name} needs a model of the user's")
    return build(name)


def values(measure: Measure, batch: Batch) -> dict[str, list[Any]]:
    if measure.corpus:
        return {name: [value] for name, value in measure.metric.finish([measure.metric.gather(batch)]).items()}
    return {name: list(found) for name, found in measure.metric.score(batch).items()}


def batch(texts: list[str]) -> Batch:
    return Batch([response(number, text) for number, text in enumerate(texts)])


def check(measure: Measure, found: dict[str, list[Any]], length: int) -> None:
    assert set(found) == {column.name for column in measure.columns}
    for column in measure.columns:
        assert len(found[column.name]) == (1 if measure.corpus else length), column.name
        for value in found[column.name]:
            if isinstance(value, Missing):
                assert value.reason
            elif column.text:
                assert value is None or isinstance(value, str)
            else:
                assert value is not None, f"{column.name} is None without a reason"
                assert math.isfinite(value), column.name
                assert column.low is None or value >= column.low - 1e-12, (column.name, value)
                assert column.high is None or value <= column.high + 1e-12, (column.name, value)


@pytest.mark.parametrize("name", NAMES)
def test_every_column_is_given_and_in_its_range(name: str) -> None:
    measure = usable(name)
    check(measure, values(measure, batch(ORDINARY)), len(ORDINARY))


@pytest.mark.parametrize("kind", STRANGE)
@pytest.mark.parametrize("name", NAMES)
def test_strange_responses_give_a_value_or_a_reason(name: str, kind: str) -> None:
    measure = usable(name)
    check(measure, values(measure, batch([STRANGE[kind]])), 1)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_responses_give_the_same_numbers(name: str) -> None:
    texts = [*ORDINARY, *STRANGE.values()]
    assert values(usable(name), batch(texts)) == values(usable(name), batch(texts))


@pytest.mark.parametrize("name", NAMES)
def test_a_response_is_scored_the_same_in_any_company_and_order(name: str) -> None:
    measure, order = usable(name), list(range(len(ORDINARY)))
    if measure.in_order:
        pytest.skip(f"{name} declares that it depends on the order of responses")
    random.Random(7).shuffle(order)
    straight = values(measure, batch(ORDINARY))
    shuffled = values(measure, Batch([batch(ORDINARY).responses[place] for place in order]))
    for column, found in straight.items():
        expected = found if measure.corpus else [found[place] for place in order]
        for one, other in zip(shuffled[column], expected, strict=True):
            assert one == other or (not isinstance(one, Missing | str) and math.isclose(one, other, rel_tol=1e-12))


@pytest.mark.parametrize("name", NAMES)
def test_batches_gathered_apart_are_finished_as_one(name: str) -> None:
    measure = usable(name)
    if not measure.corpus:
        pytest.skip(f"{name} scores each response by itself")
    whole = measure.metric.finish([measure.metric.gather(batch(ORDINARY))])
    halves = [batch(ORDINARY).responses[:2], batch(ORDINARY).responses[2:]]
    assert measure.metric.finish([measure.metric.gather(Batch(half)) for half in halves]) == whole


@pytest.mark.parametrize("name", NAMES)
def test_a_metric_says_what_it_is(name: str) -> None:
    entry = registry.find("metric", name)
    assert entry.summary.endswith((".", ")", "²"))
    assert usable(name).signature("ptb").startswith(entry.versioned)
