from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main


def test_a_kind_is_listed_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "metrics", "--json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == ["metrics"]


def test_a_loaded_metric_is_listed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.py"
    path.write_text("from empathic import register\nregister('metric', 'my-own', summary='for the test')(len)\n")
    assert main(["list", "metrics", "--load", str(path)]) == 0
    assert "my-own.v1" in capsys.readouterr().out


def test_an_unknown_kind_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "metrix"]) == 1
    assert capsys.readouterr().err == "empathic: No kind is called 'metrix'. Did you mean 'metrics'?\n"
