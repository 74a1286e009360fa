"""The exceptions a user may see, and the three parts each message has: where, what, what to type next.

    EmpathicError           the user's mistake or surroundings: shown in one line, exit code 1
    ├── InputError          a file or a record cannot be read (names file, line and field)
    ├── UnknownName         no such metric, system, verb, key … (suggests the nearest)
    ├── NameTaken           something else is registered under that name
    ├── SettingError        a flag, a setting or a config value does not fit
    ├── MissingPart         an optional dependency, model or file is not installed
    └── ServiceError        a server, an endpoint or a key cannot be used

One thing that cannot be measured is no exception but a missing value with a reason. Anything else is our bug
and ends in an ordinary traceback.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class EmpathicError(Exception):
    """The root: `str(error)` is the whole message."""


class InputError(EmpathicError):
    """A file or a record that cannot be read."""

    def __init__(
        self, what: str, *, path: str | Path | None = None, line: int | None = None, field: str | None = None
    ) -> None:
        self.what, self.path, self.line, self.field = what, path, line, field
        super().__init__(self._message())

    def _message(self) -> str:
        where = "" if self.path is None else str(self.path)
        if self.line is not None:
            where += f":{self.line}" if where else f"line {self.line}"
        if self.field is not None:
            where += f" field '{self.field}'" if where else f"field '{self.field}'"
        return f"{where}: {self.what}" if where else self.what


class UnknownName(EmpathicError):
    """A name that is not known, with the nearest that is."""

    def __init__(self, kind: str, name: str, known: Iterable[str], *, hint: str = "") -> None:
        self.kind, self.name = kind, name
        super().__init__(f"No {kind} is called '{name}'. {_suggest(name, list(known))}{hint}".rstrip())


def _suggest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    if near:
        return f"Did you mean '{near[0]}'? "
    if not known:
        return "None is registered. "
    shown = ", ".join(sorted(known)[:12])
    return f"Known: {shown}{', …' if len(known) > 12 else ''}. "


class NameTaken(EmpathicError):
    """Two things want the same name."""


class SettingError(EmpathicError):
    """A flag, a setting or a config value does not fit."""


class MissingPart(EmpathicError):
    """An optional dependency, model or file is absent; the message says what to type to get it."""


class ServiceError(EmpathicError):
    """A server, an endpoint or a key cannot be used."""
