"""Responses become a run folder and a result that notebooks, pandas and polars can show: `empathic evaluate` in Python.

Stands with `pipeline` above the rooms; the files are byte for byte those the command writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

import pyarrow as pa

from empathic import files, metrics, parts, pipeline, profile, reporting, tables
from empathic.errors import InputError, SettingError
from empathic.metrics import Choice, Plan, engines
from empathic.metrics.measure import default_names, names_that_need
from empathic.metrics.run import TABLE
from empathic.metrics.scoring import deal, schema
from empathic.pipeline import ESTIMATES, REPORT, RESPONSES, Source, Step
from empathic.records import Estimate, Response
from empathic.reports.numbers import interval, number, spoken
from empathic.runs import Run

Responses = str | Path | Sequence[str | Path] | Mapping[str, str | Path] | Iterable[Response]
PROFILE = pa.schema(
    [
        ("dimension", pa.string()),
        ("metric", pa.string()),
        ("system", pa.string()),
        ("value", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("n", pa.int64()),
        ("missing", pa.string()),
        ("signature", pa.string()),
    ]
)


class Evaluation:
    """An evaluated run folder: its tables as Arrow, its estimates as records, its report; shows itself in notebooks."""

    def __init__(self, folder: str | Path) -> None:
        self.run = Run(Path(folder))
        if not self.run.path(ESTIMATES).is_file():
            raise InputError(f"holds no {ESTIMATES}; `empathic evaluate` writes it", path=self.run.folder)

    @property
    def report(self) -> Path:
        """The page to look at."""
        return self.run.path(REPORT)

    @property
    def estimates(self) -> list[Estimate]:
        """Every estimate: means, differences, groups, emotions."""
        return pipeline.read_estimates(self.run)

    @property
    def scores(self) -> Any:
        """One row per response, one column per number: a `pyarrow.Table`."""
        return tables.read_columns(self.run.path(TABLE))

    @property
    def profile(self) -> Any:
        """One row per number and system, with its interval: a `pyarrow.Table` (`.to_pandas()`, `polars.from_arrow`)."""
        rows = [
            {
                "dimension": dimension.id,
                "metric": each.labels["metric"],
                "system": each.labels["system"],
                **{name: getattr(each, name) for name in ("value", "low", "high", "n", "missing", "signature")},
            }
            for dimension in profile.dimensions()
            for each in self.estimates
            if each.labels["kind"] in ("mean", "corpus") and dimension.holds(each.labels["metric"])
        ]
        return pa.Table.from_pylist(rows, schema=PROFILE)

    def __repr__(self) -> str:
        return f"Evaluation('{self.run.folder}')"

    def _repr_html_(self) -> str:
        """The headline numbers of every system with their intervals."""
        found = {
            (each.labels["metric"], each.labels["system"]): each
            for each in self.estimates
            if each.labels["kind"] in ("mean", "corpus")
        }
        systems = list(dict.fromkeys(system for _, system in found))
        shown = {metric for metric, _ in found}
        rows = [
            _row(spoken(name), [_cell(found.get((name, system))) for system in systems])
            for dimension in profile.dimensions()
            for name in dimension.headline
            if name in shown
        ]
        head = "".join(f'<th scope="col">{escape(name)}</th>' for name in ("", *systems))
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
        return f"{table}<p>Everything: <code>{escape(str(self.report))}</code></p>"


def evaluate(
    responses: Responses,
    folder: str | Path,
    *,
    reference: str | None = None,
    metrics: Sequence[str] | None = None,
    seed: int = 1,
    draws: int = 2000,
    workers: int = 1,
) -> Evaluation:
    """Score, compare and report responses: files (`{"mine": "a.json"}` names the system) or records, as the command does.

    `reference` is the system the others are held against (`human` or `human/…` if there is one), `seed` and `draws`
    are of the bootstrap. What is done already in `folder` and has not changed is not done again.
    """
    run = Run(Path(folder))
    pipeline.carry_out(run, _gathered(run, responses))
    held = reference or pipeline.reference_of(run)
    plan = plan_of(metrics, reference=held)
    engine = engines.serial if workers == 1 else partial(engines.pool, workers=workers)
    steps = [
        pipeline.score(run, plan, engine, reference=held),
        pipeline.analyze(run, seed=seed, draws=draws, reference=held),
        pipeline.report(run, lambda: _write(run)),
    ]
    pipeline.carry_out(run, steps)
    return Evaluation(folder)


def score(responses: Iterable[Response], *, metrics: Sequence[str] | None = None, tokens: str = "ptb") -> Any:
    """One row per response, one column per number, as a `pyarrow.Table`; numbers about a whole system are left out."""
    plan = plan_of(metrics, tokens=tokens)
    rows = [chunk.rows for chunk in engines.serial(plan, deal(responses))]
    return pa.Table.from_batches(rows, schema=schema(plan))


def plan_of(names: Sequence[str] | None, *, reference: str | None = None, tokens: str = "ptb") -> Plan:
    """The metrics named, or all that need nothing else (and overlap, if there is a reference to overlap with)."""
    wanted = names_that_need("reference") if reference and parts.present("sacrebleu") else ()
    asked = names if names is not None else [*default_names(), *wanted]
    plan = Plan(choices=tuple(Choice(asked=name) for name in asked), tokens=tokens)
    metrics.measures(plan)
    return plan


def _gathered(run: Run, responses: Responses) -> list[Step]:
    if isinstance(responses, str | Path):
        return [pipeline.collect(run, [Source(Path(responses))])]
    if isinstance(responses, Mapping):
        return [pipeline.collect(run, [Source(Path(path), name) for name, path in responses.items()])]
    found = list(responses)
    paths = [Source(Path(one)) for one in found if isinstance(one, str | Path)]
    if len(paths) == len(found):
        return [pipeline.collect(run, paths)]
    records = [one for one in found if isinstance(one, Response)]
    if len(records) < len(found):
        raise SettingError("Responses are either paths of files or Response records, not both.")
    run.folder.mkdir(parents=True, exist_ok=True)
    files.write_lines(run.path(RESPONSES), records)
    return []


def _write(run: Run) -> None:
    reporting.write(run, run.path(REPORT))


def _row(name: str, cells: Sequence[str]) -> str:
    return f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{cell}</td>" for cell in cells)}</tr>'


def _cell(estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return escape(f"missing: {estimate.missing}") if estimate else "–"
    return f"{number(estimate.value)} <small>{interval(estimate)}</small>"
