"""Versioned names become classes or functions: the only global state of the package.

A name is `metric/specificity.v1`: kind, name, version. Asking without a version gives the newest; if a number
changes, the version changes. `signature()` writes the string that reproduces a number.
"""

from __future__ import annotations

import functools
import importlib.metadata
import re
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, get_args

import msgspec

from empathic.errors import EmpathicError, InputError, NameTaken, SettingError, UnknownName

Kind = Literal[
    "metric", "system", "model", "instrument", "procedure", "dataset", "format", "prompt", "lexicon", "encoder"
]
KINDS: tuple[Kind, ...] = get_args(Kind)
EXTENSIONS = "empathic.extensions"
_NAME = re.compile(r"^[a-z0-9][a-z0-9_/-]*(\.[a-z0-9][a-z0-9_-]*)*$")
_VERSIONED = re.compile(r"^(?P<name>.+)\.v(?P<version>\d+)$")
T = TypeVar("T")


class Entry(NamedTuple):
    """One registered thing."""

    kind: str
    name: str
    version: int
    summary: str
    thing: Any

    @property
    def versioned(self) -> str:
        return f"{self.name}.v{self.version}"


_entries: dict[str, dict[str, dict[int, Entry]]] = {kind: {} for kind in KINDS}


def register(kind: Kind, name: str, *, version: int = 1, summary: str = "") -> Callable[[T], T]:
    """Put the decorated thing under `name`; its docstring's first line is the summary unless one is given."""
    _check_name(kind, name, version)

    def put(thing: T) -> T:
        add(Entry(kind, name, version, summary or _first_line(thing), thing))
        return thing

    return put


def add(entry: Entry) -> None:
    """Put an entry; the same thing twice is no change, another thing under a taken name is refused."""
    versions = _entries[entry.kind].setdefault(entry.name, {})
    present = versions.get(entry.version)
    if present is not None and not _same(present.thing, entry.thing):
        raise NameTaken(
            f"The {entry.kind} '{entry.versioned}' is registered already. Choose another name or raise its version."
        )
    versions[entry.version] = entry


def find(kind: Kind, name: str) -> Entry:
    """The entry called `name` (`specificity` → newest version, `specificity.v1` → that one)."""
    versions = _entries[kind].get(name)
    if versions:
        return versions[max(versions)]
    match = _VERSIONED.match(name)
    if match:
        entry = _entries[kind].get(match["name"], {}).get(int(match["version"]))
        if entry is not None:
            return entry
    raise UnknownName(kind, name, _entries[kind], hint=f"`empathic list {kind}s` shows all.")


def entries(kind: Kind) -> Iterator[Entry]:
    """Every entry of a kind, by name and version."""
    for name in sorted(_entries[kind]):
        for version in sorted(_entries[kind][name]):
            yield _entries[kind][name][version]


def signature(name: str, /, **settings: object) -> str:
    """`specificity.v1|reference:builtin-2026|tokens:ptb|empathic:0.3.0`: settings in the order of their names."""
    parts = [name, *(f"{key}:{_plain(settings[key])}" for key in sorted(settings)), f"empathic:{package_version()}"]
    return "|".join(parts)


@functools.cache  # asked for once per number, and read from a file
def package_version() -> str:
    """The installed version of the package."""
    return importlib.metadata.version("empathic")


def load_file(path: Path) -> None:
    """Run a user's `.py` file, whose decorators register things (`--load my_metric.py`)."""
    if not path.is_file():
        raise InputError("there is no such file to load", path=path)
    try:
        runpy.run_path(str(path), run_name=f"empathic_extension_{path.stem}")
    except EmpathicError:
        raise
    except Exception as error:
        raise InputError(f"loading it failed: {type(error).__name__}: {error}", path=path) from error


def load_entry_points() -> None:
    """Import every installed package that declares the entry-point group `empathic.extensions`."""
    for point in importlib.metadata.entry_points(group=EXTENSIONS):
        try:
            point.load()
        except EmpathicError:
            raise
        except Exception as error:
            raise SettingError(
                f"The extension '{point.name}' ({point.value}) cannot be loaded: {type(error).__name__}: {error}. "
                "Uninstall or repair the package that declares it."
            ) from error


def _check_name(kind: str, name: str, version: int) -> None:
    if kind not in _entries:
        raise UnknownName("kind", kind, KINDS)
    if not _NAME.match(name) or _VERSIONED.match(name) or version < 1:
        raise SettingError(
            f"'{name}' (version {version}) cannot name a {kind}: use lower-case letters, digits, - _ / and ., "
            "without a version, and a version from 1."
        )


def _same(one: object, other: object) -> bool:
    if isinstance(one, msgspec.Struct):
        return one == other
    return one is other or _address(one) == _address(other) != (None, None)


def _address(thing: object) -> tuple[str | None, str | None]:
    return getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)


def _first_line(thing: object) -> str:
    return (getattr(thing, "__doc__", None) or "").strip().split("\n")[0].strip()


def _plain(value: object) -> str:
    return str(value).replace("|", "/").replace(" ", "-")
