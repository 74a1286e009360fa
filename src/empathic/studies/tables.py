"""Exported records become files: JSON lines, CSV, Parquet and the codebook that explains every column."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from empathic import files
from empathic.records import Instrument, Rater, Rating
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
TRAITS = {
    "condition": "the condition the rater was assigned",
    "batch": "what was rated together",
    "state": "how far the rater came",
    "outcome": "how it ended: complete, failed (attention checks)",
    "late": "finished after the place was given away",
    "platform_state": "what the platform says of the submission",
    "version": "the version of the study",
    "consent": "the version of the consent text",
    "consent_hash": "SHA-256 of the consent text",
    "started": "when the link was opened, UTC",
    "finished": "when the study was finished, UTC",
    "minutes": "from start to finish",
    "checks_failed": "the attention checks answered otherwise than asked",
    "comment": "the free comment",
    "bots": "the order of the bots in the first scenario (reversed in the second)",
    "colours": "which bot was called by which colour",
}
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would compute instead of show


def write(folder: Path, found: Export, plan: Plan) -> list[Path]:
    """Everything into a folder, with a manifest of hashes."""
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"{kind}.{form}" for kind in ("raters", "ratings") for form in ("jsonl", "csv", "parquet")]
    names += ["exclusions.json", "codebook.md"]
    files.write_lines(folder / "raters.jsonl", found.raters)
    files.write_lines(folder / "ratings.jsonl", found.ratings)
    people = as_rater_table(found.raters, plan)
    table = as_table(found.ratings)
    for name, rows in (("raters", people), ("ratings", table)):
        with files.atomic(folder / f"{name}.csv") as stream:
            stream.write(as_csv(rows))
        with files.atomic(folder / f"{name}.parquet") as stream:
            pa.parquet.write_table(rows, stream)
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


def as_rater_table(raters: list[Rater], plan: Plan) -> pa.Table:
    """Raters, one row each: the questions of the study, then what is known of everybody; `more` holds other traits.

    `more` is filled where somebody took an earlier version of the study that asked something else.
    """
    kinds = {each.id: pa.float64() if each.kind == "number" else pa.string() for each in plan.study.questions}
    kinds |= {**dict.fromkeys(TRAITS, pa.string()), "minutes": pa.float64(), "late": pa.bool_(), "version": pa.int64()}
    rows = [{name: _plain(value) for name, value in each.traits.items()} for each in raters]
    known = [{name: value for name, value in row.items() if _fits(value, kinds.get(name))} for row in rows]
    rest = [{name: row[name] for name in row if name not in own} for row, own in zip(rows, known, strict=True)]
    columns = {"rater": pa.array([each.id for each in raters], pa.string())}
    columns |= {name: pa.array([row.get(name) for row in known], kind) for name, kind in kinds.items()}
    columns["more"] = pa.array([msgspec.json.encode(each).decode() if each else None for each in rest], pa.string())
    return pa.table(columns)


def _plain(value: object) -> object:
    """A list as its words, anything nested as JSON."""
    if isinstance(value, list | tuple):
        return " | ".join(map(str, value))
    return msgspec.json.encode(value).decode() if isinstance(value, dict) else value


def _fits(value: object, kind: pa.DataType | None) -> bool:
    """Whether a column can hold a value: an earlier version may have asked the same in words."""
    wanted = str if kind == pa.string() else bool if kind == pa.bool_() else (int, float)
    return kind is not None and isinstance(value, wanted)


def as_csv(table: pa.Table, *, header: bool = True) -> bytes:
    """A table as CSV; a text that a spreadsheet would take for a formula gets a `'` in front."""
    guarded = [_guarded(column) if pa.types.is_string(column.type) else column for column in table.columns]
    sink = pa.BufferOutputStream()
    pa.csv.write_csv(pa.table(guarded, table.column_names), sink, pa.csv.WriteOptions(include_header=header))
    return bytes(sink.getvalue())


def _guarded(column: pa.ChunkedArray) -> pa.Array:
    texts = column.to_pylist()
    return pa.array([f"'{text}" if text and text.startswith(FORMULA) else text for text in texts], pa.string())


def codebook(plan: Plan) -> str:
    """What every column and every item means, as Markdown."""
    return "\n".join(_codebook(plan)) + "\n"


def _codebook(plan: Plan) -> Iterator[str]:
    study = plan.study
    yield f"# Codebook: {study.title}"
    yield from ("", f"Design: {study.__struct_config__.tag}. Consent version {study.consent.version}.", "")
    yield from ("## Columns of ratings", "", "| column | meaning |", "|---|---|")
    yield from (f"| {name} | {meaning} |" for name, meaning in COLUMNS.items())
    yield from ("", "## Columns of raters", "", "| column | meaning |", "|---|---|", "| rater | the pseudonym |")
    yield from (f"| {name} | {meaning} |" for name, meaning in TRAITS.items())
    yield from ("", "In CSV files a text that a spreadsheet would take for a formula begins with a `'`.")
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
