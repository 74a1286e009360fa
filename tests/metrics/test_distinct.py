from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from empathic.contracts import Missing
from empathic.metrics.batch import Batch
from empathic.metrics.distinct import Distinct, Entropy
from empathic.records import Response


def batch(*texts: str) -> Batch:
    return Batch([Response(id="r", system="s", dialogue="d", turns=(), text=text) for text in texts])


def test_distinct_n_is_types_over_tokens() -> None:
    metric = Distinct()
    found = metric.finish([metric.gather(batch("a b a")), metric.gather(batch("a b"))])
    assert found["1"] == pytest.approx(2 / 5)
    assert found["2"] == pytest.approx(2 / 3)  # ab ba ab
    assert found["3"] == 1.0


def test_too_short_responses_have_no_trigrams() -> None:
    metric = Distinct()
    assert metric.finish([metric.gather(batch("yes"))])["3"] == Missing(reason="no response is long enough")
    assert isinstance(Entropy().finish([Entropy().gather(batch("yes"))])["2"], Missing)


def test_entropy_of_equally_frequent_words_is_the_logarithm_of_their_number() -> None:
    metric = Entropy()
    assert metric.finish([metric.gather(batch("a b c d", "d c b a"))])["1"] == pytest.approx(2.0)
    assert math.copysign(1, metric.finish([metric.gather(batch("a a"))])["1"]) == 1


@pytest.mark.parametrize("system", ["human", "trs", "moel", "emocause", "cem", "care"])
def test_distinct_n_of_the_released_responses_equals_the_reference(shared: Path, system: str) -> None:
    reference = json.loads((shared / "reference" / "lee.json").read_text())["overlap_and_distinct"][system]
    answers = json.loads((shared / "data" / "lee2024" / f"{system}_responses.json").read_text())
    metric = Distinct()
    found = metric.finish([metric.gather(batch(*(answer["response"] for answer in answers)))])
    for size in (1, 2, 3):
        assert found[str(size)] == pytest.approx(reference[f"distinct{size}"], abs=1e-12)
