"""A database URL becomes an open, migrated store with read and write transactions, on SQLite and PostgreSQL."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection, Engine

from empathic import parts
from empathic.errors import InputError, ServiceError
from empathic.studies import schema

MIGRATIONS = Path(__file__).parent / "migrations"
LOCK = "assignment"
WAIT_MILLISECONDS = 30_000


class Store:
    """One study's database. Ask it for transactions; nothing is kept in memory between them."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.time) -> None:
        self.engine, self.clock = engine, clock
        self.sqlite = engine.dialect.name == "sqlite"
        self._writer = threading.Lock()

    @contextlib.contextmanager
    def read(self) -> Iterator[Connection]:
        """A transaction that sees one state of the database."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextlib.contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that is committed, durably, when the block ends without an exception.

        On SQLite it holds the write lock from its beginning (BEGIN IMMEDIATE): a reader that becomes a writer would
        fail at once whatever the timeout. Writers of one process queue at a lock, which is fair; SQLite's own
        waiting is not.
        """
        with self._writer if self.sqlite else contextlib.nullcontext():
            connection = self.engine.connect().execution_options(immediate=True)
            with connection, connection.begin():
                yield connection

    def close(self) -> None:
        """Close every connection."""
        self.engine.dispose()


def open_store(url: str, clock: Callable[[], float] = time.time) -> Store:
    """The store at a URL (`sqlite:///path` or `postgresql://…`), brought to the newest schema."""
    engine = _engine(url)
    try:
        migrate(engine)
    except (sa.exc.OperationalError, sa.exc.DatabaseError) as error:
        raise ServiceError(f"The study's database cannot be opened: {_reason(error)}. Check {_shown(url)}") from error
    return Store(engine, clock)


def lock(connection: Connection) -> None:
    """Wait for the one lock of the study's places; it is held until the transaction ends (SQLite has it already)."""
    connection.execute(sa.select(schema.setting).where(schema.setting.c.name == LOCK).with_for_update())


def migrate(engine: Engine) -> None:
    """Apply the migrations that are missing, in one transaction; a SQLite file is copied first."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    script = ScriptDirectory.from_config(config)
    current = revision(engine)
    if current == script.get_current_head():
        return
    _refuse_newer(script, current)
    if current is not None and engine.dialect.name == "sqlite":
        _back_up(engine, current)

    def missing(found: Any, _context: MigrationContext) -> Any:
        return script._upgrade_revs("head", found)

    with engine.connect().execution_options(immediate=True) as connection, connection.begin():
        _one_at_a_time(connection)
        with EnvironmentContext(config, script, fn=missing) as environment:
            environment.configure(connection=connection, target_metadata=schema.metadata)
            environment.run_migrations()


def revision(engine: Engine) -> str | None:
    """The migration the database is at; None for an empty one."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _one_at_a_time(connection: Connection) -> None:
    """Several processes may start at once: on PostgreSQL the first migrates, the others wait."""
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(7215401)"))


def _refuse_newer(script: ScriptDirectory, current: str | None) -> None:
    known = {each.revision for each in script.walk_revisions()}
    if current is not None and current not in known:
        raise InputError(f"the database was written by a newer empathic (schema {current}); upgrade empathic")


def _engine(url: str) -> Engine:
    address = _address(url)
    if address.get_backend_name() == "postgresql":
        parts.need("psycopg")
        return sa.create_engine(address.set(drivername="postgresql+psycopg"), pool_size=20, max_overflow=20)
    if address.get_backend_name() != "sqlite" or not address.database:
        raise InputError(f"'{_shown(url)}' is no database this can use; give sqlite:///FILE or postgresql://…")
    Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(address, pool_size=20, max_overflow=40, connect_args={"check_same_thread": False})
    sa.event.listen(engine, "connect", _prepare_sqlite)
    sa.event.listen(engine, "begin", _begin_sqlite)
    return engine


def _address(url: str) -> sa.URL:
    try:
        return sa.make_url(url)
    except sa.exc.ArgumentError:
        raise InputError(f"'{url}' is no database address; give sqlite:///FILE or postgresql://…") from None


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where we say, not where the driver guesses
    for pragma in (
        f"busy_timeout = {WAIT_MILLISECONDS}",
        "journal_mode = WAL",
        "synchronous = FULL",  # an acknowledged answer survives a power cut
        "foreign_keys = ON",
    ):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    immediate = connection.get_execution_options().get("immediate")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")


def _back_up(engine: Engine, current: str) -> None:
    """Copy a SQLite file beside itself before its schema changes."""
    path = Path(str(engine.url.database))
    copy = path.with_name(f"{path.name}.before-{current}")
    with contextlib.closing(sqlite3.connect(path)) as source, contextlib.closing(sqlite3.connect(copy)) as target:
        source.backup(target)


def _shown(url: str) -> str:
    return sa.make_url(url).render_as_string(hide_password=True)


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", None) or error).strip().split("\n")[0]
