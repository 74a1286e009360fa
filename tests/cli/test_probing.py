"""The flags of `probe run`, and what it prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main

RUN = ["probe", "run", "--focal", "pronouns", "--limit", "2"]


def test_a_dry_run_tells_size_cost_balance_and_power_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["probe", "run", "--focal", "religion,pronouns", "--dry-run", "--price", "2,8"]) == 0
    shown = capsys.readouterr().out
    for words in ("probes of", "controls", "prompts per system", "prompt and", "about $", "Cramér's V", "power .8"):
        assert words in shown
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_is_also_one_json_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*RUN, "--dry-run", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["settings"]["focal"] == ["pronouns"]
    assert document["cost"]["probes"] == 2
    assert document["associations"][0].keys() >= {"factor", "focal", "cramers_v", "largest"}


def test_the_plan_goes_to_the_log_and_the_result_to_the_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*RUN, "--system", "human/reference", "-o", str(tmp_path / "r"), "--json"]) == 0
    captured = capsys.readouterr()
    document = json.loads(captured.out)
    assert "prompts per system" in captured.err
    assert document["systems"][0]["failed"] == 0
    assert any(one["name"] == "ce.accuracy" and one["value"] == 1 for one in document["estimates"])
    assert main([*RUN, "--system", "human/reference", "-o", str(tmp_path / "r")]) == 0
    assert "ce.accuracy" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([*RUN], "--system NAME -o runs/probe"),
        ([*RUN, "--system", "builtin/elisa", "-o", "x"], "Did you mean 'builtin/eliza'"),
        (["probe", "run", "--focal", "religon", "--dry-run"], "Did you mean 'religion'"),
        ([*RUN, "--dry-run", "--orders", "4"], "1, 5, 10"),
        ([*RUN, "--dry-run", "--repeats", "0"], "--repeats 0"),
        ([*RUN, "--dry-run", "--controls", "-1"], "--controls -1"),
        ([*RUN, "--dry-run", "--seed", "-3"], "--seed -3"),
        ([*RUN, "--dry-run", "--system", "a", "--system", "a"], "given twice"),
        ([*RUN, "--dry-run", "--focal", ""], "--focal sexuality,pronouns"),
        ([*RUN, "--system", "builtin/echo", "-o", "x", "--lexicon", "none"], "No lexicon is called 'none'"),
        ([*RUN, "--system", "builtin/echo", "-o", "x", "--likelihood", "scripted/x"], "llama-cpp/smollm2"),
        ([*RUN, "--dry-run", "--language", "sk"], "language"),
        ([*RUN, "--dry-run", "--templates", "nowhere"], "nowhere"),
    ],
)
def test_mistakes_are_told_in_one_line(
    words: list[str], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 1
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert says in told
