"""`empathic study desk`: the password comes from the terminal, a pipe or the environment, and a weak one is refused."""

from __future__ import annotations

import io
import json
import os
import pty
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from empathic.cli import desking, main
from empathic.studies import schema
from empathic.studies.desk import passwords
from empathic.studies.store import Store, open_store

GOOD = "violet harbour 9 spoons"


@pytest.fixture
def study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    assert main(["study", "new", "--design", "between", str(tmp_path / "s"), "--json"]) == 0
    capsys.readouterr()
    return tmp_path / "s"


@pytest.fixture
def opened(study: Path) -> Callable[[], Store]:
    return lambda: open_store(f"sqlite:///{study}/study.db")


def fits(store: Store, name: str, password: str) -> bool:
    table = schema.desk_account.c
    with store.read() as connection:
        kept = connection.scalar(sa.select(table.password).where(table.name == name))
    store.close()
    return kept is not None and passwords.fits(password, kept)


def test_the_password_of_the_environment_opens_the_desk(
    study: Path, opened: Callable[[], Store], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(desking.VARIABLE, GOOD)
    assert main(["study", "desk", str(study), "--name", "anna", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"account": "anna", "done": "made"}
    assert fits(opened(), "anna", GOOD)
    assert main(["study", "desk", str(study), "--name", "anna"]) == 0
    assert "is changed" in capsys.readouterr().out
    assert main(["study", "desk", str(study), "--name", "anna", "--remove"]) == 0
    assert not fits(opened(), "anna", GOOD)


def test_the_first_line_of_a_pipe_is_taken(
    study: Path, opened: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{GOOD}\r\nmore\n"))
    assert main(["study", "desk", str(study)]) == 0
    assert fits(opened(), "researcher", GOOD)


@pytest.mark.parametrize("weak", ["", "password", "empathic2026!", "123456789012"])
def test_a_default_or_weak_password_is_refused(
    study: Path, weak: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(weak))
    assert main(["study", "desk", str(study)]) == 1
    assert "This password is refused" in capsys.readouterr().err


def test_nobody_can_give_the_password_on_the_command_line(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["study", "desk", str(study), "--password", GOOD])
    assert "unrecognized arguments" in capsys.readouterr().err


def typed(study: Path, *lines: str) -> tuple[int, str]:
    """The command at a terminal of its own, and what is typed there."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(sys.executable, [sys.executable, "-m", "empathic", "study", "desk", str(study)])
    said = b""
    for line in lines:
        while not said.endswith(b": "):
            said += os.read(terminal, 1000)
        os.write(terminal, f"{line}\n".encode())
        said += b"|"
    while True:
        try:
            more = os.read(terminal, 1000)
        except OSError:
            break
        said += more
        if not more:
            break
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), said.decode()


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_at_a_terminal_the_password_is_typed_twice_and_not_shown(study: Path, opened: Callable[[], Store]) -> None:
    code, said = typed(study, GOOD, GOOD + "x")
    assert code == 1
    assert "The two passwords differ" in said
    code, said = typed(study, GOOD, GOOD)
    assert code == 0
    assert "at least 12 characters" in said
    assert GOOD not in said
    assert fits(opened(), "researcher", GOOD)


def test_serve_says_where_the_desk_is_or_what_to_type(study: Path, opened: Callable[[], Store]) -> None:
    assert main(["study", "status", str(study)]) == 1, "nothing is published yet"
    store = opened()
    told = desking.where(store, "http://127.0.0.1:8000/", study)
    assert f"empathic study desk {study}" in told
    store.close()
    os.environ[desking.VARIABLE] = GOOD
    try:
        assert main(["study", "desk", str(study)]) == 0
    finally:
        del os.environ[desking.VARIABLE]
    store = opened()
    assert desking.where(store, "http://127.0.0.1:8000/", study).endswith("http://127.0.0.1:8000/desk")
    store.close()
