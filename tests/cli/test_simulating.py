"""`study simulate` and `study analyze` as a researcher types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from empathic.cli import main
from loopback import serving


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    made = tmp_path / "s"
    main(["study", "new", "--design", "between", str(made)])
    path = made / "study.yaml"
    text = path.read_text().replace("batch: 10", "batch: 4").replace("about_rater: [teq]", "about_rater: []")
    path.write_text(text.replace("page: 7", "page: 1"))
    capsys.readouterr()
    return made


def test_a_simulated_study_is_analysed_and_the_effect_is_in_its_interval(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--n", "15", "--dropout", "0", "--two-tabs", "0", "--effect", "person=1.5", "--seed", "3"]
    assert main(["study", "simulate", str(folder), *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["participants"] == 15
    assert (found["lost"], found["duplicated"], found["over_assigned"]) == (0, 0, 0)
    person = next(each for each in found["effects"] if each["system"] == "person")
    assert person["covered"] and person["power"] > 0.5
    there = ["--mode", "simulated", "--database", found["database"]]
    assert main(["study", "export", str(folder), *there, "--json"]) == 0
    capsys.readouterr()
    ratings = str(folder / "export" / "ratings.jsonl")
    assert main(["analyze", ratings, "--design", "between", "-o", str(folder), "--json"]) == 0
    exported = json.loads(capsys.readouterr().out)
    assert main(["study", "analyze", str(folder), *there, "-o", str(folder / "e.json"), "--json"]) == 0
    direct = json.loads(capsys.readouterr().out)
    assert direct[0]["estimates"] == next(one for one in exported if one["item"] == "empathy")["estimates"]
    reference = person["reference"]
    gap = next(
        each
        for each in direct[0]["estimates"]
        if each["method"].startswith("linear_mixed")
        and each["name"] == "difference"
        and each["labels"] == {"system": "person", "baseline": reference}
    )
    assert gap["low"] <= person["simulated"] <= gap["high"]
    assert (folder / "e.json").exists()
    assert main(["study", "analyze", str(folder), *there]) == 0
    assert "design between" in capsys.readouterr().out


def test_a_simulation_is_told_in_words_and_begins_anew_each_time(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", "simulate", str(folder), "--n", "2"]) == 0
    said = capsys.readouterr().out
    assert "2 simulated participants" in said
    assert "0 lost, 0 duplicated, 0 over-assigned" in said
    assert not (folder / "study.db").exists()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--dropout", "20"], "--dropout 20: give a share from 0 to 1"),
        (["--two-tabs", "nan"], "--two-tabs nan"),
        (["--n", "0"], "at least one person"),
        (["--effect", "nobody=1"], "nobody"),
        (["--effect", "much"], "NAME=NUMBER"),
    ],
)
def test_an_impossible_setting_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    assert main(["study", "simulate", str(folder), *words]) == 1
    assert problem in capsys.readouterr().err


@pytest.fixture
def chats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    made = tmp_path / "i"
    main(["study", "new", "--design", "ieval", str(made)])
    path = made / "study.yaml"
    text = path.read_text().replace("turns: 3", "turns: 1")
    path.write_text(text.replace("- {name: retrieval, system: builtin/retrieval}\n", ""))
    capsys.readouterr()
    return made


def test_bots_can_be_replaced_and_stream_from_a_real_server(chats: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The server process asks a model over HTTP, after it has checked it in an event loop that is gone by then."""
    with serving(delay=0.01) as server:
        words = ["--n", "2", "--dropout", "0", "--bot", "eliza=openai-compatible/test-model", "--base-url", server.url]
        words += ["--max-tokens", "40"]
        assert main(["study", "simulate", str(chats), *words, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
    assert (found["participants"], found["outcomes"], found["lost"]) == (2, {"complete": 2}, 0)
    assert len(server.log) == 4
    assert all(body["stream"] and body["max_tokens"] == 40 for body in server.bodies)
    there = ["--mode", "simulated", "--database", found["database"], "-o", str(chats / "out")]
    assert main(["study", "export", str(chats), *there]) == 0
    said = [json.loads(line) for line in (chats / "out" / "responses.jsonl").read_text().splitlines()]
    assert sum(each["text"].startswith("About <") for each in said if each["system"] == "eliza") == 4


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--bot", "elisa=builtin/echo"], "No bot of the study is called 'elisa'. Did you mean 'eliza'?"),
        (["--bot", "eliza"], "NAME=SYSTEM is needed"),
        (["--bot", "eliza=nonsense/x"], "nonsense/x"),
    ],
)
def test_a_bot_that_cannot_be_is_refused(
    chats: Path, capsys: pytest.CaptureFixture[str], words: list[str], problem: str
) -> None:
    assert main(["study", "simulate", str(chats), "--n", "1", *words]) == 1
    assert problem in capsys.readouterr().err


def test_a_study_without_bots_has_none_to_replace(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["study", "simulate", str(folder), "--n", "1", "--bot", "eliza=builtin/echo"]) == 1
    assert "this study has no bots" in capsys.readouterr().err
