from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from empathic.errors import InputError, SettingError
from empathic.generation import Plan, check_dialogues, expected, run_stage
from empathic.procedures import Piecewise
from empathic.records import Dialogue, Turn
from empathic.runs import Run
from empathic.systems import Echo, IfElse

DIALOGUES = [Dialogue(id=f"d{i}", turns=(Turn(role="speaker", text="a"),)) for i in range(3)]


def plan(**settings: object) -> Plan:
    return Plan(**{"systems": [Echo(), IfElse()], "dialogues": DIALOGUES, "procedure": Piecewise(), **settings})


def test_the_stage_is_declared_with_its_settings_and_files(tmp_path: Path) -> None:
    run = Run(tmp_path / "run")
    outcomes = asyncio.run(run_stage(plan(epochs=2), run))
    assert [(outcome.system, outcome.answered) for outcome in outcomes] == [("builtin/echo", 6), ("builtin/if-else", 6)]
    stage = run.stage("generate")
    assert set(stage.outputs) == {"dialogues.jsonl", "responses.jsonl", "timings.jsonl"}
    assert stage.settings["epochs"] == 2
    assert stage.settings["systems"]["builtin/if-else"]["sentiment"] == "vader compound"
    run.check()


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"systems": [Echo(), Echo()]}, SettingError, "'builtin/echo' is given twice"),
        ({"epochs": 0}, SettingError, "--epochs"),
        ({"max_connections": 0}, SettingError, "--max-connections"),
        ({"dialogues": []}, InputError, "nothing to answer"),
        ({"dialogues": [Dialogue(id="d", turns=(Turn(role="listener", text="a"),))]}, InputError, "nothing to answer"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_first(
    tmp_path: Path, settings: dict[str, object], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        asyncio.run(run_stage(plan(**settings), Run(tmp_path / "run")))
    assert not (tmp_path / "run").exists()


def test_a_folder_that_another_process_generates_into_is_refused(tmp_path: Path) -> None:
    busy = pytest.raises(SettingError, match="Another process is at the stage 'generate'")
    with Run(tmp_path).alone("generate"), busy:
        asyncio.run(run_stage(plan(), Run(tmp_path)))


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(InputError, match="file/run: cannot be made the run folder .*choose another -o"):
        asyncio.run(run_stage(plan(), Run(tmp_path / "file" / "run")))


def test_two_dialogues_of_one_id_are_refused() -> None:
    check_dialogues(DIALOGUES)
    with pytest.raises(InputError, match="two dialogues have the id 'd0'"):
        check_dialogues([*DIALOGUES, DIALOGUES[0]])


def test_the_number_of_replies_is_known_before() -> None:
    assert expected(plan(epochs=4)) == 3 * 4 * 2
