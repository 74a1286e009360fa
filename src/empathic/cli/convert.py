"""Go from one file format to another: `empathic convert IN -o OUT --to FORMAT` says what was kept and what was lost."""

from __future__ import annotations

import argparse
from pathlib import Path

from empathic import datasets
from empathic.cli import output, sources
from empathic.datasets import conversion
from empathic.errors import SettingError


def arguments(parser: argparse.ArgumentParser) -> None:
    sources.add_flags(parser)
    parser.add_argument("-o", "--output", metavar="OUT", type=Path, required=True)
    parser.add_argument("--to", metavar="FORMAT", required=True, help="`empathic list formats` shows all")
    parser.add_argument("--only", choices=list(conversion.KINDS), help="convert one kind of record")
    parser.add_argument("--only-system", metavar="NAME", help="convert what belongs to one system")
    parser.add_argument("--strict", action="store_true", help="refuse if anything would be lost")
    parser.add_argument("--dry-run", action="store_true", help="write nothing, say what would be lost")
    output.add_common(parser)


def run(options: argparse.Namespace) -> None:
    output.load_extensions(options)
    source, reader = sources.source_of(options)
    writer = datasets.find(options.to)
    if options.output.is_dir():
        raise SettingError(f"{options.output} is a folder. Say a file (or, for a corpus, a new folder).")
    done = conversion.convert(
        source,
        options.output,
        reader=reader,
        writer=writer,
        only=options.only,
        only_system=options.only_system,
        strict=options.strict,
        dry_run=options.dry_run,
    )
    output.print_json(done) if options.json else _show(done)


def _show(done: conversion.Conversion) -> None:
    output.say(f"{done.source} ({done.from_format}) → {done.target or 'nothing written'} ({done.to_format})\n")
    rows = [(kind, count, done.written.get(kind, 0)) for kind, count in done.read.items()]
    output.say(output.table(("records", "read", "would fit" if done.target is None else "written"), rows))
    if not done.losses:
        output.say("\nNothing is lost.")
        return
    output.say(f"\nThe format '{done.to_format}' cannot hold:\n")
    lost = [(loss.kind, loss.field or "all of them", loss.records) for loss in done.losses]
    output.say(output.table(("of", "lost", "records"), lost))
