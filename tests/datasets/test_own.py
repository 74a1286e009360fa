from __future__ import annotations

from pathlib import Path

import pytest

from empathic import datasets
from empathic.datasets import own
from empathic.errors import InputError
from empathic.records import Dialogue, Generation, Rater, Rating, Response, Turn

TURNS = (Turn(role="speaker", text="My cat died."),)
RECORDS = [
    Rater(id="human:a"),
    Rater(id="human:b", traits={"age": 3}),
    Dialogue(id="d", turns=TURNS, metadata={"a": [1, None]}),
    Response(
        id="r", system="s", dialogue="d", turns=TURNS, text=None, missing="refused", generation=Generation(cost=0.1)
    ),
    Rating(rater="human:a", instrument="teq", item="1", target="r", value=None, missing="skipped", order=3),
    Response(id="q", system="s", dialogue="d", turns=TURNS, text="Oh"),
]


def test_mixed_records_come_back_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    assert own.write(path, RECORDS) == len(RECORDS)
    assert list(datasets.read(path)) == RECORDS


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "d", "turns": [], "emotoin": "sad"}', "r.jsonl:2: Object contains unknown field `emotoin`"),
        (
            '{"id": "d", "turns": [{"role": "user", "text": "x"}]}',
            "r.jsonl:2 field 'turns[0].role': Invalid enum value",
        ),
        ('{"id": "d", "system": "s"}', "r.jsonl:2: Object missing required field `dialogue`"),
        ('{"rater": "a", "value": 1}', "r.jsonl:2: Object missing required field `instrument`"),
        ('{"name": "d"}', "r.jsonl:2: is no dialogue, response, rating or rater: it has name"),
        ("{}", "r.jsonl:2: is no dialogue, response, rating or rater: it has no field"),
        ("[]", "r.jsonl:2: Expected `object`, got `array`"),
        ('{"id": "a"', "r.jsonl:2: "),
    ],
)
def test_a_line_that_is_no_record_is_one_error(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text('{"id": "a"}\n' + line + "\n")
    with pytest.raises(InputError) as caught:
        list(datasets.read(path, "records"))
    assert message in str(caught.value)
