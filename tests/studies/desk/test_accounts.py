"""Accounts of the desk: sessions begin with a password, end in time, and cannot be guessed."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
import sqlalchemy as sa

from empathic.errors import SettingError
from empathic.studies import audit, schema
from empathic.studies.desk import accounts
from empathic.studies.desk.accounts import TooMany
from empathic.studies.store import Store

GOOD, OTHER = "violet harbour 9 spoons", "seven quiet lanterns"


def whose(store: Store, token: str | None) -> str | None:
    with store.read() as connection:
        return accounts.account_of(connection, token, store.clock())


def test_name_and_password_open_a_session_and_nothing_else_does(published: Store) -> None:
    assert accounts.set_password(published, GOOD, name="anna")
    token = accounts.log_in(published, "anna", GOOD)
    assert whose(published, token) == "anna"
    assert accounts.log_in(published, "anna", OTHER) is None
    assert accounts.log_in(published, "ben", GOOD) is None
    assert whose(published, "x" * 43) is None
    assert whose(published, "") is None


def test_neither_password_nor_token_nor_a_typed_name_is_in_the_database(published: Store) -> None:
    accounts.set_password(published, GOOD)
    token = accounts.log_in(published, "researcher", GOOD)
    accounts.log_in(published, "my secret typed too early", "")
    with published.read() as connection:
        text = str([connection.execute(sa.select(each)).all() for each in schema.metadata.tables.values()])
    assert token is not None
    for secret in (GOOD, token, "typed too early"):
        assert secret not in text


def test_a_session_ends_after_its_hours_and_at_the_logout(published: Store, clock: Callable[[], float]) -> None:
    accounts.set_password(published, GOOD)
    token, other = (accounts.log_in(published, "researcher", GOOD) for _ in range(2))
    assert token != other
    accounts.log_out(published, str(token))
    assert whose(published, token) is None
    assert whose(published, other) == "researcher"
    clock.now += accounts.SESSION_SECONDS  # type: ignore[attr-defined]
    assert whose(published, other) is None
    accounts.log_in(published, "researcher", GOOD)
    with published.read() as connection:
        assert len(connection.execute(sa.select(schema.desk_session)).all()) == 1


def test_a_new_password_ends_the_sessions_and_the_old_password(published: Store) -> None:
    accounts.set_password(published, GOOD)
    token = accounts.log_in(published, "researcher", GOOD)
    assert not accounts.set_password(published, OTHER)
    assert whose(published, token) is None
    assert accounts.log_in(published, "researcher", GOOD) is None
    assert whose(published, accounts.log_in(published, "researcher", OTHER)) == "researcher"


def test_after_five_wrong_passwords_even_the_right_one_must_wait(published: Store, clock: Callable[[], float]) -> None:
    accounts.set_password(published, GOOD, name="anna")
    accounts.set_password(published, OTHER, name="ben")
    for _ in range(accounts.MOST_FAILED):
        assert accounts.log_in(published, "anna", "wrong") is None
    with pytest.raises(TooMany) as caught:
        accounts.log_in(published, "anna", GOOD)
    assert 0 < caught.value.seconds <= accounts.WINDOW_SECONDS
    assert accounts.log_in(published, "ben", OTHER) is not None, "another account is not kept out"
    clock.now += accounts.WINDOW_SECONDS  # type: ignore[attr-defined]
    assert accounts.log_in(published, "anna", GOOD) is not None


def test_names_that_do_not_exist_are_limited_as_those_that_do(published: Store) -> None:
    accounts.set_password(published, GOOD)
    for _ in range(accounts.MOST_FAILED):
        accounts.log_in(published, "nobody", "wrong")
    with pytest.raises(TooMany):
        accounts.log_in(published, "nobody", "wrong")
    for number in range(accounts.MOST_FAILED_IN_ALL - accounts.MOST_FAILED):
        accounts.log_in(published, f"nobody {number}", "wrong")
    with pytest.raises(TooMany):
        accounts.log_in(published, "one more", "wrong")


def test_a_login_that_succeeds_forgets_the_failures_before_it(published: Store) -> None:
    accounts.set_password(published, GOOD)
    for _ in range(3):
        for _ in range(accounts.MOST_FAILED - 1):
            accounts.log_in(published, "researcher", "wrong")
        assert accounts.log_in(published, "researcher", GOOD) is not None


def test_guesses_at_the_same_time_are_all_counted(published: Store, open_at: Callable[[], Store]) -> None:
    accounts.set_password(published, GOOD)
    stores, outcomes = [published, open_at()], []

    def guess(mine: Store) -> None:
        try:
            outcomes.append(accounts.log_in(mine, "researcher", "wrong"))
        except TooMany:
            outcomes.append("too many")

    threads = [threading.Thread(target=guess, args=(stores[number % 2],)) for number in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes.count(None) <= accounts.MOST_FAILED
    assert len(outcomes) == 12


def test_setting_the_password_lets_one_in_again(published: Store) -> None:
    accounts.set_password(published, GOOD)
    for _ in range(accounts.MOST_FAILED):
        accounts.log_in(published, "researcher", "wrong")
    accounts.set_password(published, OTHER)
    assert accounts.log_in(published, "researcher", OTHER) is not None


def test_a_weak_password_and_a_strange_name_are_refused(published: Store) -> None:
    with pytest.raises(SettingError, match="everybody tries first"):
        accounts.set_password(published, "empathic12345", name="anna")
    with pytest.raises(SettingError, match="everybody tries first"):
        accounts.set_password(published, "test study 123", study="Test study")
    for name in ("", "  ", "a\nb", "x" * 61):
        with pytest.raises(SettingError, match="no name"):
            accounts.set_password(published, GOOD, name=name)
    with published.read() as connection:
        assert accounts.names(connection) == []


def test_a_removed_account_is_out_at_once(published: Store) -> None:
    accounts.set_password(published, GOOD, name="anna")
    token = accounts.log_in(published, "anna", GOOD)
    accounts.remove(published, "anna")
    assert whose(published, token) is None
    assert accounts.log_in(published, "anna", GOOD) is None
    with pytest.raises(SettingError, match="no account"):
        accounts.remove(published, "anna")


def test_every_change_and_login_is_in_the_audit(published: Store) -> None:
    accounts.set_password(published, GOOD)
    accounts.log_in(published, "researcher", "wrong")
    token = accounts.log_in(published, "researcher", GOOD)
    accounts.log_out(published, str(token))
    accounts.set_password(published, OTHER)
    accounts.remove(published, "researcher")
    with published.read() as connection:
        told = [(each["what"], each["who"]) for each in audit.entries(connection)][::-1]
    assert told == [
        ("account", None),
        ("login refused", None),
        ("login", "researcher"),
        ("logout", "researcher"),
        ("password", None),
        ("account removed", None),
    ]
