"""Estimates and verdicts become what people read: HTML, figures, tables, summaries for continuous integration."""

from __future__ import annotations

from empathic.reports.exports import write_figures, write_tables
from empathic.reports.gate import Row, junit, markdown
from empathic.reports.material import Answer, Branch, Example, Material, Pathology, Phrases, Section, Source
from empathic.reports.page import figures, page

__all__ = [
    "Answer",
    "Branch",
    "Example",
    "Material",
    "Pathology",
    "Phrases",
    "Row",
    "Section",
    "Source",
    "figures",
    "junit",
    "markdown",
    "page",
    "write_figures",
    "write_tables",
]
