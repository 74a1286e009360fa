"""The no-loss contract: a server killed at random moments, a network that loses and doubles, two databases."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from empathic.cli import main

WRONG = ("lost", "duplicated", "over_assigned", "broken_chains", "broken_chats", "wrong_codes", "server_errors")
BAD = ["--network-faults", "0.2", "--two-tabs", "0.2", "--dropout", "0.1", "--seed", "11", "--json"]


def fault_run(folder: Path, address: str, capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, int]:
    code = main(["study", "simulate", str(folder), "--database", address, *BAD, *words])
    found: dict[str, int] = json.loads(capsys.readouterr().out)
    assert code == 0, found
    return found


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_three_kills_under_ten_people_lose_nothing(
    small_study: Callable[[str], Path],
    fresh: Callable[[str], contextlib.AbstractContextManager[str]],
    kind: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with fresh(kind) as address:
        found = fault_run(small_study("between"), address, capsys, "--n", "10", "--at-once", "10", "--kills", "3")
    assert (found["participants"], found["kills"]) == (10, 3)
    assert found["acknowledged"] > 40
    assert {name: found[name] for name in WRONG} == dict.fromkeys(WRONG, 0)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@pytest.mark.parametrize("design", ["between", "ieval", "observer"])
def test_twenty_kills_under_fifty_people_lose_nothing(
    small_study: Callable[[str], Path],
    fresh: Callable[[str], contextlib.AbstractContextManager[str]],
    kind: str,
    design: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with fresh(kind) as address:
        found = fault_run(small_study(design), address, capsys, "--n", "50", "--at-once", "50", "--kills", "20")
    assert found["kills"] > 0
    assert {name: found[name] for name in WRONG} == dict.fromkeys(WRONG, 0)
