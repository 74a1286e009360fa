from __future__ import annotations

import os
import subprocess
import sys

import pytest

from empathic import cli
from empathic.registry import package_version


def test_help_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main([]) == 0
    assert cli.main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {verb} " in out for verb in cli.VERBS)


def test_help_imports_nothing_heavy() -> None:
    code = "import sys; from empathic.cli import main; main(['--help']); print(sorted(sys.modules), file=sys.stderr)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr
    for module in ("msgspec", "numpy", "pyarrow", "asyncio", "importlib.metadata"):
        assert f"'{module}'" not in loaded


@pytest.mark.parametrize("verb", cli.VERBS)
def test_every_verb_has_help(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        cli.main([verb, "--help"])
    assert stopped.value.code == 0
    assert f"empathic {verb}" in capsys.readouterr().out


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"empathic {package_version()}\n"


def test_an_unknown_verb_is_one_line_and_exit_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["shw"]) == 1
    assert capsys.readouterr().err == "empathic: No verb is called 'shw'. Did you mean 'show'?\n"


def test_ctrl_c_says_that_nothing_is_lost(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(verb: str, words: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run", interrupted)
    assert cli.main(["list"]) == 130
    assert "kept" in capsys.readouterr().err


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m empathic list | head -c 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env={**os.environ}, check=False)
    assert done.stderr == ""
