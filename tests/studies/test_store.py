"""The store: both databases, durability settings, migrations with a backup, several processes."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext

from empathic.errors import InputError, ServiceError
from empathic.studies import schema
from empathic.studies.store import Store, migrate, open_store, revision


def test_the_migrations_make_exactly_the_tables_of_the_schema(store: Store) -> None:
    with store.engine.connect() as connection:
        context = MigrationContext.configure(connection)
        assert compare_metadata(context, schema.metadata) == []


def test_opening_again_changes_nothing(store: Store, open_at: Callable[[], Store]) -> None:
    before = revision(store.engine)
    with store.write() as connection:
        connection.execute(schema.setting.insert().values(name="kept", value="yes"))
    again = open_at()
    assert revision(again.engine) == before == "0002"
    with again.read() as connection:
        assert connection.scalar(sa.select(schema.setting.c.value).where(schema.setting.c.name == "kept")) == "yes"


def test_a_failed_transaction_leaves_nothing(store: Store) -> None:
    with pytest.raises(RuntimeError), store.write() as connection:
        connection.execute(schema.setting.insert().values(name="half", value="yes"))
        raise RuntimeError
    with store.read() as connection:
        assert connection.execute(sa.select(schema.setting).where(schema.setting.c.name == "half")).first() is None


def test_writers_of_two_connections_wait_for_each_other(store: Store, open_at: Callable[[], Store]) -> None:
    with store.write() as connection:
        connection.execute(schema.setting.insert().values(name="count", value="0"))
    stores = [store, open_at()]

    def count(mine: Store) -> None:
        for _ in range(20):
            with mine.write() as connection:
                row = sa.select(schema.setting).where(schema.setting.c.name == "count").with_for_update()
                value = connection.execute(row).mappings().one()["value"]
                update = schema.setting.update().where(schema.setting.c.name == "count")
                connection.execute(update.values(value=str(int(value) + 1)))

    threads = [threading.Thread(target=count, args=(mine,)) for mine in stores * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with store.read() as connection:
        assert connection.scalar(sa.select(schema.setting.c.value).where(schema.setting.c.name == "count")) == "80"


def test_sqlite_writes_ahead_and_waits_for_the_disk(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/study.db")
    with store.read() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
    store.close()


def test_a_sqlite_file_is_copied_before_its_schema_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "study.db"
    store = open_store(f"sqlite:///{path}")
    with store.write() as connection:
        connection.execute(schema.setting.insert().values(name="old", value="yes"))
    monkeypatch.setattr("empathic.studies.store.MIGRATIONS", _with_one_more(tmp_path))
    migrate(store.engine)
    assert revision(store.engine) == "9999"
    copy = sqlite3.connect(tmp_path / "study.db.before-0002")
    assert copy.execute("SELECT value FROM setting WHERE name = 'old'").fetchone() == ("yes",)
    copy.close()
    store.close()


def _with_one_more(tmp_path: Path) -> Path:
    """The migrations of the package and one more."""
    from empathic.studies.store import MIGRATIONS

    folder = tmp_path / "migrations"
    (folder / "versions").mkdir(parents=True)
    for path in (MIGRATIONS / "versions").glob("*.py"):
        (folder / "versions" / path.name).write_text(path.read_text())
    more = 'from alembic import op\nrevision, down_revision = "9999", "0002"\n\n\ndef upgrade():\n    '
    (folder / "versions" / "more.py").write_text(more + 'op.execute("CREATE TABLE more (id INTEGER)")\n')
    return folder


def test_a_database_of_a_newer_release_is_refused(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/study.db")
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(InputError, match="newer empathic"):
        migrate(store.engine)
    store.close()


def test_what_is_no_database_is_refused_with_its_address_but_not_its_password(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no database this can use"):
        open_store("mysql://me:secret@host/db")
    (tmp_path / "text.db").write_text("this is no database, but it is long enough to be taken for one" * 20)
    with pytest.raises(ServiceError, match="cannot be opened"):
        open_store(f"sqlite:///{tmp_path}/text.db")
    with pytest.raises(InputError, match="no database address"):
        open_store("just words")
