"""A person at the terminal, a pipe or the environment becomes a password of the researcher's desk."""

from __future__ import annotations

import getpass
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from empathic.contracts import Flag
from empathic.errors import SettingError
from empathic.records import Estimate, Instrument, Rater, Rating
from empathic.studies.desk import accounts
from empathic.studies.store import Store

STATISTICS = "empathic.cli.overseeing"
VARIABLE = "EMPATHIC_DESK_PASSWORD"


class Overseer:
    """The statistics of the desk; they are imported when they are asked for: a server must be back soon."""

    def agreement(self, instruments: Sequence[Instrument], ratings: Sequence[Rating]) -> Sequence[Estimate]:
        found: Sequence[Estimate] = importlib.import_module(STATISTICS).agreement(instruments, ratings)
        return found

    def flags(
        self, instruments: Sequence[Instrument], raters: Sequence[Rater], ratings: Sequence[Rating]
    ) -> Sequence[Flag]:
        found: Sequence[Flag] = importlib.import_module(STATISTICS).flags(instruments, raters, ratings)
        return found


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
