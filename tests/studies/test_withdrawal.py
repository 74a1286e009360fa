"""Withdrawal and erasure: nothing of the person is left, nobody else's row changes."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

from empathic.studies import participants, schema, sessions, withdrawal
from empathic.studies.participants import Identity
from empathic.studies.store import Store


def everything(store: Store) -> dict[str, set[str]]:
    with store.read() as connection:
        return {
            name: {str(sorted(dict(row).items(), key=str)) for row in connection.execute(sa.select(table)).mappings()}
            for name, table in schema.metadata.tables.items()
        }


def test_withdrawing_erases_all_that_was_said_and_frees_the_place(
    published: Store, complete: Callable[..., str], state: Callable[..., Any]
) -> None:
    name = complete(published, "5f3c-anna")
    withdrawal.withdraw(published, name)
    row = state(published, name)
    assert (row["state"], row["outcome"], row["seat"]) == ("withdrawn", "withdrawn", None)
    left = everything(published)
    for table in ("event", "answer", "lease", "identity", "chat", "turn"):
        assert not left[table]
    assert "5f3c-anna" not in str(left)


def test_who_withdrew_cannot_start_anew_and_still_sees_the_last_page(
    published: Store, begin: Callable[..., str], state: Callable[..., Any]
) -> None:
    name = begin(published, "anna")
    token = sessions.open_session(published, name)
    withdrawal.withdraw(published, name)
    withdrawal.withdraw(published, name)
    assert participants.enter(published, Identity(platform="url", pid="anna"), "live") == name
    assert state(published, name)["state"] == "withdrawn"
    with published.read() as connection:
        assert sessions.participant_of(connection, token) == name


def test_deleting_one_person_changes_no_row_of_another(published: Store, complete: Callable[..., str]) -> None:
    anna, ben = complete(published, "anna"), complete(published, "ben")
    before = everything(published)
    withdrawal.erase(published, anna)
    after = everything(published)
    for table, rows in before.items():
        others = {row for row in rows if anna not in row}
        assert others <= after[table], table
    assert [row for row in after["participant"] if ben in row] == [row for row in before["participant"] if ben in row]
    assert len(after["audit"]) == 1


def test_an_erased_person_is_not_known_any_more(published: Store, complete: Callable[..., str]) -> None:
    name, who = complete(published, "anna"), Identity(platform="url", pid="anna")
    assert withdrawal.find(published, who) == name
    withdrawal.erase(published, name)
    assert withdrawal.find(published, who) is None


def test_a_person_can_have_all_that_is_kept_about_them(published: Store, complete: Callable[..., str]) -> None:
    anna, _ = complete(published, "anna"), complete(published, "ben")
    found = json.loads(withdrawal.encode(withdrawal.everything(published, anna)))
    assert found["identity"][0]["pid"] == "anna"
    assert len(found["answer"]) > 18
    assert {row["participant"] for row in found["event"]} == {anna}
    assert "ben" not in str(found)


def test_a_platform_s_word_is_kept_and_a_finished_place_stays_finished(
    published: Store, complete: Callable[..., str], state: Callable[..., Any]
) -> None:
    name = complete(published, "anna")
    withdrawal.platform_state(published, name, "APPROVED")
    withdrawal.platform_state(published, name, "TIMED-OUT")
    assert state(published, name)["platform_state"] == "TIMED-OUT"
    with published.read() as connection:
        assert connection.scalar(sa.select(schema.lease.c.state)) == "finished"
    withdrawal.platform_state(published, name, "REJECTED")
    with published.read() as connection:
        assert connection.scalar(sa.select(schema.lease.c.state)) == "freed"
