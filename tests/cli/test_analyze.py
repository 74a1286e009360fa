from __future__ import annotations

import json
from pathlib import Path

import msgspec
import numpy as np
import pytest

from empathic.cli import main
from empathic.records import Rating


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
    (written,) = json.loads((tmp_path / "estimates.json").read_text())
    assert all("signature" in one and "method" in one for one in written["estimates"])


def test_json_is_one_document_and_exclusions_show_both_results(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["analyze", str(study), "--design", "within", "--json", "--exclude", "human:3", "-o", str(tmp_path)]
    assert main(words) == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert document["exclusions"][0] == {"rule": "excluded by hand", "ids": ["human:3"]}
    assert document["estimates"][0]["n"] == 19
    assert document["before_exclusion"][0]["n"] == 20


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
