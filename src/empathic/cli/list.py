"""List what there is: `empathic list metrics`; without a kind, everything."""

from __future__ import annotations

import argparse

from empathic import registry
from empathic.cli import output, rooms
from empathic.errors import UnknownName

PLURALS = {kind: f"{kind}s" for kind in registry.KINDS}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", nargs="?", help=", ".join(PLURALS.values()))
    output.add_common(parser)


def run(options: argparse.Namespace) -> None:
    kinds = [_kind(options.kind)] if options.kind else list(PLURALS)
    rooms.load()
    output.load_extensions(options)
    found = {PLURALS[kind]: list(registry.entries(kind)) for kind in kinds}
    if options.json:
        output.print_json({plural: [_plain(entry) for entry in entries] for plural, entries in found.items()})
        return
    for plural, entries in found.items():
        if entries or options.kind:
            output.say(f"\n{plural}")
            output.say(output.table(("name", "what it is"), [(entry.versioned, entry.summary) for entry in entries]))


def _kind(word: str) -> registry.Kind:
    for kind, plural in PLURALS.items():
        if word in (kind, plural):
            return kind
    raise UnknownName("kind", word, PLURALS.values())


def _plain(entry: registry.Entry) -> dict[str, object]:
    return {"name": entry.name, "version": entry.version, "summary": entry.summary}
