"""The tables: what the database itself refuses."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from empathic.studies import events, participants, schema
from empathic.studies.store import Store


def test_an_event_number_and_a_client_key_exist_once_per_participant(
    published: Store, begin: Callable[..., str]
) -> None:
    name = begin(published, "anna")
    row = {"participant": name, "type": "x", "payload": "{}", "time": 1.0, "chain": ""}
    with published.write() as connection:
        person = participants.load(connection, name, for_update=True)
        events.append(connection, person.row, "x", {}, now=1.0, key="mine")
    for clash in ({"seq": 0, "client_key": "new"}, {"seq": 99, "client_key": "mine"}):
        with pytest.raises(sa.exc.IntegrityError), published.write() as connection:
            connection.execute(schema.event.insert().values(**row, **clash))


def test_nothing_hangs_on_a_participant_who_does_not_exist(published: Store) -> None:
    with pytest.raises(sa.exc.IntegrityError), published.write() as connection:
        row = {"participant": "nobody", "field": "x", "value": "1", "seq": 0, "time": 1.0}
        connection.execute(schema.answer.insert().values(**row))


def test_no_table_has_a_column_for_addresses_or_browsers() -> None:
    names = {column.name for table in schema.metadata.tables.values() for column in table.columns}
    assert not {name for name in names if "agent" in name or name in ("ip", "address", "host")}


def test_platform_ids_are_in_one_table_only() -> None:
    homes = {table.name for table in schema.metadata.tables.values() if "pid" in table.columns}
    assert homes == {"identity"}
