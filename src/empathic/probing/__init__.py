"""Templates and systems become a probe run: sampled, rendered, asked, measured, analysed, in one run folder."""

from __future__ import annotations

from empathic.probing.design import Design, Settings, make
from empathic.probing.run import analyze, ask, measure, sample

__all__ = ["Design", "Settings", "analyze", "ask", "make", "measure", "sample"]
