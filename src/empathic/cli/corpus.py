"""Count the words of any dialogues as a reference for specificity: `empathic corpus build FILES… -o counts.json`."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from empathic import datasets, files
from empathic.cli import output
from empathic.errors import InputError
from empathic.metrics.batch import TOKENS
from empathic.records import Dialogue, Response


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("build",), help="build: count in how many utterances each word occurs")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="dialogues or responses")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.json", help="where the counts go")
    parser.add_argument("--role", choices=("speaker", "listener"), help="only what this side says (default: both)")
    parser.add_argument("--tokens", choices=tuple(TOKENS), default="ptb", help="split: files are tokenised already")
    parser.add_argument("--format", metavar="NAME", help="the format of the files (default: recognised)")
    output.add_common(parser)


def run(options: argparse.Namespace) -> None:
    counts: Counter[str] = Counter()
    utterances = 0
    for path in options.files:
        for text in _utterances(path, options):
            counts.update(list(dict.fromkeys(TOKENS[options.tokens](text))))
            utterances += 1
    if not counts:
        raise InputError("no utterance was found to count", path=options.files[0])
    files.write_json(options.output, dict(sorted(counts.items(), key=lambda item: (-item[1], item[0]))))
    found = {"utterances": utterances, "words": len(counts), "output": str(options.output)}
    if options.json:
        output.print_json(found)
    else:
        output.say(f"{utterances:,} utterances, {len(counts):,} different words → {options.output}")
        output.say(f"Use it with: empathic score … --set specificity.reference={options.output}")


def _utterances(path: Path, options: argparse.Namespace) -> Iterator[str]:
    for record in datasets.read(path, options.format):
        if isinstance(record, Dialogue | Response):
            yield from (turn.text for turn in record.turns if options.role in (None, turn.role))
        if isinstance(record, Response) and record.text and options.role != "speaker":
            yield record.text
