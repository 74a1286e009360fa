"""Published and recomputed cells become checks, and checks become one reproduction."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from decimal import Decimal
from importlib import resources

from empathic.errors import InputError
from empathic.records import Record


class Check(Record, frozen=True, omit_defaults=False):
    """One cell of a published table beside the value recomputed from the released data."""

    table: str
    row: str
    column: str
    published: float | str | None
    computed: float | str | None
    match: bool


class Finding(Record, frozen=True):
    """Something the paper should have said, with the numbers that show it."""

    id: str
    text: str
    numbers: dict[str, float | str | None] = {}


class Reproduction(Record, frozen=True, omit_defaults=False):
    """Everything `empathic reproduce` found about one paper."""

    paper: str
    checks: tuple[Check, ...]
    findings: tuple[Finding, ...]


def cell_matches(published: float, computed: float, digits: int) -> bool:
    """Whether a computed value rounds to the printed one: within half a unit of the last printed digit."""
    half, rounding = 0.5 * 10.0**-digits, 4 * sys.float_info.epsilon * abs(published)
    return abs(published - computed) <= half * (1 + 1e-9) + rounding


def printed_digits(text: str) -> int:
    """The decimals a printed number shows: 2 of `2.60`, 42 of `9.418e-39`, 0 of `252`."""
    exponent = Decimal(text).as_tuple().exponent
    if not isinstance(exponent, int):
        raise InputError(f"'{text}' is no printed number")
    return -exponent


def check(table: str, row: str, column: str, printed: str, computed: float | None) -> Check:
    """One cell: the number as printed beside the one computed; a cell that cannot be computed does not match."""
    published = float(printed)
    match = computed is not None and cell_matches(published, computed, printed_digits(printed))
    return Check(table=table, row=row, column=column, published=published, computed=computed, match=match)


def read_published(name: str) -> Iterator[tuple[str, str, str, str]]:
    """The cells of a paper (table, row, column, number as printed) from the CSV beside its module."""
    text = resources.files("empathic.papers").joinpath(f"{name}.csv").read_text(encoding="utf-8")
    for line in csv.DictReader(text.splitlines()):
        yield line["table"], line["row"], line["column"], line["published"]
