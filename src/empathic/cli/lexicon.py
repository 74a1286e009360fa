"""Bring an affect lexicon of your own (`add`): it is checked, its licence shown, and kept for every later command."""

from __future__ import annotations

import argparse
from pathlib import Path

from empathic.cli import output, rooms
from empathic.metrics import lexicons


def arguments(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="action", required=True)
    add = actions.add_parser("add", help="check a lexicon file (NRC-EIL, NRC-VAD, our CSV) and keep it")
    add.add_argument("file", type=Path)
    add.add_argument("--name", help="the name it gets (default: that of its layout, as nrc-eil)")
    output.add_common(add)


def run(options: argparse.Namespace) -> None:
    rooms.load()
    output.load_extensions(options)
    lexicon = lexicons.add(options.file, name=options.name)
    scales = {name: len(words) for name, words in lexicon.scales.items()}
    if options.json:
        output.print_json({**lexicon._asdict(), "scales": scales})
        return
    output.say(f"Added {lexicon.name}: {lexicon.title} ({lexicon.citation}).")
    output.say(f"Licence: {lexicon.licence}.")
    output.say(output.table(("scale", "words"), list(scales.items())))
    output.say(f"Use it with: empathic score FILES… --set word_choice.lexicon={lexicon.name}")
