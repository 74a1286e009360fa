"""Estimates and verdicts become what people read: HTML, figures, tables, summaries for continuous integration."""

from __future__ import annotations

from empathic.reports.exports import write_figures, write_tables
from empathic.reports.gate import Row, junit, markdown
from empathic.reports.material import Answer, Branch, Example, Material, Pathology, Phrases, Section, Source
from empathic.reports.page import figures, page
from empathic.reports.probe_material import Lost, Named, Pair, ProbeMaterial, SystemPart, Told
from empathic.reports.probe_page import probe_page

__all__ = [
    "Answer",
    "Branch",
    "Example",
    "Lost",
    "Material",
    "Named",
    "Pair",
    "Pathology",
    "Phrases",
    "ProbeMaterial",
    "Row",
    "Section",
    "Source",
    "SystemPart",
    "Told",
    "figures",
    "junit",
    "markdown",
    "page",
    "probe_page",
    "write_figures",
    "write_tables",
]
