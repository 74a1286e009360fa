"""`empathic study`: its actions, and what it says where the parts are not installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from empathic.cli import main


def test_without_the_parts_one_is_told_what_to_type(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    find = importlib.util.find_spec

    def absent(name: str, package: str | None = None) -> Any:
        return None if name == "fastapi" else find(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", absent)
    assert main(["study", "check", str(tmp_path)]) == 1
    assert "pip install 'empathic[study]'" in capsys.readouterr().err


def test_a_folder_without_a_study_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "check", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "empathic study new" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize("action", ["new", "check", "serve", "status", "export", "invite", "states", "person"])
def test_every_action_explains_itself(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["study", action, "--help"])
    assert stop.value.code == 0
    assert "DIR" in capsys.readouterr().out
