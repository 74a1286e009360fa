"""Models as raters: an instrument and a transcript become the same Ratings a person would give."""

from __future__ import annotations

from empathic.judges import prompts
from empathic.judges.judge import ModelJudge, Settings
from empathic.judges.panel import Outcome, Plan, run_stage
from empathic.judges.subjects import of_dialogues, of_responses

__all__ = ["ModelJudge", "Outcome", "Plan", "Settings", "of_dialogues", "of_responses", "run_stage"]

for _path in sorted(prompts.FOLDER.glob("*.toml")):
    prompts.register(_path)
