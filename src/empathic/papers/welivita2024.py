"""The released data of Welivita & Pu, "Is ChatGPT More Empathetic than Humans?" (2024), become its tables again."""

from __future__ import annotations

from pathlib import Path

from empathic import instruments
from empathic.papers.checks import Reproduction, check, read_published
from empathic.papers.welivita2024_findings import findings
from empathic.papers.welivita2024_study import load
from empathic.papers.welivita2024_tables import cells

NAME = "welivita2024"
__all__ = ["NAME", "instruments", "reproduce"]  # importing the instruments registers the questionnaire


def reproduce(folder: Path) -> Reproduction:
    """Every published cell beside the recomputed one, then the findings."""
    study = load(folder)
    printed = {(table, row, column): text for table, row, column, text in read_published(NAME)}
    computed = {(table, row, column): value for table, row, column, value in cells(study, printed)}
    checks = tuple(check(*place, text, computed.get(place)) for place, text in printed.items())
    return Reproduction(paper=NAME, checks=checks, findings=tuple(findings(study, printed)))
