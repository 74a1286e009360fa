"""People and judges in one path: judged by a server, calibrated, stamped, combined, analysed as a scale."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from empathic import files, registry
from empathic.cli import calibrate, main
from empathic.records import Dialogue, Instrument, Rating, Turn
from judging import judging

JUDGE = "openai-compatible/test-model"


@pytest.fixture
def eshcc() -> Instrument:
    found: Instrument = registry.find("instrument", "eshcc").thing
    return found


def quality(place: int) -> int:
    return 1 + place % 5


def conversations(count: int) -> list[Dialogue]:
    """Conversations whose worth can be read off them: the more the listener says, the better."""
    return [
        Dialogue(
            id=f"d{place}",
            turns=(
                Turn(role="speaker", text="I failed my exam."),
                Turn(role="listener", text="I am sorry. " * quality(place)),
            ),
            metadata={"system": "kind" if place % 2 else "cold"},
        )
        for place in range(count)
    ]


def rule(prompt: str, items: list[str]) -> dict[str, float]:
    """A judge that sees the worth, is one point too kind, and does not tell the items apart except warmth."""
    worth = prompt.partition("[begin")[2].count("I am sorry.")
    return {item: float(min(7, worth + 1 + (item == "warmth"))) for item in items}


def people(dialogues: list[Dialogue], items: list[str], raters: int = 3) -> list[Rating]:
    rng = np.random.default_rng(1)
    return [
        Rating(
            rater=f"human:{rater}",
            instrument="eshcc",
            item=item,
            target=dialogue.id,
            value=float(np.clip(quality(place) + rng.integers(0, 2), 1, 7)),
            system=dialogue.metadata["system"],
            dialogue=dialogue.id,
        )
        for place, dialogue in enumerate(dialogues)
        for rater in range(raters)
        for item in items
    ]


@pytest.fixture
def study(tmp_path: Path, eshcc: Instrument) -> Path:
    """60 conversations judged through the real command, the first 30 rated by three people."""
    dialogues = conversations(60)
    files.write_lines(tmp_path / "d.jsonl", dialogues)
    files.write_lines(tmp_path / "people.jsonl", people(dialogues[:30], [item.id for item in eshcc.items]))
    with judging(rule) as server:
        words = [
            "judge",
            "--judge",
            JUDGE,
            "--base-url",
            server.url,
            "--instrument",
            "eshcc",
            "-o",
            str(tmp_path / "run"),
        ]
        assert main([*words, "--dialogues", str(tmp_path / "d.jsonl")]) == 0
    return tmp_path


def both(study: Path) -> list[str]:
    return [
        "--judge-ratings",
        str(study / "run"),
        "--human-ratings",
        str(study / "people.jsonl"),
        "--replicates",
        "200",
    ]


def test_people_and_a_judge_become_one_table_agreement_with_ceiling_and_a_profile_with_intervals(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["judge", "calibrate", *both(study), "--json", "-o", str(study / "calibration.json")]) == 0
    (document,) = json.loads(capsys.readouterr().out)
    total = next(each for each in document["calibration"]["measures"] if each["measure"] == "total")
    assert total["targets"] == 30 and total["people_per_target"] == 3
    assert 0 < total["kappa"]["value"] < total["kappa_people"]["value"] <= 1
    assert total["bias"]["value"] == pytest.approx(0.6, abs=0.15)  # people give half a point, the judge 1.1 points more
    table = [
        *files.read_lines(study / "people.jsonl", Rating),
        *files.read_lines(study / "run" / "ratings.jsonl", Rating),
    ]
    files.write_lines(study / "all.jsonl", table)
    assert (
        main(["analyze", "ratings", str(study / "all.jsonl"), "--instrument", "eshcc", "-o", str(study), "--json"]) == 0
    )
    scale = json.loads(capsys.readouterr().out)
    assert (scale["raters"], scale["judges"], scale["targets"]) == (4, 1, 60)
    profile = {(each["labels"]["measure"], each["labels"]["system"]): each for each in scale["systems"]}
    assert len(profile) == 10 and all(each["low"] < each["value"] < each["high"] for each in profile.values())
    assert {name for name, _ in profile} == {"cognitive", "affective", "attitudinal", "attunement", "total"}
    assert scale["stamps"] == {f"judge:{JUDGE}": "uncalibrated"}
    severity = {each["name"]: each["value"] for each in scale["severity"][1:]}
    assert max(severity, key=severity.get) == f"judge:{JUDGE}#0"


def test_the_table_shows_the_judge_next_to_people_and_ends_with_the_stamp(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["judge", "calibrate", *both(study)]) == 0
    out = capsys.readouterr().out
    assert f"judge:{JUDGE} beside people, eshcc.v1" in out
    assert "Stamp: calibrated on people.jsonl (total), κ = 0." in out and "n = 30; people among themselves κ = " in out


def test_ratings_of_the_calibrated_judge_carry_the_stamp_and_others_do_not(
    study: Path, eshcc: Instrument, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", "calibrate", *both(study), "-o", str(study / "calibration.json")]) == 0
    capsys.readouterr()
    words = ["judge", "--judge", JUDGE, "--instrument", "eshcc", "--dialogues", str(study / "d.jsonl")]
    words += ["--calibration", str(study / "calibration.json"), "--json"]
    with judging(rule) as server:
        for more, expected in (
            (["-o", "a"], "calibrated on people.jsonl"),
            (["-o", "b", "--permute"], "uncalibrated ("),
        ):
            folder = study / more[1]
            assert main([*words, "--base-url", server.url, "-o", str(folder), *more[2:], "--limit", "2"]) == 0
            assert json.loads(capsys.readouterr().out)["stamps"][JUDGE].startswith(expected)


def test_a_scale_with_a_judge_among_its_raters_carries_the_stamp(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = study / "kept.json"
    assert main(["judge", "calibrate", *both(study), "-o", str(kept)]) == 0
    capsys.readouterr()
    words = ["analyze", "ratings", str(study / "run"), "--instrument", "eshcc", "-o", str(study)]
    assert main([*words, "--calibration", str(kept)]) == 0
    assert f"judge:{JUDGE}: calibrated on people.jsonl (total), κ = 0." in capsys.readouterr().out
    ratings = list(files.read_lines(study / "run" / "ratings.jsonl", Rating))
    eshcc: Instrument = registry.find("instrument", "eshcc").thing
    other = [msgspec.structs.replace(each, metadata={"signature": "another"}) for each in ratings[:10]]
    mixed = calibrate.stamps(kept, [*ratings[10:], *other], eshcc)
    assert mixed == {f"judge:{JUDGE}": "uncalibrated (its ratings were made in 2 ways)"}


def test_few_people_and_many_judgements_become_one_estimate_per_system(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["judge", "estimate", *both(study), "--json"]) == 0
    found = {
        (each["labels"]["measure"], each["labels"]["system"]): each for each in json.loads(capsys.readouterr().out)
    }
    total = found["total", "kind"]
    assert total["low"] < 3.5 < total["high"] and total["details"]["judge_alone"] > 3.9  # 3 + half a point; 3 + 1.1
    assert total["details"]["worth"] > total["n"] == 15
    assert main(["judge", "estimate", *both(study)]) == 0
    assert "worth: how many targets" in capsys.readouterr().out


@pytest.mark.parametrize("action", ["calibrate", "estimate"])
def test_what_is_missing_or_mixed_up_is_one_line(action: str, study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    given = both(study)
    swapped = ["--judge-ratings", given[3], "--human-ratings", given[1]]
    for words, said in (
        (given[:2], f"`judge {action}` needs --judge-ratings FILE and --human-ratings FILE"),
        (swapped, "--judge-ratings: no rater is a judge"),
        ([*given, "--instrument", "epitome"], "no rating is on 'epitome'"),
        ([*given, "--width", "0"], "--width is above 0"),
    ):
        assert main(["judge", action, *words]) == 1
        captured = capsys.readouterr()
        assert said in captured.err and captured.out == ""


def test_ratings_made_in_two_ways_are_not_calibrated_together(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with judging(rule) as server:
        words = ["judge", "--judge", JUDGE, "--base-url", server.url, "--instrument", "eshcc", "--permute"]
        assert main([*words, "--dialogues", str(study / "d.jsonl"), "-o", str(study / "other"), "--limit", "3"]) == 0
    capsys.readouterr()
    later = [*files.read_lines(study / "run" / "ratings.jsonl", Rating)][30:]  # what the other run did not rate
    files.write_lines(study / "mixed.jsonl", [*files.read_lines(study / "other" / "ratings.jsonl", Rating), *later])
    words = ["--judge-ratings", str(study / "mixed.jsonl"), "--human-ratings", str(study / "people.jsonl")]
    assert main(["judge", "calibrate", *words]) == 1
    assert "were made in 2 ways" in capsys.readouterr().err


def test_a_judge_without_common_targets_stays_uncalibrated(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    elsewhere = [each for each in files.read_lines(study / "run" / "ratings.jsonl", Rating) if each.target == "d59"]
    files.write_lines(study / "one.jsonl", elsewhere)
    words = ["--judge-ratings", str(study / "one.jsonl"), "--human-ratings", str(study / "people.jsonl"), "--json"]
    capsys.readouterr()
    assert main(["judge", "calibrate", *words]) == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert document["stamp"].startswith("uncalibrated: 0 target(s)")


def test_the_recipe_of_a_judge_does_not_change_with_the_version_of_the_package() -> None:
    assert calibrate._recipe("judge.v1|model:m|empathic:0.1.0") == calibrate._recipe("judge.v1|model:m|empathic:9.0.0")
    assert calibrate._recipe("unsigned") == "unsigned"
