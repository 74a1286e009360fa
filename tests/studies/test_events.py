"""Events: append-only, once per key, chained; the answers are what the events say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import hypothesis.strategies as st
import sqlalchemy as sa
from hypothesis import HealthCheck, given, settings

from empathic.studies import events, participants, schema
from empathic.studies.store import Store


def save(store: Store, name: str, given_: dict[str, Any], key: str | None = None) -> bool:
    with store.write() as connection:
        person = participants.load(connection, name, for_update=True)
        return events.save(connection, person.row, given_, now=store.clock(), key=key)


def rows(store: Store, name: str) -> list[Any]:
    with store.read() as connection:
        query = sa.select(schema.event).where(schema.event.c.participant == name).order_by(schema.event.c.seq)
        return [*connection.execute(query).mappings()]


def test_sending_a_key_again_changes_nothing(published: Store, begin: Callable[..., str]) -> None:
    name = begin(published, "anna")
    before = len(rows(published, name))
    assert save(published, name, {"rate.0.empathy": 1.0}, "k1")
    assert not save(published, name, {"rate.0.empathy": 3.0}, "k1")
    assert len(rows(published, name)) == before + 1
    with published.read() as connection:
        assert events.answers(connection, name)["rate.0.empathy"] == 1.0


def test_the_last_value_wins_and_all_earlier_ones_stay(published: Store, begin: Callable[..., str]) -> None:
    name = begin(published, "anna")
    for number, value in enumerate((1.0, 3.0, 2.0, 1.0)):
        assert save(published, name, {"rate.0.empathy": value}, f"k{number}")
    kept = [row["payload"] for row in rows(published, name) if "empathy" in row["payload"]]
    assert kept == ['{"rate.0.empathy":1.0}', '{"rate.0.empathy":3.0}', '{"rate.0.empathy":2.0}', kept[0]]
    with published.read() as connection:
        assert events.answers(connection, name)["rate.0.empathy"] == 1.0


def test_a_form_sent_again_with_the_same_answers_is_no_new_event(published: Store, begin: Callable[..., str]) -> None:
    name = begin(published, "anna")
    assert save(published, name, {"x": 1.0})
    before = len(rows(published, name))
    assert not save(published, name, {"x": 1.0})
    assert len(rows(published, name)) == before


def test_the_same_key_of_two_people_is_two_keys(published: Store, begin: Callable[..., str]) -> None:
    for pid in ("anna", "ben"):
        assert save(published, begin(published, pid), {"x": 1.0}, "shared")


def test_a_changed_or_removed_event_breaks_the_chain(published: Store, begin: Callable[..., str]) -> None:
    name = begin(published, "anna")
    for value in (1.0, 2.0, 3.0):
        save(published, name, {"x": value})
    with published.read() as connection:
        assert events.broken_links(connection, name) == []
    last = rows(published, name)[-2]["seq"]
    with published.write() as connection:
        here = sa.and_(schema.event.c.participant == name, schema.event.c.seq == last)
        connection.execute(schema.event.update().where(here).values(payload='{"x":9.0}'))
        assert events.broken_links(connection, name) == [last]
        connection.execute(schema.event.delete().where(here))
        assert events.broken_links(connection, name) == [last + 1]


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["1", "x", ""]), st.integers(0, 5)), max_size=12))
def test_the_answers_are_the_replay_of_the_events(
    published: Store, begin: Callable[..., str], sent: list[tuple[str, str, int]]
) -> None:
    name = begin(published, "anna")
    for field, value, key in sent:
        save(published, name, {field: value}, f"k{key}" if key else None)
    with published.read() as connection:
        assert events.replay(connection, name) == events.answers(connection, name)
        assert events.broken_links(connection, name) == []
