"""A design and some dialogues become a working example study in a folder."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from empathic import files
from empathic.errors import InputError
from empathic.records import Dialogue, Response

Design = Literal["between", "ieval", "observer"]
FILES = Path(__file__).parent / "example_files"
BETWEEN, TRANSCRIPTS = 80, 12
_CODES = ("complete", "screened_out", "failed", "withdrawn")


def write(
    design: Design, folder: Path, scenarios: Sequence[Dialogue], answered: Mapping[str, Sequence[Response]]
) -> list[Path]:
    """The study file and its data; `answered` holds each system's responses to every scenario, turn by turn."""
    if folder.exists() and any(folder.iterdir()):
        raise InputError("is not empty; give a new folder", path=folder)
    folder.mkdir(parents=True, exist_ok=True)
    study = folder / "study.yaml"
    with files.atomic(study) as stream:
        stream.write(_with_codes((FILES / f"{design}.yaml").read_text(encoding="utf-8")).encode())
    if design == "between":
        return [study, _responses(folder / "responses.jsonl", scenarios, answered)]
    if design == "ieval":
        path = folder / "scenarios.jsonl"
        files.write_lines(path, scenarios)
        return [study, path]
    return [study, _transcripts(folder / "transcripts.jsonl", scenarios, answered)]


def chosen(design: Design, scenarios: Sequence[Dialogue]) -> list[Dialogue]:
    """The scenarios an example uses: as many positive as negative ones, spread over the emotions."""
    if design == "ieval":
        return [each for each in scenarios if each.polarity]
    half = (BETWEEN if design == "between" else TRANSCRIPTS) // 2
    picked = []
    for polarity in ("positive", "negative"):
        same = [each for each in scenarios if each.polarity == polarity]
        step = max(1, len(same) // half)
        picked += same[::step][:half]
    if not picked:
        raise InputError("the dialogues have no polarity; an example needs positive and negative ones")
    return picked


def _with_codes(text: str) -> str:
    """Codes of its own for every example: a code that stands in a manual is no secret."""
    for outcome in _CODES:
        text = text.replace(f"CODE_{outcome.upper()}", secrets.token_hex(4).upper())
    return text


def _responses(path: Path, scenarios: Sequence[Dialogue], answered: Mapping[str, Sequence[Response]]) -> Path:
    wanted = {each.id for each in scenarios}
    rows = [each for responses in answered.values() for each in responses]
    files.write_lines(path, [each for each in rows if each.dialogue in wanted and each.position == 0])
    return path


def _transcripts(path: Path, scenarios: Sequence[Dialogue], answered: Mapping[str, Sequence[Response]]) -> Path:
    found = [
        _transcript(each, system, {one.position: one.text for one in responses if one.dialogue == each.id})
        for system, responses in answered.items()
        for each in scenarios
    ]
    files.write_lines(path, found)
    return path


def _transcript(scenario: Dialogue, system: str, texts: Mapping[int, str | None]) -> Dialogue:
    """The scenario with the listener's turns said by the system."""
    turns, place = [], 0
    for turn in scenario.turns:
        if turn.role == "speaker":
            turns.append(turn)
            continue
        said = texts.get(place)
        place += 1
        turns.append(turn if said is None else type(turn)(role="listener", text=said))
    return Dialogue(
        id=f"{scenario.id}#{system}",
        turns=tuple(turns),
        emotion=scenario.emotion,
        polarity=scenario.polarity,
        situation=scenario.situation,
        metadata={"system": system, "scenario": scenario.id},
    )
