"""Bring an instrument of your own (`add`), score answers with one (`score`), write the pages of all (`pages`)."""

from __future__ import annotations

import argparse
from pathlib import Path

from empathic import files, instruments, registry
from empathic.cli import output, rooms
from empathic.records import Instrument, Rating


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    add = actions.add_parser("add", help="check a TOML file and keep it for every later command")
    add.add_argument("file", type=Path)
    score = actions.add_parser("score", help="ratings (JSON lines) → component scores")
    score.add_argument("file", type=Path)
    score.add_argument("--instrument", required=True, metavar="NAME")
    score.add_argument("-o", "--output", type=Path, metavar="FILE.jsonl")
    pages = actions.add_parser("pages", help="write one Markdown page per instrument")
    pages.add_argument("-o", "--output", type=Path, required=True, metavar="DIR")
    for action in (add, score, pages):
        output.add_common(action)


def run(options: argparse.Namespace) -> None:
    rooms.load()
    output.load_extensions(options)
    {"add": _add, "score": _score, "pages": _pages}[options.action](options)


def _add(options: argparse.Namespace) -> None:
    instrument = instruments.add(options.file)
    if options.json:
        output.print_json(instrument)
    else:
        output.say(f"Added {instrument.id}.v{instrument.version}: {instrument.title}, {len(instrument.items)} items.")
        output.say(f"Licence: {instrument.licence}. See it with: empathic show instrument/{instrument.id}")


def _score(options: argparse.Namespace) -> None:
    instrument: Instrument = registry.find("instrument", options.instrument).thing
    ratings = (each for each in files.read_lines(options.file, Rating) if each.instrument == instrument.id)
    scores = list(instruments.score(instrument, ratings))
    if options.output:
        files.write_lines(options.output, scores)
    if options.json:
        output.print_json(scores)
        return
    head = ("rater", "about", "component", "score", "items", "why missing")
    rows = [(each.rater, each.target, each.component, each.value, each.items, each.missing or "") for each in scores]
    output.say(output.table(head, rows))


def _pages(options: argparse.Namespace) -> None:
    written = []
    for entry in registry.entries("instrument"):
        path = options.output / f"{entry.name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(instruments.page(entry.thing), encoding="utf-8")
        written.append(str(path))
    if options.json:
        output.print_json({"written": written})
    else:
        output.say("\n".join(written))
