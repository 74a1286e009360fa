"""Recompute a paper's tables from its released data: `empathic reproduce ieval2022 --data DIR`."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from empathic.cli import output
from empathic.errors import UnknownName
from empathic.papers import Check, Reproduction

PAPERS = {
    "welivita2024": "Welivita & Pu 2024: people and GPT-4, 2,000 dialogues, 600 raters",
    "ieval2022": "Svikhnushina, Filippova & Pu 2022: iEval, 240 tasks, four chatbots, two contexts",
    "lee2024": "Lee, Kummerfeld, An & Mihalcea 2024: ten systems, 5,255 prompts, Table 2, Figures 2 and 4",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paper", help=", ".join(PAPERS))
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the folder with the released files")
    parser.add_argument("--all", action="store_true", help="print every cell, not only those that differ")
    output.add_common(parser)


def run(options: argparse.Namespace) -> None:
    if options.paper not in PAPERS:
        raise UnknownName("paper", options.paper, PAPERS)
    output.load_extensions(options)
    result: Reproduction = importlib.import_module(f"empathic.papers.{options.paper}").reproduce(options.data)
    if options.json:
        output.print_json(result)
        return
    _say(result, every=options.all)


def _say(result: Reproduction, *, every: bool) -> None:
    shown = [check for check in result.checks if every or not check.match]
    output.say(output.table(("table", "row", "column", "published", "recomputed", "match"), map(_row, shown)))
    matching = sum(check.match for check in result.checks)
    output.say(f"\n{matching} of {len(result.checks)} cells match.")
    if not every and matching:
        output.say("Only those that differ are shown; --all shows every cell.")
    if result.findings:
        output.say("\nWhat the paper should have said")
        for finding in result.findings:
            output.say(f"- [{finding.id}] {finding.text}")
            for name, value in finding.numbers.items():
                output.say(f"    {name}: {f'{value:.6g}' if isinstance(value, float) else value}")


def _row(check: Check) -> tuple[object, ...]:
    computed = f"{check.computed:.6g}" if isinstance(check.computed, float) else check.computed
    return check.table, check.row, check.column, str(check.published), computed, "yes" if check.match else "NO"
