"""A probe run from end to end: files, resumption after a kill, log-probabilities, failures."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from empathic import files
from empathic.cli import main
from empathic.probes.measured import Measured
from empathic.records import Estimate, Response
from empathic.runs import Run

PLANTED = Path(__file__).parent / "planted.py"
KEPT = ("probes.jsonl", "dialogues.jsonl", "responses.jsonl", "measured.jsonl", "estimates.json")


def probe(folder: Path, *words: str, system: str = "planted/unbiased:1") -> int:
    return main(
        ["probe", "run", "--load", str(PLANTED), "--system", system, "-o", str(folder), "--draws", "99", *words]
    )


def measured(folder: Path) -> list[Measured]:
    return list(files.read_lines(folder / "measured.jsonl", Measured))


def estimate(folder: Path, name: str) -> Estimate:
    return next(one for one in files.read_json(folder / "estimates.json", list[Estimate]) if one.name == name)


def test_a_run_leaves_every_file_and_a_manifest_that_fits_them(tmp_path: Path) -> None:
    assert probe(tmp_path, "--focal", "religion", "--limit", "8") == 0
    Run(tmp_path).check()
    assert "Who is understood?" in (tmp_path / "report.html").read_text(encoding="utf-8")
    manifest = Run(tmp_path).manifest()
    assert [stage.name for stage in manifest.stages] == ["sample", "generate", "measure", "analyze"]
    assert manifest.stages[0].seed == 1
    assert manifest.stages[0].settings["design"]["focal"] == ["religion"]
    assert set(Counter(row.metric for row in measured(tmp_path))) == {
        "ce", "ce.consistency", "ae.valence", "ae.arousal", "ae.dominance", "era.emotional_reactions",
        "era.interpretations", "era.explorations", "refusal", "role_break", "length",
    }  # fmt: skip


def test_the_reference_answers_are_all_keyed(tmp_path: Path) -> None:
    assert probe(tmp_path, "--focal", "pronouns", "--limit", "4", "--orders", "10", system="human/reference") == 0
    choices = [row for row in measured(tmp_path) if row.metric == "ce"]
    assert {(row.value, row.chosen, row.outcome) for row in choices} == {(1.0, "empathetic", "ok")}
    assert set(Counter(row.position for row in choices).values()) == {len(choices) // 5}
    assert estimate(tmp_path, "ce.accuracy").value == 1


def test_two_runs_of_one_seed_are_the_same_bytes(tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert probe(tmp_path / name, "--focal", "pronouns", "--limit", "4", "--seed", "5") == 0
    for name in KEPT:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name


def test_killed_in_the_middle_it_resumes_and_gives_the_same_bytes(tmp_path: Path) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(PLANTED.read_text().replace("chance = random", "await asyncio.sleep(0.01)\n        chance = random")
                    .replace("import random\n", "import asyncio\nimport random\n"))  # fmt: skip
    asked = ["--focal", "religion", "--limit", "40", "--controls", "0", "--draws", "99"]
    words = ["probe", "run", "--system", "planted/less:3", *asked]
    command = [sys.executable, "-m", "empathic", *words, "--load", str(slow), "-o", str(tmp_path / "killed")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    store = tmp_path / "killed" / "replies.sqlite-wal"
    with contextlib.suppress(FileNotFoundError):
        while process.poll() is None and not (store.exists() and store.stat().st_size > 60_000):
            time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not (tmp_path / "killed" / "measured.jsonl").exists(), "it was killed before it ended"
    assert main([*words, "--load", str(slow), "-o", str(tmp_path / "killed")]) == 0
    assert main([*words, "--load", str(slow), "-o", str(tmp_path / "whole")]) == 0
    for name in KEPT:
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes(), name


def test_a_system_that_always_fails_is_told_with_its_reason(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text(
        "from empathic.registry import register\n"
        "@register('system', 'broken')\n"
        "def broken(messages):\n"
        "    raise RuntimeError('no cable')\n"
    )
    words = [
        "probe",
        "run",
        "--load",
        str(broken),
        "--system",
        "broken",
        "--focal",
        "pronouns",
        "--limit",
        "2",
        "--draws",
        "99",
    ]
    assert main([*words, "-o", str(tmp_path / "run")]) == 1
    rows = measured(tmp_path / "run")
    assert {row.value for row in rows} == {None}
    assert {row.missing for row in rows} == {"the system raised RuntimeError: no cable"}
    assert {row.outcome for row in rows if row.metric == "ce"} == {"failed"}


@pytest.mark.parametrize("answer", ["''", "'   '", "'\\N{PILE OF POO} \\u202e \\x00'", "'ř' * 20000", "None", "5"])
def test_odd_answers_are_counted_not_fatal(tmp_path: Path, answer: str) -> None:
    odd = tmp_path / "odd.py"
    text = (
        f"from empathic.registry import register\n@register('system', 'odd')\ndef odd(messages):\n    return {answer}\n"
    )
    odd.write_text(text)
    words = [
        "probe",
        "run",
        "--load",
        str(odd),
        "--system",
        "odd",
        "--focal",
        "pronouns",
        "--limit",
        "1",
        "--draws",
        "99",
    ]
    main([*words, "-o", str(tmp_path / "run")])
    for row in measured(tmp_path / "run"):
        assert (row.value is None) == (row.missing is not None)
    assert estimate(tmp_path / "run", "ce.accuracy").value == 0


def test_czech_runs_to_the_end_and_says_what_is_missing(tmp_path: Path) -> None:
    assert probe(tmp_path, "--language", "cs", "--focal", "pronouns", "--limit", "2") == 0
    reasons = {row.metric: row.missing for row in measured(tmp_path) if row.missing}
    assert reasons["ae.valence"] == "no affect lexicon for 'cs' was given; name one with --lexicon"
    assert estimate(tmp_path, "ce.read").value == 1


def test_responses_carry_what_they_answer(tmp_path: Path) -> None:
    probe(tmp_path, "--focal", "pronouns", "--limit", "2")
    response = next(iter(files.read_lines(tmp_path / "responses.jsonl", Response)))
    assert response.metadata["form"] == "free"
    assert response.procedure is not None
    assert response.procedure.startswith("probe.v1@")


@pytest.mark.slow
def test_the_real_small_model_is_probed_offline(tmp_path: Path, smollm2: Path) -> None:
    words = ["--focal", "religion", "--limit", "2", "--controls", "0", "--max-tokens", "24", "--temperature", "0"]
    assert probe(tmp_path, *words, system=f"llama-cpp/{smollm2}") == 0
    rows = [row for row in measured(tmp_path) if row.metric == "ce.logprob"]
    assert len(rows) == 10
    assert any(row.value is not None and 0 < row.value < 1 for row in rows)
    document = json.loads((tmp_path / "estimates.json").read_text())
    assert any(one["name"] == "ce.agreement" for one in document)
