"""A server says that it is there as long as it lives; who comes when nobody is there clears up what the dead had begun.

A lock that the operating system frees however a process ends: on PostgreSQL an advisory lock of a connection, on SQLite
the lock of an empty file beside the database. All servers share it; who can have it alone is alone.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable

import sqlalchemy as sa

from empathic.studies.store import WAIT_MILLISECONDS, Store

LOCK = 7215402
PATIENCE_SECONDS = 2.0  # PostgreSQL needs a moment to see that a client is dead
PAUSE_SECONDS = 0.05


class Presence:
    """Held from the start of a server to its end."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._file: sqlite3.Connection | None = None
        self._session: sa.Connection | None = None

    def begin(self, alone: Callable[[], object]) -> None:
        """Be present from now on; `alone` is called first if no other server of this study is."""
        if self._store.sqlite:
            self._file = _share_file(f"{self._store.engine.url.database}.servers", alone)
        else:
            self._session = _share_database(self._store.engine, alone)

    def end(self) -> None:
        """No longer present."""
        with contextlib.suppress(sqlite3.Error, sa.exc.DBAPIError):
            if self._file is not None:
                self._file.close()
            if self._session is not None:
                self._session.invalidate()  # the lock goes with the connection
                self._session.close()
        self._file, self._session = None, None


def _share_file(path: str, alone: Callable[[], object]) -> sqlite3.Connection:
    file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=0)
    with contextlib.suppress(sqlite3.OperationalError):  # locked: somebody is there
        file.execute("BEGIN EXCLUSIVE")
    if file.in_transaction:
        alone()
        file.execute("ROLLBACK")
    file.execute(f"PRAGMA busy_timeout = {WAIT_MILLISECONDS}")  # another one may be clearing up
    file.execute("BEGIN")
    file.execute("SELECT count(*) FROM sqlite_master").fetchone()  # takes the shared lock
    return file


def _share_database(engine: sa.Engine, alone: Callable[[], object]) -> sa.Connection:
    session = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    end = time.monotonic() + PATIENCE_SECONDS
    while not (free := _call(session, "pg_try_advisory_lock")) and time.monotonic() < end:
        time.sleep(PAUSE_SECONDS)
    if free:
        alone()
    _call(session, "pg_advisory_lock_shared")
    if free:
        _call(session, "pg_advisory_unlock")
    return session


def _call(session: sa.Connection, function: str) -> bool:
    return bool(session.exec_driver_sql(f"SELECT {function}({LOCK})").scalar())
