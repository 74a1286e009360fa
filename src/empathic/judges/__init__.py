"""Models as raters: an instrument and a transcript become the same Ratings a person would give."""

from __future__ import annotations

from empathic.judges import prompts
from empathic.judges.judge import ModelJudge, Settings
from empathic.judges.subjects import of_dialogues, of_responses

__all__ = ["ModelJudge", "Settings", "of_dialogues", "of_responses"]

for _path in sorted(prompts.FOLDER.glob("*.toml")):
    prompts.register(_path)
