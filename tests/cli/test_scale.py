"""`empathic analyze ratings FILE --instrument NAME` as a person reads it, on made and on released ratings."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from empathic import files
from empathic.cli import main
from empathic.cli.scale import drawing, span
from empathic.records import Estimate, Rating


def shown(value: float | None, low: float | None = None, high: float | None = None, name: str = "warm") -> Estimate:
    labels = {"measure": name, "system": "kind"}
    return Estimate(name=name, value=value, method="m", low=low, high=high, labels=labels)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three raters fill EPITOME about 30 responses of two systems; one refuses once."""
    rng = np.random.default_rng(3)
    given = [
        Rating(
            rater=f"human:{rater}",
            instrument="epitome",
            item=item,
            target=f"t{target}",
            value=float(np.clip(rng.integers(0, 3) + (target % 2) - (rater == 2), 0, 2)),
            system=("cold", "kind")[target % 2],
        )
        for target in range(30)
        for rater in range(3)
        for item in ("er", "ip", "ex")
    ]
    refused = Rating(rater="human:0", instrument="epitome", item="er", target="t99", value=None, missing="refused")
    path = tmp_path_factory.mktemp("scale") / "made.jsonl"
    files.write_lines(path, [*given, refused])
    return path


def test_the_text_has_every_part_in_order(made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["analyze", "ratings", str(made), "--instrument", "epitome", "-o", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    parts = ["EPITOME", "3 raters (0 judges), 31 targets", "1 answers missing: refused", "Profile", "●", "Items",
             "Agreement of raters", "Consistency of the items", "Factors by parallel analysis", "Severity of raters",
             "Order of items"]  # fmt: skip
    places = [captured.out.index(part) for part in parts]
    assert places == sorted(places)
    assert captured.err == f"{tmp_path / 'scale.json'} written\n"
    written = json.loads((tmp_path / "scale.json").read_text())
    assert written["instrument"] == "epitome" and len(written["systems"]) == 6


def test_one_instrument_need_not_be_named_and_raters_can_be_left_out(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", str(made), "--json", "--exclude", "human:2", "-o", str(tmp_path)]) == 0
    assert json.loads(capsys.readouterr().out)["raters"] == 2


def test_two_files_or_another_instrument_are_one_line(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["analyze", str(made), "other.jsonl"]) == 1
    assert "'other.jsonl' is one file too many" in capsys.readouterr().err
    assert main(["analyze", "ratings", str(made), "--instrument", "eshcc", "-o", str(tmp_path)]) == 1
    assert "no rating is on 'eshcc'; there are ratings on: epitome" in capsys.readouterr().err


def test_a_drawing_puts_the_mean_and_its_interval_on_the_scale() -> None:
    head, line = drawing([shown(4.0, 2.5, 5.5)], 1, 7)
    assert head.split() == ["1", "7"]
    bar = line.removeprefix("warm kind  ")
    assert len(bar) == 49 and bar.index("●") == 24 and bar[:12] == "·" * 12 and bar[12] == "─" == bar[36]
    assert list(drawing([shown(None)], 1, 7)) == []
    assert "─" not in list(drawing([shown(9.0)], 1, 7))[1] and list(drawing([shown(9.0)], 1, 7))[1].endswith("●")
    assert (span(shown(1.0)), span(shown(1.0, 0.5, 1.5))) == ("–", "[0.50, 1.50]")


def test_released_ratings_of_ieval_have_the_published_means_and_consistency(
    shared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = shared / "data" / "ieval2022" / "ieval_data.json"
    words = ["analyze", "ratings", str(source), "--instrument", "ieval-likert", "--json", "-o", str(tmp_path)]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["raters"], found["sheets"], found["incomplete"]) == (240, 1920, 0)
    means = {(each["labels"]["measure"], each["labels"]["system"]): each["value"] for each in found["systems"]}
    raw = json.loads(source.read_text())
    chats = [task[side]["Purple"] for task in raw for side in ("positive", "negative")]
    assert means["empathetic", "Blender"] == pytest.approx(np.mean([(c["EU"] + c["ER"]) / 2 for c in chats]))
    assert means["repetitive", "Blender"] == pytest.approx(np.mean([c["R"] for c in chats]))
    assert found["severity"][0]["missing"] == "no target was rated by two raters"
