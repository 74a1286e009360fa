"""Verdicts of a gate become JUnit XML for continuous integration and a Markdown summary for a pull request."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from xml.etree import ElementTree


class Row(NamedTuple):
    """One verdict as people read it."""

    metric: str
    passed: bool
    better: str
    loss: float | None
    low: float | None
    high: float | None
    tolerance: float
    reason: str


def junit(rows: Sequence[Row], *, title: str) -> str:
    """One test case per rule, in the form every continuous integration reads."""
    failures = sum(not row.passed for row in rows)
    suite = ElementTree.Element("testsuite", name=title, tests=str(len(rows)), failures=str(failures), errors="0")
    for row in rows:
        case = ElementTree.SubElement(suite, "testcase", classname="empathic.gate", name=row.metric)
        if not row.passed:
            ElementTree.SubElement(case, "failure", message=row.reason).text = _sentence(row)
    ElementTree.indent(suite)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(suite, encoding="unicode") + "\n"


def markdown(rows: Sequence[Row], *, title: str) -> str:
    """A heading, a line that says how it ended, and a table."""
    failed = [row.metric for row in rows if not row.passed]
    verdict = f"**Failed:** {', '.join(failed)}." if failed else f"All {len(rows)} rules hold."
    head = "| | metric | better | loss | interval | tolerance | |\n|---|---|---|---|---|---|---|"
    body = "\n".join(_line(row) for row in rows)
    return f"### {title}\n\n{verdict}\n\n{head}\n{body}\n"


def _line(row: Row) -> str:
    mark = "✓" if row.passed else "✗"
    cells = (mark, f"`{row.metric}`", row.better, _number(row.loss), _interval(row), _number(row.tolerance), row.reason)
    return "| " + " | ".join(cells) + " |"


def _sentence(row: Row) -> str:
    return f"loss {_number(row.loss)}, interval {_interval(row)}, tolerance {_number(row.tolerance)}: {row.reason}"


def _interval(row: Row) -> str:
    return "–" if row.low is None else f"{_number(row.low)} to {_number(row.high)}"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"
