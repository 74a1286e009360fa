"""Write the report of a run folder: one HTML page; with --figures SVG, PDF and PNG, with --tables CSV and LaTeX."""

from __future__ import annotations

import argparse
from pathlib import Path

from empathic import reporting, reports
from empathic.cli import output, rooms
from empathic.errors import InputError
from empathic.pipeline import ESTIMATES, REPORT
from empathic.runs import Run


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, help="run folder that `empathic evaluate` wrote")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.html", help="(default: report.html in the folder)")
    parser.add_argument("--title", default="", help="heading of the page")
    parser.add_argument("--figures", type=Path, metavar="DIR", help="every figure as SVG, PDF and PNG")
    parser.add_argument("--tables", type=Path, metavar="DIR", help="every table as CSV and LaTeX (booktabs)")
    output.add_common(parser)


def run(options: argparse.Namespace) -> None:
    rooms.load()
    output.load_extensions(options)
    folder = Run(options.run)
    if not folder.path(ESTIMATES).is_file():
        raise InputError(f"holds no {ESTIMATES}; `empathic evaluate` writes it", path=options.run)
    page = options.output or folder.path(REPORT)
    material = reporting.write(folder, page, title=options.title)
    written = [page]
    if options.figures is not None:
        written += reports.write_figures(reports.figures(material), options.figures)
    if options.tables is not None:
        written += reports.write_tables(material, options.tables)
    if options.json:
        output.print_json({"written": [str(path) for path in written]})
    else:
        output.say("\n".join(str(path) for path in written))
