"""Which answer a language model finds likeliest, without letters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import pytest

from empathic.contracts import Missing
from empathic.errors import EmpathicError
from empathic.probes.probe import Kind, Option, Probe
from empathic.probing.likely import find, measure
from empathic.records import Turn
from empathic.runs import Run

SCENE = Probe(
    id="p", template="t", language="en", levels={"age": "45"}, instruction="You are Lee.", context="Robin missed it.",
    turns=(Turn(role="speaker", text="I missed it."),),
    options=tuple(Option(kind=kind, text=f"{kind} " * (place + 1)) for place, kind in enumerate(get_args(Kind))),
)  # fmt: skip


class Fond:
    """Finds every token of the keyed answer likelier; counts how often it is asked."""

    asked = 0

    def settings(self) -> Mapping[str, Any]:
        return {"model": "fond"}

    def logprobs(self, context: str, text: str) -> Sequence[float] | Missing:
        self.asked += 1
        assert context.endswith("Person: I missed it.\nYou:")
        return [-1.0 if "empathetic" in text else -2.0] * len(text.split())


class Mute(Fond):
    def logprobs(self, context: str, text: str) -> Sequence[float] | Missing:
        return Missing(reason="too long")


def test_the_score_is_the_mean_of_the_tokens_so_that_length_does_not_count(tmp_path: Path) -> None:
    (row,) = measure([SCENE], Fond(), "fond", Run(tmp_path))
    assert row.value == pytest.approx(math.exp(-1) / (math.exp(-1) + 4 * math.exp(-2)))
    assert (row.metric, row.chosen, row.system) == ("ce.likelihood", "empathetic", "fond")


def test_what_was_computed_once_is_not_computed_again(tmp_path: Path) -> None:
    model = Fond()
    first = list(measure([SCENE], model, "fond", Run(tmp_path)))
    assert model.asked == 5
    assert list(measure([SCENE], model, "fond", Run(tmp_path))) == first
    assert model.asked == 5


def test_an_answer_that_cannot_be_scored_makes_the_probe_missing(tmp_path: Path) -> None:
    (row,) = measure([SCENE], Mute(), "mute", Run(tmp_path))
    assert (row.value, row.missing, row.chosen) == (None, "too long", None)


@pytest.mark.parametrize(
    ("name", "says"), [("openai/gpt", "model"), ("scripted/x", "llama-cpp/smollm2"), ("llama-cpp", "llama-cpp/smollm2")]
)
def test_a_model_that_cannot_tell_is_refused(name: str, says: str) -> None:
    with pytest.raises(EmpathicError, match=says):
        find(name)


@pytest.mark.slow
def test_the_real_small_model_tells_and_is_the_same_twice(tmp_path: Path, smollm2: Path) -> None:
    rows = [next(measure([SCENE], find(f"llama-cpp/{smollm2}"), "m", Run(tmp_path / name))) for name in ("a", "b")]
    assert rows[0] == rows[1]
    assert rows[0].value is not None
    assert 0 < rows[0].value < 1
