"""Flags of verbs that read a file in any format become what `datasets.Source` is told about it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from empathic.datasets import Format, Source, locate
from empathic.errors import SettingError


def add_flags(parser: argparse.ArgumentParser) -> None:
    """The format, what the columns of a table mean, and what the file does not say."""
    parser.add_argument("source", metavar="IN", type=Path, help="a file, a corpus folder, or the name of a dataset")
    parser.add_argument("--from", "--format", dest="format", metavar="FORMAT", help="of IN, if it is not recognised")
    parser.add_argument(
        "--column", action="append", default=[], metavar="FIELD=COLUMN", help="which column of a table is which field"
    )
    parser.add_argument(
        "--set", action="append", default=[], metavar="FIELD=VALUE", help="a field that is the same in every row"
    )
    parser.add_argument("--system", metavar="NAME", help="who answered, if the file does not say")


def source_of(options: argparse.Namespace) -> tuple[Source, Format]:
    """The source and the format to read it with."""
    path, reader = locate(options.source, options.format)
    source = Source(
        path,
        columns=_pairs("--column", options.column),
        constants=_pairs("--set", options.set),
        system=options.system,
    )
    return source, reader


def _pairs(flag: str, words: Sequence[str]) -> dict[str, str]:
    pairs = {}
    for word in words:
        field, _, name = word.partition("=")
        if not field or not name:
            raise SettingError(f"{flag} {word}: write it as FIELD=NAME, for example {flag} text=answer.")
        pairs[field] = name
    return pairs
