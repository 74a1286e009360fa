from __future__ import annotations

import json
import shlex

import pytest

from empathic.cli import main


def test_the_curve_and_the_answer_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "between", "--groups", "3", "--effect", "0.25", "--power", "0.95"]) == 0
    shown = capsys.readouterr().out
    assert "252 raters (84 per group): power 0.9515, wanted 0.95." in shown
    assert "power_between.v1|alpha:0.05|effect:0.25" in shown


def test_json_is_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["power", "chi-square", "--df", "4", "--effect", "0.3", "--power", "0.95", "--groups", "3", "--json"]) == 0
    )
    document = json.loads(capsys.readouterr().out)
    assert document["answer"]["value"] == 207
    assert document["answer"]["details"]["per_group"] == 69
    assert {"raters": 207, "power": pytest.approx(0.9507, abs=1e-4)} in document["curve"]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (["paired", "--effect", "0.4", "--power", "0.9"], "68 raters"),
        (["within", "--levels", "4", "--effect", "0.25"], "24 raters, 4 ratings each"),
        (["proportion", "--first", "0.5", "--second", "0.65"], "340 raters (170 per group)"),
        (["between", "--groups", "3", "--effect", "0.25", "--icc", "0.083", "--ratings", "10"], "10 ratings each"),
    ],
)
def test_each_design_has_an_answer(words: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", *words]) == 0
    assert answer in capsys.readouterr().out


def test_the_ordinal_model_is_simulated(capsys: pytest.CaptureFixture[str]) -> None:
    words = shlex.split(
        "ordinal --odds-ratio 4 --raters 12 --ratings 4 --items 20 --shares 0.2 0.3 0.5 --runs 3 --seed 1"
    )
    assert main(["power", *words]) == 0
    assert "in 3 simulated studies" in capsys.readouterr().out
    assert main(["power", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["answer"]["n"] == 3


def test_a_bad_setting_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "between", "--groups", "3", "--effect", "0"]) == 1
    assert "Type e.g. --effect 0.25" in capsys.readouterr().err


def test_an_effect_that_is_too_small_has_no_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["power", "paired", "--effect", "1e-9"]) == 0
    assert "No answer: more than" in capsys.readouterr().out
