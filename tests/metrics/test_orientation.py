"""Orientation against the counts of iEval's Table 2 (its annotations are not released)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from empathic import datasets
from empathic.metrics.batch import Batch
from empathic.metrics.orientation import Orientation
from empathic.records import Response

TABLE_2 = {  # share of other-oriented among 150 sampled responses
    "MEED": 148 / 150,
    "Blender": 102 / 150,
    "MIME": 135 / 150,
    "Plain": 136 / 150,
}


@pytest.mark.parametrize(
    ("text", "orientation"),
    [
        ("That sounds like a good recipe.", "other"),
        ("I'm so sorry to hear that. I hope you feel better.", "other"),
        ("What kind of dog do you have?", "other"),
        ("i love swimming too ! i ' ve never been to a beach", "self"),
        ("I have a dog, he is my best friend. What kind of dog do you have?", "both"),
    ],
)
def test_a_response_is_about_whom_a_reader_says(text: str, orientation: str) -> None:
    found = Orientation().score(Batch([Response(id="r", system="s", dialogue="d", turns=(), text=text)]))
    assert {name for name, values in found.items() if values == [1.0]} == {orientation}


def test_the_shares_are_near_those_of_table_2_and_only_blender_speaks_of_itself(shared: Path) -> None:
    records = datasets.read(shared / "data" / "ieval2022" / "ieval_data.json")
    responses = [record for record in records if isinstance(record, Response)]
    other = Orientation().score(Batch(responses))["other"]
    total = Counter(response.system for response in responses)
    count: Counter[str] = Counter()
    for response, is_other in zip(responses, other, strict=True):
        count[response.system] += int(is_other)
    shares = {system: count[system] / total[system] for system in TABLE_2}
    for system, published in TABLE_2.items():
        assert shares[system] == pytest.approx(published, abs=0.08)
    assert min(shares, key=lambda system: shares[system]) == "Blender"
