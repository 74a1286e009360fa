"""Estimates and verdicts become what people read: HTML, figures, tables, summaries for continuous integration."""

from __future__ import annotations

from empathic.reports.gate import Row, junit, markdown

__all__ = ["Row", "junit", "markdown"]
