from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from empathic import assert_no_worse, files
from empathic.cli import main
from empathic.comparison import compare, directions, read_gate, read_scores
from empathic.errors import InputError, SettingError, UnknownName
from empathic.records import Response, Turn

METRIC = """
from empathic import register
from empathic.contracts import Column

@register("metric", "zz-words")
class Words:
    "More words are better, for the test."
    columns = (Column(low=0, better="higher"),)
    def score(self, batch):
        return {"": [len(text.split()) for text in batch.texts]}
"""


def responses(system: str, shift: int, *, size: int = 80, seed: int = 1) -> list[Response]:
    random = np.random.default_rng(seed)
    lengths = random.integers(5, 15, size) + shift + random.integers(0, 3, size)
    return [
        Response(
            id=f"{system}-{place}",
            system=system,
            dialogue=f"d{place}",
            turns=(Turn(role="speaker", text="Hello there"),),
            text=" ".join(["word"] * int(length)),
        )
        for place, length in enumerate(lengths)
    ]


@pytest.fixture
def run(tmp_path: Path):
    extension = tmp_path / "words.py"
    extension.write_text(METRIC)

    def score(name: str, *groups: list[Response], metrics: str = "zz-words,length") -> Path:
        path = tmp_path / f"{name}.jsonl"
        files.write_lines(path, [each for group in groups for each in group])
        target = tmp_path / name
        words = ["score", str(path), "--metrics", metrics, "--load", str(extension), "-o", str(target), "--json"]
        assert main(words) == 0
        return target

    return score


def test_two_runs_of_one_system_are_compared_place_by_place(run) -> None:
    found = compare(run("base", responses("bot", 0)), run("new", responses("bot", 2, seed=2)))
    change = next(each for each in found.differences if each.labels["metric"] == "zz-words")
    assert change.value == pytest.approx(2.0, abs=1.0)
    assert change.low > 0
    assert change.n == 80
    assert found.passed


def test_the_default_gate_takes_the_metrics_that_say_which_way_is_better(run) -> None:
    base, worse = run("base", responses("bot", 0)), run("worse", responses("bot", -3, seed=2))
    assert "zz-words" in directions()
    gate = read_gate("default", base)
    assert [rule.metric for rule in gate.rules] == ["zz-words"]
    assert not compare(base, worse, gate=gate).passed
    assert compare(base, base, gate=gate).passed


def test_a_test_suite_fails_with_one_line_per_rule(run) -> None:
    base, worse = run("base", responses("bot", 0)), run("worse", responses("bot", -3, seed=2))
    with pytest.raises(AssertionError, match="zz-words: worse by at least"):
        assert_no_worse(base, worse)
    assert_no_worse(base / "scores.parquet", base)


def test_a_run_of_several_systems_asks_which(run) -> None:
    both = run("both", responses("one", 0), responses("two", 1))
    with pytest.raises(SettingError, match=r"2 systems \(one, two\)"):
        compare(both, both)
    with pytest.raises(UnknownName, match="Did you mean 'two'"):
        compare(both, both, system="twoo")
    assert compare(both, both, system="two").differences[0].value == 0.0
    assert [each.system for each in read_scores(both)] == ["one", "two"]


def test_numbers_of_different_recipes_are_not_compared(run, tmp_path: Path) -> None:
    base = run("base", responses("bot", 0), metrics="length")
    words = ["score", str(tmp_path / "base.jsonl"), "--metrics", "length", "--tokens", "split"]
    assert main([*words, "-o", str(tmp_path / "split"), "--json"]) == 0
    with pytest.raises(InputError, match="was made by 'length.v1|tokens:split'"):
        compare(base, tmp_path / "split")


def test_runs_without_a_common_metric_are_refused(run, tmp_path: Path) -> None:
    base = run("base", responses("bot", 0), metrics="zz-words")
    other = run("other", responses("bot", 0), metrics="length")
    with pytest.raises(InputError, match="no metric in common"):
        compare(base, other)
    with pytest.raises(InputError, match="no such file"):
        compare(base, tmp_path / "absent")


def test_a_base_without_directions_asks_for_a_gate_file(run) -> None:
    with pytest.raises(InputError, match="write a gate file"):
        read_gate("default", run("base", responses("bot", 0), metrics="length"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("rules: [{metric: m, tolerence: 1}]", "unknown field `tolerence`"),
        ("rules: 3", "Expected `array`"),
        ("rules: [", "not valid YAML"),
        ("{}", "missing required field `rules`"),
    ],
)
def test_a_faulty_gate_file_is_one_clear_line(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "gate.yaml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        read_gate(path, tmp_path)
    assert "gate.yaml" in str(caught.value)
    assert message in str(caught.value)
    with pytest.raises(InputError, match="no such gate file"):
        read_gate(tmp_path / "absent.yaml", tmp_path)


def test_the_command_exits_100_when_the_gate_fails_and_writes_for_ci(
    run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    base, worse = run("base", responses("bot", 0)), run("worse", responses("bot", -3, seed=2))
    gate = tmp_path / "gate.yaml"
    gate.write_text("rules: [{metric: length.words, better: higher, tolerance: 0.5}]")
    files_written = ["--junit", str(tmp_path / "gate.xml"), "--markdown", str(tmp_path / "gate.md")]
    capsys.readouterr()
    assert main(["compare", str(base), str(worse), "--gate", str(gate), *files_written]) == 100
    assert "The gate failed (exit code 100)." in capsys.readouterr().out
    assert 'failures="1"' in (tmp_path / "gate.xml").read_text()
    assert "**Failed:** length.words." in (tmp_path / "gate.md").read_text()
    assert main(["compare", str(base), str(base), "--gate", str(gate)]) == 0
    assert "The gate holds." in capsys.readouterr().out
    assert main(["compare", str(base), str(worse), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdicts"] == []
