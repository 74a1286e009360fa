"""A stream of responses and a plan become `scores.parquet` and `scores.json` in a folder."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from empathic import files, tables
from empathic.metrics import engines
from empathic.metrics.scoring import Plan, Scored, deal, schema
from empathic.metrics.summary import Summary, Tally
from empathic.records import Response

TABLE = "scores.parquet"
SUMMARY = "scores.json"
Engine = Callable[[Plan, Iterable[Sequence[Response]]], Iterator[Scored]]
Progress = Callable[[int], None]


def score(
    responses: Iterable[Response],
    plan: Plan,
    folder: Path | None = None,
    *,
    engine: Engine = engines.serial,
    progress: Progress | None = None,
) -> Summary:
    """Score responses as a stream; with a folder, the table and the summary are written there."""
    scored = _counted(engine(plan, deal(responses)), progress)
    tally = Tally(plan)
    if folder is None:
        for chunk in scored:
            tally.add(chunk)
        return tally.summary()
    with tables.writer(folder / TABLE, schema(plan)) as table:
        for chunk in scored:
            table.write_batch(chunk.rows)
            tally.add(chunk)
    summary = tally.summary()
    files.write_json(folder / SUMMARY, summary)
    return summary


def _counted(scored: Iterator[Scored], progress: Progress | None) -> Iterator[Scored]:
    done = 0
    for chunk in scored:
        done += chunk.n
        if progress is not None:
            progress(done)
        yield chunk
