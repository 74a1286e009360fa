from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from empathic import files
from empathic.cli import main
from empathic.records import Estimate

FAST = ["--metrics", "length,distinct,questions", "--draws", "100"]


def test_built_in_systems_are_evaluated_from_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    systems = ["--system", "human/reference", "--system", "builtin/if-else", "--system", "builtin/echo"]
    words = ["evaluate", *systems, "--limit", "12", "-o", str(tmp_path / "run"), *FAST]
    assert main([*words, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["stages"] == ["score", "analyze", "report"]
    means = {
        each["labels"]["system"]: each["value"]
        for each in document["estimates"]
        if each["labels"].get("metric") == "length.words" and each["labels"]["kind"] == "mean"
    }
    assert set(means) == {"human/reference", "builtin/if-else", "builtin/echo"}
    assert main(words) == 0
    out = capsys.readouterr()
    assert "Conversation behaviour" in out.out
    assert "score: nothing changed" in out.err


def test_answers_that_exist_are_taken_as_they_are(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bot_responses.json"
    path.write_text(json.dumps([{"query": [f"I am sad {place}"], "response": "I am sorry ."} for place in range(8)]))
    assert main(["evaluate", "--responses", f"mine={path}", "-o", str(tmp_path / "run"), *FAST, "--json"]) == 0
    estimates = files.read_json(tmp_path / "run" / "estimates.json", list[Estimate])
    assert {each.labels["system"] for each in estimates} == {"mine"}


def test_a_file_can_say_everything(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empathic.yaml"
    run = tmp_path / "run"
    path.write_text(
        f"system: [builtin/echo]\nlimit: 6\nmetrics: [length]\ndraws: 50\noutput: {run}\n", encoding="utf-8"
    )
    assert main(["evaluate", str(path)]) == 0
    assert (run / "estimates.json").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "Nothing to evaluate"),
        (["--system", "builtin/echo"], "-o runs/NAME"),
        (["--system", "builtin/echo", "--responses", "x.json", "-o", "y"], "not both"),
        (["--system", "builtin/eco", "-o", "y"], "Did you mean 'builtin/echo'"),
        (["--system", "builtin/echo", "-o", "y", "--metrics", "lenght"], "Did you mean 'length'"),
        (["--responses", "absent.json", "-o", "y"], "there is no such file"),
        (["absent.yaml"], "no such configuration file"),
    ],
)
def test_a_mistake_is_one_line_before_anything_is_asked(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["evaluate", *words]) == 1
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err
    assert not (tmp_path / "y" / "responses.jsonl").exists()


def test_an_unknown_reference_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["evaluate", "--system", "builtin/echo", "--limit", "6", "-o", str(tmp_path / "run"), *FAST]
    assert main([*words, "--reference", "human"]) == 1
    assert "No system to compare with is called 'human'" in capsys.readouterr().err


def test_the_schema_of_the_configuration_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", "--schema"]) == 0
    assert "Config" in json.loads(capsys.readouterr().out)["$defs"]


def begin(folder: Path) -> subprocess.Popen[str]:
    """`empathic evaluate` of two systems, in a process group of its own."""
    systems = ["--system", "human/reference", "--system", "builtin/if-else"]
    words = ["-m", "empathic", "evaluate", *systems, "--per-emotion", "1", "--draws", "500", "-o", str(folder)]
    return subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def kill(folder: Path, stage: str, delay: float) -> bool:
    """Kill it `delay` seconds after it said that it begins the stage; whether it was still at work."""
    process = begin(folder)
    assert process.stderr is not None
    if stage:
        next((line for line in process.stderr if line.startswith(stage)), None)
    time.sleep(delay)
    os.killpg(process.pid, signal.SIGKILL)
    process.stderr.close()
    return process.wait() == -signal.SIGKILL


def finish(folder: Path) -> dict[str, bytes]:
    """Go on to the end; what was written."""
    process = begin(folder)
    _, said = process.communicate()
    assert process.returncode == 0, said
    return {name: (folder / name).read_bytes() for name in ("scores.parquet", "scores.json", "estimates.json")}


def kill_and_resume(folder: Path, kills: list[tuple[str, float]]) -> None:
    calm = finish(folder / "calm")
    hit = [kill(folder / "wild", stage, delay) for stage, delay in kills]
    assert any(hit), "no kill came before the end"
    assert finish(folder / "wild") == calm


def test_after_three_kills_scores_and_estimates_are_the_same_bytes(tmp_path: Path) -> None:
    chance = random.Random(7)
    kill_and_resume(tmp_path, [(stage, chance.uniform(0, 0.3)) for stage in ("score", "analyze", "report")])


@pytest.mark.slow
def test_after_twenty_kills_scores_and_estimates_are_the_same_bytes(tmp_path: Path) -> None:
    chance = random.Random(11)
    for place in range(4):
        stages = [chance.choice(("", "score", "analyze", "report")) for _ in range(5)]
        kill_and_resume(tmp_path / str(place), [(stage, chance.uniform(0, 1.5)) for stage in sorted(stages)])


def test_a_judge_rates_the_responses_and_stands_in_the_profile(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judge = 'scripted/{"empathy": 4, "relevance": 3, "fluency": 5}'
    systems = ["--system", "builtin/echo", "--system", "builtin/if-else", "--limit", "8"]
    words = ["evaluate", *systems, "--judge", judge, "-o", str(tmp_path / "run"), *FAST]
    assert main([*words, "--json"]) == 0
    estimates = json.loads(capsys.readouterr().out)["estimates"]
    rated = {
        (each["labels"]["metric"], each["labels"]["system"]): each["value"]
        for each in estimates
        if each["labels"]["kind"] == "mean" and each["labels"]["metric"].startswith("rating.")
    }
    assert rated["rating.empathy-relevance-fluency.empathy", "builtin/echo"] == 4.0
    assert len(rated) == 6
    assert "Ratings" in (tmp_path / "run" / "report.html").read_text()
    assert main(words) == 0
    assert "score: nothing changed" in capsys.readouterr().err
