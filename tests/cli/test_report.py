from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main


def test_a_run_is_reported_again_with_its_tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = tmp_path / "run"
    systems = ["--system", "builtin/echo", "--system", "builtin/if-else"]
    assert (
        main(["evaluate", *systems, "--limit", "8", "--metrics", "length,questions", "--draws", "50", "-o", str(run)])
        == 0
    )
    capsys.readouterr()
    page = tmp_path / "page.html"
    words = ["report", str(run), "-o", str(page), "--title", "My <bot>", "--tables", str(tmp_path / "tables"), "--json"]
    assert main(words) == 0
    written = json.loads(capsys.readouterr().out)["written"]
    assert written[0] == str(page)
    assert len(written) > 3
    assert "My &lt;bot&gt;" in page.read_text()
    assert main(["report", str(run)]) == 0
    assert (run / "report.html").exists()


def test_a_folder_that_is_no_run_says_what_writes_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path)]) == 1
    assert "`empathic evaluate` writes it" in capsys.readouterr().err
