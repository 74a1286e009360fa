"""One stylesheet of our own for everything a person reads in a browser: studies and reports."""

from __future__ import annotations

from pathlib import Path

PATH = Path(__file__).with_name("empathic.css")


def css() -> str:
    """The stylesheet as text."""
    return PATH.read_text(encoding="utf-8")
