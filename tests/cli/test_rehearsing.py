"""`study demo`: what a newcomer sees of a study, in one command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main, rehearsing
from empathic.records import Rating


def test_the_demo_is_taken_over_http_and_can_be_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rehearsing, "PEOPLE", 1)
    monkeypatch.chdir(tmp_path)
    assert main(["study", "demo"]) == 0
    said = capsys.readouterr().out
    assert "1 simulated people, 4 bots, 8 chats, 24 answers of bots" in said
    assert "0 lost, 0 duplicated, 0 over-assigned" in said
    assert "empathic study serve runs/demo-study --mode preview" in said
    ratings = (tmp_path / "runs" / "demo-study" / "export" / "ratings.csv").read_text().splitlines()
    assert len(ratings) > 8 * 9
    simulation = json.loads((tmp_path / "runs" / "demo-study" / "simulation.json").read_text())
    assert simulation["outcomes"] == {"complete": 1}


def rating(rater: str, system: str, value: float | None, order: int, condition: str) -> Rating:
    missing = None if value is not None else "not asked"
    return Rating(
        rater=rater,
        instrument="i",
        item="x",
        target="t",
        value=value,
        missing=missing,
        system=system,
        order=order,
        condition=condition,
    )


def test_the_ranking_is_the_mean_and_the_first_polarity_is_counted_per_person() -> None:
    given = [
        rating("a", "one", 3, 4, "positive"),
        rating("a", "two", 1, 9, "negative"),
        rating("b", "one", 2, 9, "positive"),
        rating("b", "two", 2, 4, "negative"),
        rating("b", "two", None, 5, "negative"),
    ]
    assert rehearsing._ranking(given) == {"one": 2.5, "two": 1.5}
    assert rehearsing._first(given) == {"negative": 1, "positive": 1}
