"""Versions: the same file is the same version, a changed one the next."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from empathic.errors import InputError
from empathic.studies import schema, versions
from empathic.studies.design import Plan
from empathic.studies.store import Store


def test_publishing_the_same_study_again_is_the_same_version(store: Store, make_plan: Callable[..., Plan]) -> None:
    assert [versions.publish(store, make_plan()) for _ in range(2)] == [1, 1]
    with store.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(schema.place)) == 4


def test_a_changed_study_is_the_next_version_and_its_places_are_added(
    store: Store, make_plan: Callable[..., Plan]
) -> None:
    versions.publish(store, make_plan())
    assert versions.publish(store, make_plan(batch=4, title="Other")) == 2
    with store.read() as connection:
        number, plan = versions.newest(connection)
        active = [*connection.execute(sa.select(schema.place.c.batch).where(schema.place.c.active)).scalars()]
    assert (number, plan.study.title) == (2, "Other")
    assert sorted(active) == sorted(batch.name for batch in plan.batches)


def test_a_changed_text_alone_keeps_the_places_and_their_counts(store: Store, make_plan: Callable[..., Plan]) -> None:
    versions.publish(store, make_plan())
    versions.publish(store, make_plan(debrief="Clearer."))
    with store.read() as connection:
        assert connection.scalar(sa.select(sa.func.count()).select_from(schema.place)) == 4


def test_going_back_to_a_replaced_version_is_refused(store: Store, make_plan: Callable[..., Plan]) -> None:
    versions.publish(store, make_plan())
    versions.publish(store, make_plan(title="Other"))
    with pytest.raises(InputError, match="version 1 again"):
        versions.publish(store, make_plan())


def test_each_study_has_its_own_secret_and_keeps_it(store: Store, make_plan: Callable[..., Plan]) -> None:
    versions.publish(store, make_plan())
    with store.read() as connection:
        first = versions.secret(connection)
    versions.publish(store, make_plan(title="Other"))
    with store.read() as connection:
        assert versions.secret(connection) == first
    assert len(first) == 32


def test_an_empty_database_says_what_to_type(store: Store) -> None:
    with pytest.raises(InputError, match="empathic study serve"), store.read() as connection:
        versions.newest(connection)
