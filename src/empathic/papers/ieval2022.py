"""iEval (Svikhnushina, Filippova & Pu 2022, SIGDIAL): the released file becomes its numbers again, and findings."""

from __future__ import annotations

import operator
import tomllib
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

from empathic.papers.checks import Check, Reproduction, cell_matches
from empathic.papers.ieval2022_cells import Cells, compute
from empathic.papers.ieval2022_data import read
from empathic.papers.ieval2022_findings import findings

PAPER = "ieval2022"
BOUNDS: dict[str, Callable[[float, float], bool]] = {"<": operator.lt, ">": operator.gt}


def reproduce(folder: Path) -> Reproduction:
    """Every printed number beside the recomputed one, then what the paper should have said."""
    study, printed = read(folder), published()
    cells = compute(study, printed)
    checks = tuple(_check(cells, *cell) for cell in printed["cells"])
    return Reproduction(paper=PAPER, checks=checks, findings=tuple(findings(study, printed, cells)))


def published() -> dict[str, Any]:
    """The printed numbers, chats and tables."""
    text = resources.files("empathic.papers").joinpath(f"{PAPER}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _check(cells: Cells, table: str, row: str, column: str, relation: str, value: float, digits: int) -> Check:
    computed = cells.get((table, row, column))
    if relation == "=":
        match = computed is not None and cell_matches(value, computed, digits)
        return Check(table=table, row=row, column=column, published=value, computed=computed, match=match)
    match = computed is not None and BOUNDS[relation](computed, value)
    return Check(table=table, row=row, column=column, published=f"{relation} {value:g}", computed=computed, match=match)
