"""Exported records become files: JSON lines, CSV, Parquet and the codebook that explains every column."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from empathic import files
from empathic.records import Instrument, Rating
from empathic.runs import Run
from empathic.studies.design import Plan
from empathic.studies.export import Export

COLUMNS = {
    "rater": "the participant's pseudonym",
    "instrument": "the questionnaire",
    "item": "the question (below)",
    "target": "what was rated: a response, a chat, or the rater (for questionnaires about the rater)",
    "value": "the point as chosen; reversed items are not turned",
    "missing": "why there is no value",
    "system": "the system that produced what was rated; the rater did not see it",
    "dialogue": "the dialogue it belongs to",
    "condition": "the condition of the rater (between groups) or the polarity of the scenario",
    "order": "the place in the sequence this rater saw, from 0",
    "time": "when the answer was stored, UTC",
    "seconds": "since the rater's previous event, i.e. the time on the page",
}


def write(folder: Path, found: Export, plan: Plan) -> list[Path]:
    """Everything into a folder, with a manifest of hashes."""
    folder.mkdir(parents=True, exist_ok=True)
    names = ["raters.jsonl", "ratings.jsonl", "ratings.csv", "ratings.parquet", "exclusions.json", "codebook.md"]
    files.write_lines(folder / "raters.jsonl", found.raters)
    files.write_lines(folder / "ratings.jsonl", found.ratings)
    table = as_table(found.ratings)
    with files.atomic(folder / "ratings.csv") as stream:
        pa.csv.write_csv(table, stream)
    with files.atomic(folder / "ratings.parquet") as stream:
        pa.parquet.write_table(table, stream)
    files.write_json(folder / "exclusions.json", found.exclusions)
    with files.atomic(folder / "codebook.md") as stream:
        stream.write(codebook(plan).encode())
    if found.dialogues:
        files.write_lines(folder / "dialogues.jsonl", found.dialogues)
        files.write_lines(folder / "responses.jsonl", found.responses)
        names += ["dialogues.jsonl", "responses.jsonl"]
    Run(folder).finish("study", outputs=names, settings={"study": plan.study.title}, seed=plan.study.seed)
    return [folder / name for name in names]


def as_table(ratings: list[Rating]) -> pa.Table:
    """Ratings in long form, one row each."""
    kinds = {"value": pa.float64(), "seconds": pa.float64(), "order": pa.int64()}
    columns = {
        name: pa.array([getattr(each, name) for each in ratings], kinds.get(name, pa.string())) for name in COLUMNS
    }
    return pa.table(columns)


def codebook(plan: Plan) -> str:
    """What every column and every item means, as Markdown."""
    return "\n".join(_codebook(plan)) + "\n"


def _codebook(plan: Plan) -> Iterator[str]:
    study = plan.study
    yield f"# Codebook: {study.title}"
    yield from ("", f"Design: {study.__struct_config__.tag}. Consent version {study.consent.version}.", "")
    yield from ("## Columns of ratings", "", "| column | meaning |", "|---|---|")
    yield from (f"| {name} | {meaning} |" for name, meaning in COLUMNS.items())
    if study.questions:
        yield from ("", "## Traits of raters", "", "| trait | question | answers |", "|---|---|---|")
        yield from (f"| {each.id} | {each.text} | {', '.join(each.options) or each.kind} |" for each in study.questions)
    for asked in plan.instruments:
        yield from _instrument(asked)


def _instrument(asked: Instrument) -> Iterator[str]:
    points = " · ".join(f"{point.value:g} {point.label}".strip() for point in asked.points)
    yield from ("", f"## {asked.title} (`{asked.id}`, version {asked.version})", "")
    yield from (asked.citation, "", f"Points: {points}", "", "| item | text | reversed |", "|---|---|---|")
    for item in asked.items:
        own = "" if item.points is None else f" ({', '.join(f'{p.value:g} {p.label}' for p in item.points)})"
        text = f"{item.title}: {item.text}{own}" if item.title else f"{item.text}{own}"
        yield f"| {item.id} | {text} | {'yes' if item.reversed else ''} |"


def as_json(found: Export) -> bytes:
    """All records as one JSON document."""
    return msgspec.json.encode(found._asdict())
