from __future__ import annotations

from pathlib import Path

import pytest

from empathic.cli import main


def test_a_run_that_is_not_there_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(tmp_path / "a"), str(tmp_path / "b")]) == 1
    assert "there is no such file" in capsys.readouterr().err


def test_a_file_that_holds_no_scores_says_what_writes_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.parquet"
    path.write_text("not parquet")
    assert main(["compare", str(path), str(path)]) == 1
    assert "`empathic score`" in capsys.readouterr().err
