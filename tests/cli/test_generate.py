from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from empathic import files
from empathic.cli import main
from empathic.records import Dialogue, Response, Turn
from loopback import Server, answer_to, serving

KEY = "sk-planted-0123456789abcdef"


def write(folder: Path, *messages: str) -> Path:
    path = folder / "dialogues.jsonl"
    turns = [(Turn(role="speaker", text=message), Turn(role="listener", text="I see.")) for message in messages]
    files.write_lines(path, [Dialogue(id=f"d{i}", turns=each) for i, each in enumerate(turns)])
    return path


def responses(folder: Path) -> list[Response]:
    return list(files.read_lines(folder / "responses.jsonl", Response))


def command(server: Server, dialogues: Path, output: Path, *more: str) -> list[str]:
    words = ["generate", "--system", "openai/test-model", "--base-url", server.url, "--dialogues", str(dialogues)]
    return [*words, "-o", str(output), "--procedure", "single-turn", *more]


def test_baselines_answer_every_place_of_every_dialogue(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "I lost my job, it is awful.", "We won, it is lovely!")
    names = ["builtin/if-else", "builtin/eliza", "builtin/echo", "human/reference", "builtin/retrieval"]
    words = [word for name in names for word in ("--system", name)]
    assert main(["generate", *words, "--dialogues", str(path), "--corpus", str(path), "-o", str(tmp_path / "r")]) == 0
    assert "builtin/if-else" in capsys.readouterr().out
    made = responses(tmp_path / "r")
    assert [response.system for response in made] == [name for name in names for _ in range(2)]
    assert [response.text for response in made[:2]] == ["I'm sorry to hear that.", "I'm happy to hear that."]


def test_the_built_in_dialogues_give_256_responses_per_system(tmp_path: Path) -> None:
    words = ["--system", "builtin/if-else", "--system", "builtin/retrieval", "--system", "human/reference"]
    assert main(["generate", *words, "-o", str(tmp_path / "r")]) == 0
    made = responses(tmp_path / "r")
    assert Counter(response.system for response in made) == dict.fromkeys(words[1::2], 256)
    assert all(response.text for response in made)
    assert {response.position for response in made} == {0, 1}
    assert all(response.text == response.reference for response in made if response.system == "human/reference")


