from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main


def test_a_paper_is_reproduced_as_json(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "ieval2022", "--data", str(shared / "data" / "ieval2022"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) == {"paper", "checks", "findings"}
    assert set(document["checks"][0]) == {"table", "row", "column", "published", "computed", "match"}
    assert sum(check["match"] for check in document["checks"]) >= 112


def test_an_unknown_paper_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "ieval22", "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "empathic: No paper is called 'ieval22'. Did you mean 'ieval2022'?\n"


def test_a_folder_without_the_data_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "ieval2022", "--data", str(tmp_path)]) == 1
    assert "there is no ieval_data.json" in capsys.readouterr().err
