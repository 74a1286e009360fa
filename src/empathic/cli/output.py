"""What verbs share at the edges: common flags, tables, and one JSON document on standard output."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec

from empathic import registry


def add_common(parser: argparse.ArgumentParser) -> None:
    """The flags every verb has: `--json` and `--load`."""
    parser.add_argument("--json", action="store_true", help="print one JSON document on standard output")
    parser.add_argument(
        "--load", type=Path, action="append", default=[], metavar="FILE.py", help="load an extension (repeatable)"
    )


def load_extensions(options: argparse.Namespace) -> None:
    """Load what is installed under the entry-point group and what `--load` names."""
    registry.load_entry_points()
    for path in options.load:
        registry.load_file(path)


def print_json(value: object) -> None:
    """One JSON document on standard output."""
    sys.stdout.write(msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n")


def say(text: str = "") -> None:
    """One line on standard output: the result a person reads."""
    sys.stdout.write(text + "\n")


def log(text: str) -> None:
    """One line on standard error: what is going on."""
    sys.stderr.write(text + "\n")


def progress(noun: str) -> Callable[[int], None] | None:
    """Shows how many are done, on standard error, when that is a terminal; otherwise None."""
    if not sys.stderr.isatty():
        return None

    def show(done: int) -> None:
        sys.stderr.write(f"\r{done:,} {noun} ")
        sys.stderr.flush()

    return show


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """An aligned plain-text table; numbers to the right."""
    body = [list(row) for row in rows]
    cells = [[_cell(value) for value in row] for row in body]
    numeric = [bool(body) and all(isinstance(row[i], int | float) for row in body) for i in range(len(head))]
    return "\n".join(_lines(head, cells, numeric))


def _lines(head: Sequence[str], cells: list[list[str]], numeric: list[bool]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(head, *cells, strict=True)]
    for row in [list(head), ["-" * width for width in widths], *cells]:
        padded = [
            text.rjust(width) if right else text.ljust(width)
            for text, width, right in zip(row, widths, numeric, strict=True)
        ]
        yield "  ".join(padded).rstrip()


def _cell(value: object) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
