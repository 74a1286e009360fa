from __future__ import annotations

from pathlib import Path

import pytest

from empathic.cli.environment import environment, read_env
from empathic.errors import InputError

TEXT = """# keys
A_KEY = "sk-1 2"
export B_KEY=abc # the old one
C_KEY='x=y'

EMPTY=
"""


def test_lines_quotes_comments_and_export_are_understood(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(TEXT)
    assert read_env(tmp_path / ".env") == {"A_KEY": "sk-1 2", "B_KEY": "abc", "C_KEY": "x=y", "EMPTY": ""}


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("ONE_OF_THE_TEST=file\nTWO_OF_THE_TEST=file\n")
    monkeypatch.setenv("TWO_OF_THE_TEST", "process")
    found = environment(tmp_path)
    assert (found["ONE_OF_THE_TEST"], found["TWO_OF_THE_TEST"]) == ("file", "process")
    assert "ONE_OF_THE_TEST" not in environment(tmp_path / "elsewhere")


def test_a_line_that_cannot_be_read_is_named_but_not_shown(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("A=1\nsk-planted-key\n")
    with pytest.raises(InputError) as caught:
        read_env(tmp_path / ".env")
    assert ".env:2: is no NAME=VALUE line" in str(caught.value)
    assert "planted" not in str(caught.value)
