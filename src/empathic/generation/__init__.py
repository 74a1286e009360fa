"""Systems, dialogues and a procedure become responses: asked in parallel, stored as they come, written in order."""

from __future__ import annotations

from empathic.generation.assembly import Outcome, Timing, assemble
from empathic.generation.chains import Plan
from empathic.generation.engine import Progress, generate
from empathic.generation.stage import check_dialogues, expected, run_stage

__all__ = ["Outcome", "Plan", "Progress", "Timing", "assemble", "check_dialogues", "expected", "generate", "run_stage"]
