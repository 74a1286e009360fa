"""The first migration: an empty database becomes one with every table and the lock of the places."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa

from empathic.studies import schema
from empathic.studies.migrations.versions import first
from empathic.studies.store import LOCK, open_store


def test_the_first_migration_makes_every_table_and_the_lock(tmp_path: Path) -> None:
    store = open_store(f"sqlite:///{tmp_path}/study.db")
    made = set(sa.inspect(store.engine).get_table_names())
    assert set(schema.metadata.tables) <= made
    with store.read() as connection:
        names = [name for (name,) in connection.execute(sa.select(schema.setting.c.name))]
    assert LOCK in names
    assert (first.revision, first.down_revision) == ("0001", None)
    store.close()
