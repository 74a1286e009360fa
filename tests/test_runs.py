from __future__ import annotations

from pathlib import Path

import pytest

from empathic import files
from empathic.errors import InputError, SettingError
from empathic.runs import Run


def finished(folder: Path) -> Run:
    run = Run(folder / "run")
    files.write_json(run.path("estimates.json"), {"a": 1})
    run.finish("analyze", outputs=["estimates.json"], settings={"level": 0.95}, seed=7)
    return run


def test_a_finished_stage_is_in_the_manifest_with_its_hashes(tmp_path: Path) -> None:
    stage = finished(tmp_path).stage("analyze")
    assert stage is not None
    assert stage.seed == 7
    assert stage.settings == {"level": 0.95}
    assert len(stage.outputs["estimates.json"]) == 64


def test_a_stage_done_again_replaces_the_earlier_one(tmp_path: Path) -> None:
    run = finished(tmp_path)
    run.finish("analyze", outputs=["estimates.json"], seed=8)
    assert [stage.seed for stage in run.manifest().stages] == [8]


def test_a_new_folder_has_an_empty_manifest(tmp_path: Path) -> None:
    run = Run(tmp_path / "new")
    assert run.manifest().stages == ()
    assert run.stage("score") is None


def test_a_changed_output_is_found(tmp_path: Path) -> None:
    run = finished(tmp_path)
    run.check()
    run.path("estimates.json").write_text("{}")
    with pytest.raises(InputError, match="was changed after stage 'analyze'"):
        run.check()


def test_a_crash_before_the_manifest_is_written_leaves_the_previous_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = finished(tmp_path)

    def crash(source: str, target: Path) -> None:
        raise OSError("power cut")

    monkeypatch.setattr(files.os, "replace", crash)
    with pytest.raises(OSError, match="power cut"):
        run.finish("report", outputs=[])
    assert [stage.name for stage in run.manifest().stages] == ["analyze"]


def test_a_folder_is_held_by_one_stage_at_a_time_and_free_afterwards(tmp_path: Path) -> None:
    run = Run(tmp_path / "new")
    busy = pytest.raises(SettingError, match="Another process is at the stage 'judge'")
    with run.alone("judge"), busy, run.alone("judge"):
        pass
    with run.alone("judge"), run.alone("generate"):
        pass
