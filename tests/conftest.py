"""Fixtures all tests may use."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from empathic import registry
from empathic.cli import rooms
from empathic.models import MiniLM

if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    # A suite started in the background ignores Ctrl-C, and so would every process it starts and wants to stop.
    signal.signal(signal.SIGINT, signal.default_int_handler)


SHARED = Path(__file__).parent.parent.parent / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the papers' released data and reference values; tests that need it are skipped without it."""
    if not SHARED.is_dir():
        pytest.skip("the released data are not here (../shared): put them beside the repository to run this test")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What a user has added or cached on this machine does not reach the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(tmp_path_factory.mktemp("data")))
        yield


@pytest.fixture(scope="session", autouse=True)
def _all_rooms(_own_home: None) -> None:
    """Import every room once, so that what a test sees registered does not depend on the tests before it."""
    rooms.load()


@pytest.fixture(autouse=True)
def _registry_as_it_was(monkeypatch: pytest.MonkeyPatch, _all_rooms: None) -> Iterator[None]:
    """What a test registers is forgotten when it ends."""
    entries = registry._entries.items()
    copy = {kind: {name: dict(versions) for name, versions in names.items()} for kind, names in entries}
    monkeypatch.setattr(registry, "_entries", copy)
    yield


@pytest.fixture(scope="session")
def smollm2() -> Path:
    """The small real language model, got the way a user gets it; tests that need it are skipped without it."""
    from empathic import models, parts
    from empathic.errors import EmpathicError

    if not parts.present("xllamacpp"):
        pytest.skip("the extra `local` is not installed: pip install 'empathic[local]'")
    try:
        return models.add("smollm2")
    except EmpathicError as error:
        pytest.skip(f"the model cannot be had: {error}")


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    """The small real encoder, got the way a user gets it; tests that need it are skipped without it."""
    from empathic import models, parts
    from empathic.errors import EmpathicError

    if not parts.present("onnxruntime") or not parts.present("tokenizers"):
        pytest.skip("the extra `minilm` is not installed: pip install 'empathic[minilm]'")
    try:
        models.add("minilm")
    except EmpathicError as error:
        pytest.skip(f"the model cannot be had: {error}")
    return models.MiniLM()
