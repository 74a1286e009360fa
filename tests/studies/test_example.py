"""The examples: each can be read, checked without a problem and planned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from empathic.errors import InputError
from empathic.records import Dialogue, Response, Turn
from empathic.studies import check, example, plan, reading

DIALOGUES = [
    Dialogue(
        id=f"d{number}",
        turns=tuple(Turn(role=role, text=f"{role} {number}") for role in ("speaker", "listener") * 2),
        emotion="sad",
        polarity="negative" if number % 2 else "positive",
        situation="It was so.",
    )
    for number in range(128)
]
ANSWERED = {
    system: [
        Response(
            id=f"{each.id}#{system}#{n}", system=system, dialogue=each.id, turns=each.turns[:1], text=system, position=n
        )
        for each in DIALOGUES
        for n in (0, 1)
    ]
    for system in ("person", "eliza", "if-else")
}


@pytest.mark.parametrize("design", ["between", "ieval", "observer"])
def test_an_example_is_a_study_without_problems(tmp_path: Path, instruments: dict[str, Any], design: Any) -> None:
    scenarios = example.chosen(design, DIALOGUES)
    written = example.write(design, tmp_path / "new", scenarios, ANSWERED)
    assert all(path.exists() for path in written)
    study = reading.read(reading.find(tmp_path / "new"))
    built = plan.build(study, tmp_path / "new", instruments)
    assert not [each for each in check.check(built).findings if each.level == "problem"]
    assert "CODE_" not in written[0].read_text()
    assert len({study.codes.complete, study.codes.failed, study.codes.withdrawn, study.codes.screened_out}) == 4


def test_every_example_has_codes_of_its_own(tmp_path: Path) -> None:
    texts = {example.write("ieval", tmp_path / name, DIALOGUES, {})[0].read_text() for name in ("one", "two")}
    assert len(texts) == 2


def test_an_example_uses_as_many_positive_as_negative_scenarios() -> None:
    for design in ("between", "observer"):
        picked = [each.polarity for each in example.chosen(design, DIALOGUES)]
        assert picked.count("positive") == picked.count("negative") > 0


def test_transcripts_hold_what_each_system_said(tmp_path: Path) -> None:
    scenarios = example.chosen("observer", DIALOGUES)
    path = example.write("observer", tmp_path / "new", scenarios, ANSWERED)[1]
    lines = path.read_text().splitlines()
    assert len(lines) == 12 * 3
    assert sum('"text":"eliza"' in line for line in lines) == 12


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "kept.txt").write_text("mine")
    with pytest.raises(InputError, match="is not empty"):
        example.write("ieval", tmp_path, DIALOGUES, {})


def test_dialogues_without_polarity_cannot_make_an_example() -> None:
    plain = [Dialogue(id="a", turns=DIALOGUES[0].turns)]
    with pytest.raises(InputError, match="polarity"):
        example.chosen("between", plain)
