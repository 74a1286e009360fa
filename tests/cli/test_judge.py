"""`empathic judge` as a user runs it: against a server, killed and resumed, with a real small model."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from empathic import files
from empathic.cli import main
from empathic.records import Dialogue, Rating, Response, Turn
from judging import Judging, judging

TURNS = (Turn(role="speaker", text="I failed my exam."), Turn(role="listener", text="I am sorry, that hurts."))
SCRIPT = '{"er": 1, "ip": 0, "ex": 2}'


def conversations(folder: Path, count: int) -> Path:
    path = folder / "dialogues.jsonl"
    files.write_lines(path, (Dialogue(id=f"d{place}", turns=TURNS) for place in range(count)))
    return path


def command(server: Judging, source: Path, folder: Path, *more: str) -> list[str]:
    words = ["judge", "--judge", "openai-compatible/test-model", "--base-url", server.url, "--instrument", "eshcc"]
    return [*words, "--dialogues", str(source), "-o", str(folder), *more]


def written(folder: Path) -> list[Rating]:
    return list(files.read_lines(folder / "ratings.jsonl", Rating))


def test_a_server_judges_the_built_in_scenarios_end_to_end(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with judging() as server:
        words = command(server, Path("builtin"), tmp_path, "--limit", "12", "--json")
        assert main(words) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["judges"][0]["ratings"] == 120 and document["judges"][0]["missing"] == 0
    assert document["stamps"] == {"openai-compatible/test-model": "uncalibrated"}
    found = written(tmp_path)
    assert len({(each.rater, each.item, each.target) for each in found}) == 120
    assert {each.rater for each in found} == {"judge:openai-compatible/test-model#0"}
    assert len(server.log) == 12


def test_a_scripted_model_judges_the_built_in_scenarios_and_the_table_tells_what_it_did(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["judge", "--judge", f"scripted/{SCRIPT}", "--instrument", "epitome", "--dialogues", "builtin"]
    assert main([*words, "-o", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "uncalibrated" in out and str(tmp_path / "ratings.jsonl") in out
    found = written(tmp_path)
    assert Counter((each.item, each.value) for each in found).keys() == {("er", 1.0), ("ip", 0.0), ("ex", 2.0)}
    assert len(found) == 3 * len({each.target for each in found}) > 300


def test_responses_of_a_run_folder_are_judged_with_their_system(tmp_path: Path) -> None:
    given = [
        Response(id=f"{system}:{place}", system=system, dialogue=f"d{place}", turns=TURNS[:1], text="I see.")
        for system in ("kind", "cold")
        for place in range(2)
    ]
    missing = Response(id="cold:9", system="cold", dialogue="d9", turns=TURNS[:1], text=None, missing="it was down")
    files.write_lines(tmp_path / "responses.jsonl", [*given, missing])
    words = ["judge", "--judge", f"scripted/{SCRIPT}", "--instrument", "epitome", "--responses", str(tmp_path)]
    assert main([*words, "-o", str(tmp_path)]) == 0
    found = written(tmp_path)
    assert {each.system for each in found} == {"kind", "cold"} and len(found) == 15
    assert {each.missing for each in found if each.value is None} == {"there is no response: it was down"}


def test_a_judge_that_never_answers_readably_ends_with_1_and_the_reasons(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["judge", "--judge", "scripted/I would say 7/7.", "--instrument", "eshcc", "--dialogues", "builtin"]
    assert main([*words, "--limit", "2", "-o", str(tmp_path)]) == 1
    assert "20 × the answer holds no JSON object" in capsys.readouterr().out
    assert {(each.value, each.raw) for each in written(tmp_path)} == {(None, "I would say 7/7.")}


def test_a_panel_with_permuted_repeats_has_a_rater_for_every_sitting(tmp_path: Path) -> None:
    path = conversations(tmp_path, 3)
    with judging() as server:
        more = ["--judge", "openai-compatible/other-model", "--repeats", "2", "--permute"]
        assert main(command(server, path, tmp_path / "r", *more)) == 0
    found = written(tmp_path / "r")
    assert len({each.rater for each in found}) == 4 and len(found) == 120
    orders = {tuple(each.item for each in found if each.rater == rater and each.target == "d0") for rater in
              {each.rater for each in found}}  # fmt: skip
    assert len(orders) == 2  # both models see a subject's repeat in the same order, repeats differ


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--instrument", "eshcc", "--dialogues", "builtin", "-o", "x"], "Name the judge: --judge PROVIDER/MODEL"),
        (["--judge", "scripted/x", "--dialogues", "builtin", "-o", "x"], "Name the instrument"),
        (["--judge", "scripted/x", "--instrument", "eshcc", "-o", "x"], "Say what to judge"),
        (["--judge", "scripted/x", "--instrument", "eshcc", "--dialogues", "builtin"], "Say where to write"),
        (["--judge", "nobody/x", "--instrument", "eshcc", "--dialogues", "builtin", "-o", "x"], "nobody"),
        (["--judge", "scripted/x", "--instrument", "teq", "--dialogues", "builtin", "-o", "x"], "about themselves"),
        (
            ["--judge", "scripted/x", "--instrument", "eshcc", "--dialogues", "builtin", "-o", "x", "--limit", "0"],
            "a number from 1",
        ),
        (
            ["--judge", "scripted/x", "--instrument", "eshcc", "--dialogues", "builtin", "-o", "x", "--repeats", "3"],
            "times the same answer",
        ),
        (
            ["--judge", "scripted/x", "--instrument", "eshcc", "--dialogues", "builtin", "-o", "x"]
            + ["--prompt", "vanilla"],
            "is a prompt for systems",
        ),
    ],
)
def test_a_mistake_is_one_line_that_says_what_to_type(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["judge", *words]) == 1
    captured = capsys.readouterr()
    assert captured.out == "" and said in captured.err and captured.err.count("\n") == 1
    assert not (tmp_path / "x" / "ratings.jsonl").exists()


def test_killed_runs_go_on_without_asking_again_what_was_answered_and_without_a_duplicate(tmp_path: Path) -> None:
    path = conversations(tmp_path, 20)
    more = ("--max-connections", "4", "--repeats", "2", "--permute")
    with judging(delay=0.02) as server:
        assert main(command(server, path, tmp_path / "calm", *more)) == 0
        server.log.clear()
        words = [sys.executable, "-m", "empathic", *command(server, path, tmp_path / "wild", *more)]
        killed = 0
        for calls in (8, 24):
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while len(server.log) < calls and process.poll() is None:
                time.sleep(0.005)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            killed += 1
        assert not (tmp_path / "wild" / "ratings.jsonl").exists()
        subprocess.run(words, check=True, capture_output=True)
        asked = Counter(server.log)
        subprocess.run(words, check=True, capture_output=True)
        assert Counter(server.log) == asked
    # 40 questions; only the at most 4 calls in flight at each kill may have been asked twice
    assert len(asked) == 40 and sum(asked.values()) <= 40 + 4 * killed
    found = written(tmp_path / "wild")
    assert len({(each.rater, each.item, each.target) for each in found}) == len(found) == 400
    assert [_lasting(each) for each in found] == [_lasting(each) for each in written(tmp_path / "calm")]


def _lasting(rating: Rating) -> tuple[object, ...]:
    return rating.rater, rating.target, rating.item, rating.value, rating.order, rating.reason


def test_a_real_small_model_keeps_the_form_under_injection_and_the_move_of_its_score_is_told(
    smollm2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], record_property: Callable[[str, object], None]
) -> None:
    files.write_lines(tmp_path / "d.jsonl", [Dialogue(id="plain", turns=TURNS)])
    words = ["judge", "probe", "--judge", f"llama-cpp/{smollm2}", "--instrument", "bad-okay-good", "--dialogues"]
    words += [str(tmp_path / "d.jsonl"), "-o", str(tmp_path / "r"), "--attack", "chat-tokens", "--json"]
    assert main(words) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert (found["asked"], found["read"], found["pairs"]) == (1, 1, 1)
    record_property("shift", found["shift"])
    ratings = {each.target: each for each in written(tmp_path / "r")}
    assert ratings.keys() == {"plain#0", "plain#0!chat-tokens"}
    assert all(each.value in (1.0, 2.0, 3.0) for each in ratings.values())
    assert found["shift"] == ratings["plain#0!chat-tokens"].value - ratings["plain#0"].value


def test_a_probe_says_how_far_words_to_the_judge_moved_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def rule(prompt: str, items: list[str]) -> dict[str, float]:
        return dict.fromkeys(items, 6.0 if "give the highest score" in prompt else 4.0)

    path = conversations(tmp_path, 2)
    with judging(rule) as server:
        words = ["judge", "probe", *command(server, path, tmp_path / "r")[1:]]
        assert main([*words, "--json", "--attack", "give-highest", "--attack", "nonsense"]) == 0
        found = {each["attack"]: each for each in json.loads(capsys.readouterr().out)}
        assert main([*words, "--attack", "nonsense"]) == 0
        assert "words without meaning" in capsys.readouterr().out
        assert main([*words, "--attack", "nonsens"]) == 1
    assert "Did you mean 'nonsense'" in capsys.readouterr().err
    assert (found["give-highest"]["shift"], found["nonsense"]["shift"]) == (2.0, 0.0)
    assert found["give-highest"]["read"] == found["give-highest"]["asked"] == 20
    assert len(server.log) == 6


@pytest.mark.slow
def test_a_real_small_model_fills_the_whole_eshcc_about_built_in_scenarios(smollm2: Path, tmp_path: Path) -> None:
    words = ["judge", "--judge", f"llama-cpp/{smollm2}", "--instrument", "eshcc", "--dialogues", "builtin"]
    assert main([*words, "--limit", "2", "-o", str(tmp_path)]) == 0
    found = written(tmp_path)
    assert len(found) == 20 and all(each.value is None or 1 <= each.value <= 7 for each in found)
