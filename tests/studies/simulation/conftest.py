"""A real server on loopback in a thread, and a small study folder."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from empathic import systems
from empathic.cli import main
from empathic.studies import versions
from empathic.studies.design import Plan
from empathic.studies.simulation.process import free_port
from empathic.studies.store import Store, open_store
from empathic.studies.web.app import create_app


@pytest.fixture
def kind() -> str:
    """One database is enough where the server is not killed."""
    return "sqlite"


class Live:
    """A study that is served."""

    def __init__(self, store: Store, address: str) -> None:
        self.store, self.address = store, address


@pytest.fixture
def live(
    fresh: Callable[[str], contextlib.AbstractContextManager[str]], make_plan: Callable[..., Plan]
) -> Iterator[Callable[..., Live]]:
    """Serves a small study of a design in mode `simulated`, each time on a database of its own."""
    with contextlib.ExitStack() as stack:

        def serve(design: str = "between", **changes: Any) -> Live:
            store = open_store(stack.enter_context(fresh("sqlite")))
            stack.callback(store.close)
            if design == "ieval":
                changes |= {"bots": [{"name": name, "system": name} for name in ("eliza", "if-else", "echo")]}
            versions.publish(store, make_plan(design, **changes))
            bots = {name: systems.make(f"builtin/{name}") for name in ("eliza", "if-else", "echo")}
            port = free_port()
            config = uvicorn.Config(
                create_app(store, bots, mode="simulated"), port=port, log_level="error", timeout_graceful_shutdown=1
            )
            server = uvicorn.Server(config)
            thread = threading.Thread(target=server.run)
            thread.start()
            stack.callback(thread.join)
            stack.callback(setattr, server, "should_exit", True)
            while not server.started:
                time.sleep(0.01)
            return Live(store, f"http://127.0.0.1:{port}")

        yield serve


@pytest.fixture
def small_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[str], Path]:
    """The example of a design, cut down so that it is taken quickly."""

    def make(design: str) -> Path:
        folder = tmp_path / design
        assert main(["study", "new", "--design", design, str(folder), "--json"]) == 0
        capsys.readouterr()
        path = folder / "study.yaml"
        text = path.read_text().replace("batch: 10", "batch: 2").replace("about_rater: [teq]", "about_rater: []")
        text = text.replace("page: 3", "page: 0").replace("page: 7", "page: 1").replace("turns: 3", "turns: 1")
        text = text.replace("per_rater: 4", "per_rater: 2")
        path.write_text(text.replace("- {name: retrieval, system: builtin/retrieval}\n", ""))
        return folder

    return make
