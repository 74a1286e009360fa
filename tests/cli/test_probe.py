"""`empathic probe`: its actions come from the modules that add them."""

from __future__ import annotations

import pytest

from empathic.cli import main, probe


def test_every_module_adds_its_actions(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["probe", "--help"])
    text = capsys.readouterr().out
    assert "check" in text and "show" in text and "run" in text
    assert "probing_templates" in probe.ACTIONS


def test_an_action_is_needed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["probe"])
    assert "required: action" in capsys.readouterr().err
