"""A person at the terminal, a pipe or the environment becomes a password of the researcher's desk."""

from __future__ import annotations

import getpass
import os
import sys
from pathlib import Path

from empathic.errors import SettingError
from empathic.studies.desk import accounts
from empathic.studies.store import Store

VARIABLE = "EMPATHIC_DESK_PASSWORD"


def change(store: Store, title: str, name: str, *, remove: bool) -> str:
    """Set the password of an account, or take the account away; says which."""
    if remove:
        accounts.remove(store, name)
        return "removed"
    return "made" if accounts.set_password(store, ask(), name=name, study=title) else "changed"


def ask() -> str:
    """The password: from the environment, else typed twice, else the first line of what is piped in.

    Not from the command line: other users of the computer could read it there, and the shell keeps it.
    """
    given = os.environ.get(VARIABLE)
    if given:
        return given
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    first = getpass.getpass("New password for the desk (at least 12 characters, several words are fine): ")
    if getpass.getpass("The same again: ") != first:
        raise SettingError("The two passwords differ. Type the command again.")
    return first


def where(store: Store, address: str, folder: Path) -> str:
    """What `serve` says of the desk."""
    with store.read() as connection:
        ready = bool(accounts.names(connection))
    if ready:
        return f"The researcher's desk is at {address}desk"
    return f"The researcher's desk has no password yet. In another terminal, type: empathic study desk {folder}"
