"""Sessions: a new token at every entry, and only its hash in the database."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sa

from empathic.studies import schema, sessions
from empathic.studies.store import Store


@pytest.fixture
def kind() -> str:
    """What is tested here does not depend on the kind of database."""
    return "sqlite"


def test_a_token_leads_to_its_participant_and_no_other_token_does(published: Store, begin: Callable[..., str]) -> None:
    name = begin(published, "anna")
    one, two = sessions.open_session(published, name), sessions.open_session(published, name)
    assert one != two
    with published.read() as connection:
        assert sessions.participant_of(connection, one) == sessions.participant_of(connection, two) == name
        for wrong in (None, "", "x", one[:-1], sessions.token_hash(one)):
            assert sessions.participant_of(connection, wrong) is None


def test_the_token_itself_is_not_in_the_database(published: Store, begin: Callable[..., str]) -> None:
    token = sessions.open_session(published, begin(published, "anna"))
    with published.read() as connection:
        assert token not in str(connection.execute(sa.select(schema.session)).all())
