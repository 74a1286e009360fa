from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main
from empathic.cli.reproduce import PAPERS

from ..papers.released import write


def test_a_paper_is_reproduced_as_json(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "ieval2022", "--data", str(shared / "data" / "ieval2022"), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document) == {"paper", "checks", "findings"}
    assert set(document["checks"][0]) == {"table", "row", "column", "published", "computed", "match"}
    assert sum(check["match"] for check in document["checks"]) >= 112


def test_an_unknown_paper_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", "ieval22", "--data", str(tmp_path)]) == 1
    assert capsys.readouterr().err == "empathic: No paper is called 'ieval22'. Did you mean 'ieval2022'?\n"


@pytest.mark.parametrize("paper", PAPERS)
def test_a_folder_without_the_data_is_one_line(paper: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", paper, "--data", str(tmp_path)]) == 1
    error = capsys.readouterr().err
    assert error.startswith("empathic: ")
    assert error.count("\n") == 1


def test_other_data_of_the_same_shape_are_recomputed_and_do_not_match(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path, parts=12, each=4)
    assert main(["reproduce", "welivita2024", "--data", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "of 603 cells match." in shown
    assert "603 of 603" not in shown
    assert "[duplicated-miti-column]" in shown
    assert "    rows with equal labels:" in shown
