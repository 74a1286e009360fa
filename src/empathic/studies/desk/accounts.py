"""A name and a password become a session at the desk: accounts, attempts, tokens.

Every state is in the database, so that several server processes agree. A token is new at every login, the database has
only its hash. Attempts are limited per account and in all; no address is kept, and of a name only a pseudonym, because
somebody may type the password into the wrong field.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from empathic.errors import SettingError
from empathic.studies import audit, schema
from empathic.studies.desk import passwords
from empathic.studies.sessions import token_hash
from empathic.studies.store import Store, lock
from empathic.studies.versions import secret

DEFAULT = "researcher"
SESSION_SECONDS = 10 * 3600.0
WINDOW_SECONDS = 15 * 60.0
MOST_FAILED, MOST_FAILED_IN_ALL = 5, 50
LONGEST_NAME = 60
account, session, attempt = schema.desk_account, schema.desk_session, schema.desk_attempt
_ONE_AT_A_TIME = threading.BoundedSemaphore(1)  # a flood of logins must not take the memory and threads of participants


class TooMany(Exception):
    """There were too many failed logins; `seconds` says how long to wait."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"wait {seconds:.0f} s")
        self.seconds = seconds


def set_password(store: Store, password: str, *, name: str = DEFAULT, study: str = "") -> bool:
    """Make an account or change its password, which ends its sessions and forgets failed attempts; True if it is new."""
    if not name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise SettingError(
            f"'{name[:LONGEST_NAME]}' is no name for an account: 1 to {LONGEST_NAME} characters, please."
        )
    reason = passwords.weakness(password, name, study)
    if reason is not None:
        raise SettingError(f"This password is refused: {reason}.")
    kept = passwords.hashed(password)
    with store.write() as connection:
        lock(connection)
        row = account.update().where(account.c.name == name).values(password=kept)
        new = connection.execute(row).rowcount == 0
        if new:
            connection.execute(account.insert().values(name=name, password=kept, created=store.clock()))
        connection.execute(session.delete().where(session.c.account == name))
        connection.execute(attempt.delete())
        audit.note(connection, store.clock(), "account" if new else "password", name)
    return new


def remove(store: Store, name: str) -> None:
    """Take an account away, with its sessions."""
    with store.write() as connection:
        connection.execute(session.delete().where(session.c.account == name))
        if connection.execute(account.delete().where(account.c.name == name)).rowcount == 0:
            raise SettingError(f"There is no account '{name}'.")
        audit.note(connection, store.clock(), "account removed", name)


def names(connection: Connection) -> list[str]:
    """Who may sit at the desk."""
    return [name for (name,) in connection.execute(sa.select(account.c.name).order_by(account.c.name))]


def log_in(store: Store, name: str, password: str) -> str | None:
    """The token of a new session, None if name and password do not fit; TooMany if there is no trying any more."""
    number = _try(store, name)
    with store.read() as connection:
        kept = connection.scalar(sa.select(account.c.password).where(account.c.name == name))
    # An unknown name takes as long as a known one.
    fits = _checked(password, str(kept or _nobody())) and kept is not None
    if fits:
        return _opened(store, name, str(kept))
    with store.write() as connection:
        audit.note(connection, store.clock(), "login refused", f"attempt {number}")
    return None


def log_out(store: Store, token: str) -> None:
    """End a session."""
    with store.write() as connection:
        name = account_of(connection, token, store.clock())
        connection.execute(session.delete().where(session.c.token_hash == token_hash(token)))
        if name is not None:
            audit.note(connection, store.clock(), "logout", "", name)


def account_of(connection: Connection, token: str | None, now: float) -> str | None:
    """Whose session a token is, if it has not ended."""
    if not token:
        return None
    alive = (session.c.token_hash == token_hash(token), session.c.created > now - SESSION_SECONDS)
    return connection.scalar(sa.select(session.c.account).where(*alive))


def _try(store: Store, name: str) -> int:
    """Note an attempt before the password is looked at, so that attempts at the same time are counted too."""
    with store.write() as connection:
        lock(connection)
        now, mark = store.clock(), _mark(connection, name)
        connection.execute(attempt.delete().where(attempt.c.time <= now - WINDOW_SECONDS))
        for most, which in ((MOST_FAILED, (attempt.c.name_hmac == mark,)), (MOST_FAILED_IN_ALL, ())):
            count, first = connection.execute(
                sa.select(sa.func.count(), sa.func.min(attempt.c.time)).where(*which)
            ).one()
            if count >= most:
                raise TooMany(first + WINDOW_SECONDS - now)
        made = connection.execute(attempt.insert().values(name_hmac=mark, time=now))
        return int(made.inserted_primary_key[0]) if made.inserted_primary_key else 0


def _checked(password: str, kept: str) -> bool:
    if not _ONE_AT_A_TIME.acquire(timeout=1):
        raise TooMany(1.0)
    try:
        return passwords.fits(password, kept)
    finally:
        _ONE_AT_A_TIME.release()


def _opened(store: Store, name: str, kept: str) -> str | None:
    token, now = secrets.token_urlsafe(32), store.clock()
    with store.write() as connection:
        lock(connection)
        # The password may have been changed, or the account removed, while it was checked.
        if connection.scalar(sa.select(account.c.password).where(account.c.name == name)) != kept:
            return None
        connection.execute(session.delete().where(session.c.created <= now - SESSION_SECONDS))
        connection.execute(attempt.delete().where(attempt.c.name_hmac == _mark(connection, name)))
        connection.execute(session.insert().values(token_hash=token_hash(token), account=name, created=now))
        audit.note(connection, now, "login", "", name)
    return token


def _mark(connection: Connection, name: str) -> str:
    return hmac.new(secret(connection), f"desk\n{name}".encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def _nobody() -> str:
    """A hash no password fits, as costly as a real one."""
    return f"scrypt${passwords.N}${passwords.R}${passwords.P}${'00' * 16}${'00' * passwords.LENGTH}"
