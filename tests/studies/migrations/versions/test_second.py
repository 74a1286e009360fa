"""The second migration: a database of the first release keeps its rows and gets the tables of the desk."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa

from empathic.studies import store as stores
from empathic.studies.migrations.versions import second
from empathic.studies.store import open_store


def test_a_database_of_the_first_release_is_kept_and_extended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "old"
    (old / "versions").mkdir(parents=True)
    shutil.copy(stores.MIGRATIONS / "versions" / "first.py", old / "versions" / "first.py")
    path = tmp_path / "study.db"
    with monkeypatch.context() as patched:
        patched.setattr(stores, "MIGRATIONS", old)
        store = open_store(f"sqlite:///{path}")
        with store.write() as connection:
            connection.exec_driver_sql("INSERT INTO audit (time, what, detail) VALUES (1, 'erase', 'p1')")
        store.close()
    store = open_store(f"sqlite:///{path}")
    made = set(sa.inspect(store.engine).get_table_names())
    assert {"desk_account", "desk_session", "desk_attempt"} <= made
    with store.read() as connection:
        kept = connection.exec_driver_sql("SELECT what, detail, who FROM audit").fetchall()
    assert [tuple(row) for row in kept] == [("erase", "p1", None)]
    store.close()
    copy = sqlite3.connect(tmp_path / "study.db.before-0001")
    assert copy.execute("SELECT count(*) FROM audit").fetchone() == (1,)
    copy.close()
    assert (second.revision, second.down_revision) == ("0002", "0001")
