from __future__ import annotations

import json

import pytest

from empathic import parts
from empathic.cli import main
from empathic.registry import package_version


def test_the_doctor_says_what_works_and_what_to_type(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    here, absent = parts.Part("msgspec", "core", "records"), parts.Part("not_a_module", "local", "local models")
    monkeypatch.setattr(parts, "PARTS", (here, absent))
    assert main(["doctor", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    rows = {row["part"]: row for row in report["parts"]}
    assert report["empathic"] == package_version()
    assert rows["msgspec"]["works"]
    assert rows["msgspec"]["version"][0].isdigit()
    assert rows["not_a_module"]["get"] == "pip install 'empathic[local]'"


def test_the_doctor_prints_a_table_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "registered" in out
    assert "metrics" in out
    assert "what to type" in out


def test_a_program_that_is_absent_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert main(["doctor"]) == 0
    assert "apt-get install chromium" in capsys.readouterr().out
