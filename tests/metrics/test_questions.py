"""Question marks against Table 1 of iEval."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import pytest

from empathic import datasets
from empathic.metrics.batch import Batch
from empathic.metrics.questions import Questions
from empathic.records import Response

TABLE_1 = {  # mean number of questions per dialogue, positive and negative contexts
    "MEED": (1.78, 1.89),
    "Blender": (1.2583, 0.99),  # printed 1.25, which the table's own turns (.73 + .21 + .32) contradict
    "MIME": (1.2667, 1.25),  # printed 1.26, likewise
    "Plain": (1.78, 1.68),
}


def counted(text: str) -> dict[str, float]:
    found = Questions().score(Batch([Response(id="r", system="s", dialogue="d", turns=(), text=text)]))
    return {name: values[0] for name, values in found.items()}


def test_question_marks_give_table_1_of_ieval(shared: Path) -> None:
    records = datasets.read(shared / "data" / "ieval2022" / "ieval_data.json")
    responses = [record for record in records if isinstance(record, Response)]
    marks = Questions().score(Batch(responses))["marks"]
    total: dict[tuple[str, str | None], float] = defaultdict(float)
    for response, count in zip(responses, marks, strict=True):
        total[response.system, response.polarity] += count
    for system, (positive, negative) in TABLE_1.items():
        assert total[system, "positive"] / 240 == pytest.approx(positive, abs=0.0051)
        assert total[system, "negative"] / 240 == pytest.approx(negative, abs=0.0051)


def test_generic_questions_are_told_from_specific_ones() -> None:
    assert counted("What kind of dog was it?") == {"marks": 1, "sentences": 1, "generic": 1}
    assert counted("How old was she when she left?") == {"marks": 1, "sentences": 1, "generic": 0}
    assert counted("Really?? That is sad. Are you ok?") == {"marks": 3, "sentences": 2, "generic": 2}
    assert counted("What kind of thing is this.") == {"marks": 0, "sentences": 0, "generic": 0}
