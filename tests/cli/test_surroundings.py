from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from empathic.cli import surroundings
from empathic.contracts import Sampling
from empathic.errors import SettingError


def options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    surroundings.add_model_arguments(parser)
    surroundings.add_sampling_arguments(parser)
    parser.set_defaults(prompt=None, endpoints=None)
    return parser.parse_args(words)


def test_flags_become_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".env").write_text("OPENAI_API_KEY=from-the-file\n")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    given = options(
        "--base-url", "http://h/v1", "--extra-body", '{"k": 1}', "--price", "2.5,10", "-M", "threads=2", "--seed", "7"
    )
    made = surroundings.model_options(given, surroundings.pool(given))
    assert (made.base_url, made.extra_body, made.prices) == ("http://h/v1", {"k": 1}, (2.5, 10.0))
    assert (made.arguments, made.environment["OPENAI_API_KEY"]) == ({"threads": "2"}, "from-the-file")
    assert surroundings.sampling(given) == Sampling(seed=7)


def test_connections_and_times_become_limits() -> None:
    limits = surroundings.pool(options("--max-connections", "3", "--timeout", "5", "--deadline", "9")).limits
    assert (limits.connections, limits.attempt, limits.deadline) == (3, 5, 9)


def test_systems_of_one_model_share_it() -> None:
    made = surroundings.system_options(options(), surroundings.pool(options()), ())
    assert made.model("scripted/a") is made.model("scripted/a")
    assert made.model("scripted/a") is not made.model("scripted/b")


@pytest.mark.parametrize(
    "words", [("--price", "3"), ("--price", "a,b"), ("--extra-body", "[1]"), ("--extra-body", "{"), ("-M", "threads")]
)
def test_values_that_do_not_fit_are_refused(words: tuple[str, str]) -> None:
    given = options(*words)
    with pytest.raises(SettingError, match=words[0]):
        surroundings.model_options(given, surroundings.pool(given))


def test_limits_below_one_are_refused() -> None:
    with pytest.raises(SettingError, match="--max-connections"):
        surroundings.pool(options("--max-connections", "0"))