def test_the_result_is_one_json_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, "a", "b", "c")
    words = ["generate", "--system", "builtin/echo", "--dialogues", str(path), "-o", str(tmp_path / "r")]
    assert main([*words, "--json", "--limit", "2", "--epochs", "3"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["systems"][0]["answered"] == 6
    assert [response.repeat for response in responses(tmp_path / "r")] == [0, 1, 2, 0, 1, 2]


def test_a_conversation_is_held_with_a_scripted_speaker(tmp_path: Path) -> None:
    turns = tuple(Turn(role=role, text=text) for role, text in (("speaker", "a"), ("listener", "b"), ("speaker", "c")))
    files.write_lines(tmp_path / "d.jsonl", [Dialogue(id="d", turns=turns)])
    words = ["--procedure", "conversation", "--turns", "5", "-o", str(tmp_path / "r")]
    assert main(["generate", "--system", "builtin/echo", "--dialogues", str(tmp_path / "d.jsonl"), *words]) == 0
    assert [[turn.text for turn in each.turns] for each in responses(tmp_path / "r")] == [["a"], ["a", "a", "c"]]
    words = ["--procedure", "conversation", "--speaker", "scripted/And then?", "-o", str(tmp_path / "q")]
    assert main(["generate", "--system", "builtin/echo", "--dialogues", str(tmp_path / "d.jsonl"), *words]) == 0
    assert [each.text for each in responses(tmp_path / "q")] == ["a", "And then?", "And then?"]


FAULTS = {
    "429 ok": None,
    "wait-0.1 ok": None,
    "500 ok": None,
    "503 ok": None,
    "slow-headers ok": None,
    "slow-body ok": None,
    "cut ok": None,
    "drop ok": None,
    "typed": None,
    "400": "HTTP 400",
    "429": "HTTP 429",
    "slow-headers": "no complete answer within 0.3 s",
    "slow-body": "no complete answer within 0.3 s",
    "cut": "the connection failed",
    "invalid": "the answer is not JSON",
    "html": "the answer is not JSON (text/html)",
    "empty": "the server answered with an empty list of choices",
    "filter": "the server's content filter withheld the answer",
    "huge": "the answer is larger than",
    "null": "the server's answer is no chat completion",
    "blank": "the answer is empty",
}


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pauses between tries a hundred times shorter."""
    monkeypatch.setattr("empathic.pacing.FIRST_PAUSE", 0.005)
    monkeypatch.setattr("empathic.pacing.LONGEST_PAUSE", 0.02)


def test_every_response_is_right_or_a_record_that_says_what_happened(
    tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str]
) -> None:
    scripts = [*FAULTS, *(["ok"] * 40)]
    random.Random(5).shuffle(scripts)
    messages = [f"message {i} [{script}]" for i, script in enumerate(scripts)]
    path = write(tmp_path, *messages)
    with serving(delay=0.002) as server:
        begin = time.monotonic()
        assert main(command(server, path, tmp_path / "r", "--timeout", "0.3", "--deadline", "6")) == 0
        assert time.monotonic() - begin < 60
        for response, message, script in zip(responses(tmp_path / "r"), messages, scripts, strict=True):
            reason = FAULTS.get(script)
            if reason is None:
                assert (response.text, response.missing) == (answer_to(message), None), script
            else:
                assert response.text is None, script
                assert response.missing.startswith(reason), script
        shown = capsys.readouterr().out
        assert "1 × HTTP 400: no luck ()" in shown
        decided = [m for m, s in zip(messages, scripts, strict=True) if s in ("filter", "blank")]
        before, answered = Counter(server.log), [m for m, s in zip(messages, scripts, strict=True) if not FAULTS.get(s)]
        assert main(command(server, path, tmp_path / "r", "--timeout", "0.3", "--deadline", "6")) == 0
        again = Counter(server.log) - before
        assert not set(again) & {*answered, *decided}
        assert len(again) == len([s for s in scripts if FAULTS.get(s)]) - len(decided)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--system", "openai/test-modle", "--base-url", "SERVER"], "Did you mean 'test-model'?"),
        (["--system", "openai/gpt-4o"], "'openai' needs a key. Type: export OPENAI_API_KEY="),
        (["--system", "openai/x", "--base-url", "http://127.0.0.1:1/v1"], "cannot be reached"),
        (["--system", "openai/test-model+vanila", "--base-url", "SERVER"], "No prompt is called 'vanila'."),
        (["--system", "builtin/echo", "--procedure", "pieces"], "No procedure is called 'pieces'."),
        (["--system", "builtin/ecko"], "Did you mean 'builtin/echo'?"),
        (["--system", "llama-cpp/smollm9"], "Did you mean 'smollm2'?"),
        (["--system", "openai/test-model", "--base-url", "SERVER", "--system", "builtin/ecko"], "builtin/echo"),
        (
            ["--system", "openai/test-model", "--base-url", "SERVER", "--speaker", "openai/test-modl"],
            "Did you mean 'test-model'?",
        ),
        (["--system", "builtin/echo", "--speaker", "opnai/x"], "Did you mean 'openai'?"),
        (["--system", "builtin/echo", "--dialogues", "bultin"], "Did you mean 'builtin'?"),
    ],
)
def test_a_mistake_is_one_clear_line_before_anything_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.chdir(tmp_path)
    path = write(tmp_path, "a")
    with serving() as server:
        given = [word.replace("SERVER", server.url) for word in words]
        assert main(["generate", "--dialogues", str(path), *given, "-o", str(tmp_path / "r")]) == 1
        assert server.log == []
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("empathic: ") and captured.err.count("\n") == 1
    assert said in captured.err


def test_a_planted_key_appears_in_no_file_and_no_output(tmp_path: Path, quick: None) -> None:
    path = write(tmp_path, "a [echo-key]", "b [400]", "c [500]", "d", "e [cut]")
    (tmp_path / ".env").write_text(f"OPENAI_API_KEY={KEY}\n")
    environment = {name: value for name, value in os.environ.items() if name != "OPENAI_API_KEY"}
    with serving(key=KEY) as server:
        words = command(
            server, path, tmp_path / "r", "--cache", str(tmp_path / "r" / "shared.sqlite"), "--timeout", "2"
        )
        done = subprocess.run(
            [sys.executable, "-m", "empathic", *words, "--deadline", "3"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert responses(tmp_path / "r")[0].text == "your key is Bearer [hidden]"
    written = [file for file in (tmp_path / "r").rglob("*") if file.is_file()]
    assert {"manifest.json", "replies.sqlite", "shared.sqlite", "responses.jsonl"} <= {file.name for file in written}
    for text in [done.stdout.encode(), done.stderr.encode(), *(file.read_bytes() for file in written)]:
        assert KEY.encode() not in text


def stored(folder: Path) -> set[str]:
    """The messages whose answers a killed run had stored."""
    if not (folder / "replies.sqlite").exists():
        return set()
    with contextlib.closing(sqlite3.connect(folder / "replies.sqlite")) as database:
        tables = database.execute("SELECT 1 FROM sqlite_master WHERE name = 'replies'").fetchall()
        rows = database.execute("SELECT reply FROM replies").fetchall() if tables else []
    return {json.loads(reply)["text"].partition("<")[2].partition(">")[0] for (reply,) in rows}


def kill_and_resume(tmp_path: Path, *, requests: int, kills: int, delay: float) -> None:
    """Run to the end once undisturbed; once more with SIGKILL at random moments; compare files and the server's log."""
    path = write(tmp_path, *(f"message {i}" for i in range(requests)))
    chance = random.Random(11)
    with serving(delay=delay) as server:
        calm = [sys.executable, "-m", "empathic", *command(server, path, tmp_path / "calm", "--max-connections", "32")]
        begin = time.monotonic()
        subprocess.run(calm, check=True, capture_output=True)
        usual = time.monotonic() - begin
        server.log.clear()
        server.seen.clear()
        words = [sys.executable, "-m", "empathic", *command(server, path, tmp_path / "wild", "--max-connections", "32")]
        killed, done = 0, []
        while killed < kills:
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(timeout=0.3 + chance.random() * usual * 1.5 / kills)
                break
            except subprocess.TimeoutExpired:
                os.kill(process.pid, signal.SIGKILL)
                process.wait()
                killed += 1
                done.append((len(server.log), stored(tmp_path / "wild")))
        subprocess.run(words, check=True, capture_output=True)
        asked = Counter(server.log)
        assert main([*words[3:]]) == 0
        assert Counter(server.log) == asked
    assert killed == kills
    assert (tmp_path / "calm" / "responses.jsonl").read_bytes() == (tmp_path / "wild" / "responses.jsonl").read_bytes()
    assert set(asked) == {f"message {i}" for i in range(requests)}
    for place, kept in done:
        assert not kept.intersection(server.log[place:]), "asked again although it was answered and stored"
    # What was asked twice was in flight when the process died: at most 32 calls for each kill.
    assert sum(count - 1 for count in asked.values()) <= killed * 32


def test_after_three_kills_only_what_is_missing_is_asked_and_the_file_is_the_same(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, requests=300, kills=3, delay=0.1)


@pytest.mark.slow
def test_after_twenty_kills_of_2000_requests_the_file_is_the_same(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, requests=2000, kills=20, delay=0.2)


def test_a_stop_by_the_user_keeps_what_was_answered(tmp_path: Path) -> None:
    path = write(tmp_path, *(f"message {i}" for i in range(60)))
    with serving(delay=0.2) as server:
        words = [sys.executable, "-m", "empathic", *command(server, path, tmp_path / "r", "--max-connections", "4")]
        process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        while len(server.log) < 12:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert process.returncode == 130
        assert said == "empathic: stopped. What was finished is kept; the same command goes on from there.\n"
        subprocess.run(words, check=True, capture_output=True)
    assert len(server.log) <= 60 + 4
    assert len(responses(tmp_path / "r")) == 60


def test_a_real_language_model_answers_through_the_real_command(smollm2: Path, tmp_path: Path) -> None:
    path = write(tmp_path, "I lost my job today.", "My daughter took her first steps!")
    words = ["generate", "--dialogues", str(path), "--max-tokens", "24", "--procedure", "single-turn"]
    words += ["--system", f"llama-cpp/{smollm2}+vanilla"]
    assert main([*words, "-o", str(tmp_path / "one")]) == 0
    assert main([*words, "-o", str(tmp_path / "two")]) == 0
    one = responses(tmp_path / "one")
    assert all(response.text and response.generation.completion_tokens <= 24 for response in one)
    assert (tmp_path / "one" / "responses.jsonl").read_bytes() == (tmp_path / "two" / "responses.jsonl").read_bytes()


@contextlib.contextmanager
def real_server(model: Path) -> Iterator[str]:
    """llama.cpp's own OpenAI-compatible server on loopback, in a process of its own."""
    source = (
        "import sys, xllamacpp\n"
        "parameters = xllamacpp.CommonParams()\n"
        "parameters.model.path, parameters.model_alias = sys.argv[1], {'smollm2'}\n"
        "parameters.n_parallel, parameters.n_ctx, parameters.verbosity = 2, 4096, -1\n"
        "parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1\n"
        "server = xllamacpp.Server(parameters)\n"
        "print(server.listening_address, flush=True)\n"
        "sys.stdin.read()\n"
    )
    command = [sys.executable, "-c", source, str(model)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        yield f"{process.stdout.readline().strip()}/v1"
        process.stdin.close()
        process.wait(20)


def against_a_real_server(model: Path, folder: Path, capsys: pytest.CaptureFixture[str], *more: str) -> list[Response]:
    with real_server(model) as url:
        words = ["generate", "--base-url", url, "--max-tokens", "16", "--max-connections", "2", *more]
        assert main([*words, "--system", "openai-compatible/smollm3", "-o", str(folder)]) == 1
        assert "Did you mean 'smollm2'?" in capsys.readouterr().err
        assert main([*words, "--system", "openai-compatible/smollm2+vanilla", "-o", str(folder)]) == 0
    return responses(folder)


def test_a_real_openai_compatible_server_answers_a_subset(
    smollm2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = against_a_real_server(smollm2, tmp_path, capsys, "--limit", "2")
    assert len(made) == 4
    assert all(response.text and response.generation.completion_tokens <= 16 for response in made)


@pytest.mark.slow
def test_a_real_openai_compatible_server_answers_the_whole_built_in_set(
    smollm2: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = against_a_real_server(smollm2, tmp_path, capsys)
    assert len(made) == 256
    assert [response.missing for response in made if response.text is None] == []
