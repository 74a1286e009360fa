"""Compare a new run with a base run, statistically; with a gate, exit 100 if it is worse beyond the tolerance."""

from __future__ import annotations

import argparse
from pathlib import Path

from empathic import comparison, reports
from empathic.cli import output, rooms
from empathic.comparison import Comparison
from empathic.files import atomic

FAILED = 100


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("base", type=Path, help="run folder or scores.parquet of what was")
    parser.add_argument("new", type=Path, help="run folder or scores.parquet of what is now")
    parser.add_argument("--gate", metavar="FILE", help="rules (YAML); `default` is built in: within 0.1 SD")
    parser.add_argument("--system", metavar="NAME", help="which system, if the runs hold several")
    parser.add_argument("--junit", type=Path, metavar="FILE.xml", help="write the verdicts as JUnit XML")
    parser.add_argument("--markdown", type=Path, metavar="FILE.md", help="write a summary for a pull request")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the bootstrap (default 1)")
    output.add_common(parser)


def run(options: argparse.Namespace) -> int:
    rooms.load()
    output.load_extensions(options)
    gate = comparison.read_gate(options.gate, options.base) if options.gate else None
    found = comparison.compare(options.base, options.new, gate=gate, system=options.system, seed=options.seed)
    _write(options, found)
    if options.json:
        output.print_json(found)
    else:
        _show(found)
    return 0 if found.passed else FAILED


def _write(options: argparse.Namespace, found: Comparison) -> None:
    rows = [
        reports.Row(each.metric, each.passed, each.better, each.loss, each.low, each.high, each.tolerance, each.reason)
        for each in found.verdicts
    ]
    title = f"empathic: {found.base} → {found.new}"
    for path, text in ((options.junit, reports.junit), (options.markdown, reports.markdown)):
        if path is not None:
            with atomic(path) as stream:
                stream.write(text(rows, title=title).encode())


def _show(found: Comparison) -> None:
    head = ("metric", "change", "from", "to", "p", "dialogues")
    rows = [
        (each.labels["metric"], each.value, each.low, each.high, each.p, each.details.get("dialogues"))
        for each in found.differences
    ]
    output.say(f"{found.new} − {found.base}, 95 % intervals by dialogue\n")
    output.say(output.table(head, rows))
    if found.not_compared:
        output.say(f"\nonly in one of the runs: {', '.join(found.not_compared)}")
    if found.verdicts:
        rules = [("fine" if each.passed else "WORSE", each.metric, each.reason) for each in found.verdicts]
        output.say("\n" + output.table(("gate", "metric", "why"), rows=rules))
        output.say("\nThe gate holds." if found.passed else "\nThe gate failed (exit code 100).")
