from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from empathic.cli import main
from empathic.files import read_json, write_lines
from empathic.records import Dialogue, Estimate, Rater, Rating, Turn


@pytest.fixture
def study(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    rows = [
        Rating(
            rater=f"human:{rater}",
            instrument="warmth",
            item="warm",
            target=f"{system}-1",
            value=float(rng.integers(1, 6) + (system == "new")),
            system=system,
        )
        for rater in range(20)
        for system in ("new", "old")
    ]
    path = tmp_path / "ratings.jsonl"
    path.write_bytes(b"\n".join(msgspec.json.encode(row) for row in rows))
    return path


def test_a_within_study_is_analysed_and_written(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", str(study), "--design", "within", "-o", str(tmp_path)]) == 0
    printed = capsys.readouterr()
    assert printed.out.index("effect of system") < printed.out.index("For comparison, as usually published")
    assert "Assumptions" in printed.out
    written = read_json(tmp_path / "estimates.json", list[Estimate])
    assert all(one.signature and one.method for one in written)
    assert {one.labels["style"] for one in written} == {"careful", "published"}


def test_json_is_one_document_and_exclusions_show_both_results(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["analyze", str(study), "--design", "within", "--json", "--exclude", "human:3", "-o", str(tmp_path)]
    assert main(words) == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert document["exclusions"][0] == {"rule": "excluded by hand", "ids": ["human:3"]}
    assert document["estimates"][0]["n"] == 19
    assert document["before_exclusion"][0]["n"] == 20


def test_what_is_missing_is_told_once_per_reason(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lone = tmp_path / "one.jsonl"
    lone.write_bytes(study.read_bytes().splitlines()[0])
    assert main(["analyze", str(lone), "--design", "within", "-o", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("missing, because there are 1 subjects") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--design", "withn"], "No design is called 'withn'. Did you mean 'within'?"),
        (["--design", "within", "--item", "warmth"], "No item is called 'warmth'. Did you mean 'warm'?"),
        (["--design", "within", "--exclude", "human:99"], "No rater is called 'human:99'."),
    ],
)
def test_a_mistake_is_one_line(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], message: str
) -> None:
    assert main(["analyze", str(study), *words, "-o", str(tmp_path)]) == 1
    assert message in capsys.readouterr().err


@pytest.fixture
def groups(tmp_path: Path) -> Path:
    """Twelve raters in two groups rate eight dialogues; one answer is missing."""
    random, records = np.random.default_rng(2), []
    for place in range(8):
        records.append(
            Dialogue(
                id=f"d{place}", turns=(Turn(role="speaker", text="Hi."),), polarity=("positive", "negative")[place % 2]
            )
        )
    for number in range(12):
        records.append(Rater(id=f"human:{number}", traits={"teq": float(30 + number % 5)}))
        system, kindness = ("one", "two")[number % 2], random.normal(0, 0.5)
        for place in range(8):
            value = float(np.clip(round(2 + kindness + 0.6 * (number % 2) + random.normal(0, 0.8)), 1, 3))
            missing = number == 0 and place == 0
            records.append(
                Rating(
                    rater=f"human:{number}",
                    instrument="bad-okay-good",
                    item="rating",
                    target=f"d{place}#{system}",
                    value=None if missing else value,
                    missing="left blank" if missing else None,
                    system=system,
                    dialogue=f"d{place}",
                    metadata={"part": number // 2},
                )  # fmt: skip
            )
    write_lines(tmp_path / "ratings.jsonl", records)
    return tmp_path / "ratings.jsonl"


def test_a_between_study_is_analysed_with_blocks_levels_and_traits(
    groups: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--block", "part", "--by", "polarity", "--trait", "teq", "-o", str(tmp_path)]
    assert main(["analyze", str(groups), "--design", "between", *words]) == 0
    shown = capsys.readouterr().out
    assert (
        shown.index("ordinal_mixed_laplace.v1") < shown.index("as usually published") < shown.index("one_way_anova.v1")
    )
    assert "two − one" in shown
    assert "independent ratings" in shown
    assert "Left out (an answer without a value is left out), 1: human:0" in shown
    estimates = read_json(tmp_path / "estimates.json", list[Estimate])
    assert {"slope", "interaction", "odds_ratio", "design_effect"} <= {each.name for each in estimates}


def test_the_released_ratings_give_the_numbers_of_the_reference(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = shared / "data" / "welivita2024" / "dataset_and_ratings.csv"
    words = ["--block", "part", "--json", "-o", str(tmp_path)]
    assert main(["analyze", str(path), "--design", "between", *words]) == 0
    (document,) = json.loads(capsys.readouterr().out)
    everybody = {(e["name"], e["method"]): e for e in document["estimates"]}
    assert everybody["groups", "ordinal_mixed_laplace.v1"]["statistic"] == pytest.approx(86.84538946775501, rel=1e-6)
    assert everybody["groups", "block_means_anova.v1"]["statistic"] == pytest.approx(52.167349829036326)
    holds = {each["name"]: each["holds"] for each in document["assumptions"]}
    assert holds["independent ratings"] is False
    assert holds["enough raters"] is True
