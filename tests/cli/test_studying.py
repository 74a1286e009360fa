"""A study from `new` to `export` on the command line, served by a real process over real HTTP."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import httpx2
import pytest

from empathic.cli import main


def said(capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    code = main(["study", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@pytest.mark.parametrize("design", ["between", "ieval", "observer"])
def test_a_new_example_checks_without_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], design: str
) -> None:
    code, made = said(capsys, "new", "--design", design, str(tmp_path / "s"))
    assert (code, len(made["written"])) == (0, 2)
    code, found = said(capsys, "check", str(tmp_path / "s"))
    assert code == 0
    assert found["numbers"]["design"] == design
    assert not [each for each in found["findings"] if each["level"] == "problem"]


def test_a_problem_is_exit_code_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "new", "--design", "between", str(tmp_path / "s"))
    path = tmp_path / "s" / "study.yaml"
    path.write_text(path.read_text().replace("page: 3", "page: 99"))
    assert main(["study", "check", str(tmp_path / "s")]) == 1
    assert "never shown" in capsys.readouterr().out


def test_an_unknown_bot_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "new", "--design", "ieval", str(tmp_path / "s"))
    path = tmp_path / "s" / "study.yaml"
    path.write_text(path.read_text().replace("builtin/eliza", "nonsense/eliza"))
    assert main(["study", "check", str(tmp_path / "s")]) == 1
    assert "No system is called 'nonsense/eliza'" in capsys.readouterr().err


class Server:
    """`empathic study serve` in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        command = [sys.executable, "-m", "empathic", "study", "serve", str(folder), "--port", str(self.port)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE)
        self.address = f"http://127.0.0.1:{self.port}"
        self._wait()

    def _wait(self) -> None:
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{self.address}/health"):
                    return
            except (urllib.error.URLError, ConnectionError):
                if self.process.poll() is not None:
                    raise AssertionError(self.process.communicate()[1].decode()) from None
                time.sleep(0.1)
        raise AssertionError("the server did not start")

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop(signal.SIGKILL)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(how)
        self.process.communicate(timeout=60)
        return self.process.returncode


def answer(client: httpx2.Client, page: str) -> str:
    """Fill in the first form of a page with the first of everything and send it."""
    path = re.search(r'<form method="post" action="([^"]+)"', page)[1]  # type: ignore[index]
    data = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page))
    for name, value in reversed(re.findall(r'type="radio" name="([^"]+)" value="([^"]*)"', page)):
        data[name] = value
    for name in re.findall(r'type="number"[^>]*name="([^"]+)"', page):
        data[name] = "30"
    if path == "/study/consent":
        data["agree"] = "yes"
    return client.post(path, data=data).text


def test_a_study_is_served_killed_served_again_finished_and_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "s"
    said(capsys, "new", "--design", "between", str(folder))
    with Server(folder) as server:
        _, links = said(capsys, "invite", "--name", "anna", "--address", server.address, str(folder))
        with httpx2.Client(base_url=server.address, follow_redirects=True) as client:
            page = client.get(links["anna"]).text
            for _ in range(9):
                page = answer(client, page)
        assert "Response 5 of 10" in page
        server.stop(signal.SIGKILL)
    with Server(folder) as server, httpx2.Client(base_url=server.address, follow_redirects=True) as client:
        page = answer(client, client.get(f"/?{links['anna'].split('?')[1]}").text)
        assert "Response 5 of 10" in page
        for _ in range(12):
            page = page if "data-code" in page else answer(client, page)
        assert "data-code" in page
        assert server.stop() == 0
    _, status = said(capsys, "status", str(folder))
    assert status["outcomes"] == {"complete": 1}  # one attention check was failed, two would be too many
    assert main(["study", "status", str(folder)]) == 0
    assert "female | 26-45" in capsys.readouterr().out
    _, exported = said(capsys, "export", str(folder))
    assert (exported["raters"], exported["excluded"]) == (1, 0)
    assert exported["ratings"] == 16 + 10
    assert "anna" not in (folder / "export" / "raters.jsonl").read_text()
    (tmp_path / "states.csv").write_text("Participant id,Status\nanna,APPROVED\nben,RETURNED\n")
    _, noted = said(capsys, "states", "--csv", str(tmp_path / "states.csv"), str(folder))
    assert noted == {"known": 1, "unknown": ["ben"]}
    _, kept = said(capsys, "person", "--id", "anna", str(folder))
    assert kept["participant"]["platform_state"] == "APPROVED"
    assert len(kept["answer"]) > 26
    assert main(["study", "person", "--id", "anna", "--erase", str(folder)]) == 0
    assert main(["study", "person", "--id", "anna", str(folder)]) == 1
    assert "Nobody is known as 'anna'" in capsys.readouterr().err


def test_invitations_need_a_study_people_come_to_directly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from empathic.cli import studying
    from empathic.studies import versions
    from empathic.studies.store import open_store

    said(capsys, "new", "--design", "observer", str(tmp_path / "s"))
    path = tmp_path / "s" / "study.yaml"
    path.write_text(path.read_text().replace("kind: direct", "kind: prolific"))
    store = open_store(f"sqlite:///{tmp_path / 's' / 'study.db'}")
    versions.publish(store, studying.load(tmp_path / "s"))
    store.close()
    assert main(["study", "invite", "--name", "anna", str(tmp_path / "s")]) == 1
    assert "kind: direct" in capsys.readouterr().err
