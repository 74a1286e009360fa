"""Show one thing in full: `empathic show specificity`, `empathic show instrument/eshcc --json`."""

from __future__ import annotations

import argparse
import inspect

import msgspec

from empathic import registry
from empathic.cli import output, rooms
from empathic.errors import SettingError, UnknownName


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", help="a registered name, with its kind if several things share it: metric/length")
    output.add_common(parser)


def run(options: argparse.Namespace) -> None:
    rooms.load()
    output.load_extensions(options)
    entry = find(options.name)
    document = {"kind": entry.kind, "name": entry.name, "version": entry.version, "summary": entry.summary}
    if options.json:
        output.print_json({**document, **_content(entry.thing)})
        return
    output.say(f"{entry.kind} {entry.versioned}: {entry.summary}")
    output.say(_text(entry.thing))


def find(name: str) -> registry.Entry:
    """The one thing of that name, of whatever kind."""
    prefix, slash, rest = name.partition("/")
    for kind in registry.KINDS:
        if slash and kind == prefix:
            return registry.find(kind, rest)
    found = [entry for kind in registry.KINDS for entry in _found(kind, name)]
    if len(found) > 1:
        names = ", ".join(f"{entry.kind}/{name}" for entry in found)
        raise SettingError(f"'{name}' is the name of several things. Type one of: {names}.")
    if not found:
        known = {entry.name for kind in registry.KINDS for entry in registry.entries(kind)}
        raise UnknownName("thing", name, known, hint="`empathic list` shows all.")
    return found[0]


def _found(kind: registry.Kind, name: str) -> list[registry.Entry]:
    try:
        return [registry.find(kind, name)]
    except UnknownName:
        return []


def _content(thing: object) -> dict[str, object]:
    if isinstance(thing, msgspec.Struct):
        content: dict[str, object] = msgspec.to_builtins(thing)
        return content
    return {"description": inspect.getdoc(thing) or ""}


def _text(thing: object) -> str:
    if isinstance(thing, msgspec.Struct):
        return msgspec.yaml.encode(thing).decode()
    return inspect.getdoc(thing) or ""
