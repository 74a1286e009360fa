"""Who comes when nobody is there clears up; who comes beside somebody living does not."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from empathic.studies import presence
from empathic.studies.presence import Presence
from empathic.studies.store import Store

OTHER = """
import sys, time
from empathic.studies.presence import Presence
from empathic.studies.store import open_store
Presence(open_store(sys.argv[1])).begin(lambda: print("alone", end=" "))
print("there", flush=True)
time.sleep(60)
"""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "PATIENCE_SECONDS", 0.3)


def come(store: Store) -> tuple[Presence, bool]:
    found, alone = Presence(store), list[bool]()
    found.begin(lambda: alone.append(True))
    return found, bool(alone)


def test_the_first_is_alone_the_next_is_not_and_after_all_have_gone_one_is_again(
    store: Store, open_at: Callable[[], Store]
) -> None:
    one, first = come(store)
    two, second = come(open_at())
    assert (first, second) == (True, False)
    one.end()
    three, third = come(open_at())
    assert not third
    two.end()
    three.end()
    four, fourth = come(open_at())
    four.end()
    four.end()
    assert fourth


def test_a_killed_process_is_gone_at_once(
    store: Store, url: str, open_at: Callable[[], Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    with subprocess.Popen([sys.executable, "-c", OTHER, url], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        try:
            assert other.stdout.readline() == "alone there\n"
            beside, alone = come(store)
            assert not alone
            beside.end()
        finally:
            other.send_signal(signal.SIGKILL)
            other.wait()
    monkeypatch.setattr(presence, "PATIENCE_SECONDS", 30.0)
    after, alone = come(open_at())
    after.end()
    assert alone


def test_nobody_else_is_there_while_one_clears_up(store: Store, open_at: Callable[[], Store]) -> None:
    seen: list[bool] = []

    def clear_up() -> None:
        other = open_at()
        monkey = Presence(other)
        with pytest.raises(Exception, match="lock"):  # it would have to wait: we are not done
            _at_once(monkey)
        seen.append(True)

    mine = Presence(store)
    mine.begin(clear_up)
    mine.end()
    assert seen == [True]


def _at_once(other: Presence) -> None:
    """Come, but wait for nobody."""
    if other._store.sqlite:
        presence.WAIT_MILLISECONDS, before = 10, presence.WAIT_MILLISECONDS
        try:
            other.begin(lambda: pytest.fail("two are alone"))
        finally:
            presence.WAIT_MILLISECONDS = before
        return
    with other._store.engine.connect() as session:
        if not session.exec_driver_sql(f"SELECT pg_try_advisory_lock_shared({presence.LOCK})").scalar():
            raise RuntimeError("the lock is held")
