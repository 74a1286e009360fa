"""Score responses with metrics: `empathic score cem_responses.json human_responses.json -o runs/lee --json`."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

import msgspec

from empathic import datasets, metrics, parts
from empathic.cli import output, rooms
from empathic.errors import InputError, SettingError
from empathic.metrics import engines
from empathic.metrics.measure import default_names, names_that_need
from empathic.metrics.references import References
from empathic.metrics.run import SUMMARY, TABLE, Engine
from empathic.metrics.scoring import Choice, Plan
from empathic.metrics.summary import Cell, Summary
from empathic.records import Response
from empathic.runs import Run

ROOMS = ("empathic.metrics", "empathic.models")  # what other processes import: metrics, and the models they may use


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="responses; NAME=FILE names the system")
    add_scoring_arguments(parser)
    parser.add_argument("--decoding", metavar="NAME", help="score another decoding kept in the files: beam_search …")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="write scores.parquet and scores.json there")
    output.add_common(parser)


def add_scoring_arguments(parser: argparse.ArgumentParser) -> None:
    """Flags about what is computed and where; `evaluate` has them too."""
    parser.add_argument("--metrics", metavar="A,B", help="which metrics (default: all that need nothing else)")
    parser.add_argument("--reference", metavar="NAME", help="the system whose answers are the references: human")
    parser.add_argument("--set", action="append", default=[], metavar="METRIC.SETTING=VALUE", help="set (repeatable)")
    parser.add_argument("--tokens", choices=("ptb", "split"), default="ptb", help="split: files are tokenised already")
    parser.add_argument("--format", metavar="NAME", help="the format of the files (default: recognised)")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes of this machine (default 1)")
    parser.add_argument("--engine", choices=("local", "dask"), default="local", help="where to compute")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="address of the Dask scheduler")


def run(options: argparse.Namespace) -> None:
    rooms.load()
    output.load_extensions(options)
    plan, engine = plan_of(options), engine_of(options)
    sources = [source_of(word) for word in options.files]
    responses = _with_references(_responses(sources, options), sources, options)
    summary = metrics.score(responses, plan, options.output, engine=engine, progress=output.progress("responses"))
    if options.output is not None:
        inputs = [path for _, path in sources]
        settings = msgspec.to_builtins(plan)
        Run(options.output).finish("score", outputs=[TABLE, SUMMARY], inputs=inputs, settings=settings)
    if options.json:
        output.print_json(summary)
    else:
        _show(summary)


def plan_of(options: argparse.Namespace) -> Plan:
    """What is to be computed, checked before any file is read."""
    names = [name.strip() for name in options.metrics.split(",")] if options.metrics else _all_names(options)
    settings: dict[str, dict[str, str]] = {}
    for word in options.set:
        metric, key, value = _setting(word)
        settings.setdefault(metric, {})[key] = value
    for metric in settings:
        if metric not in names:
            raise SettingError(f"--set names '{metric}', which is not among the metrics: {', '.join(names)}.")
    choices = tuple(Choice(asked=name, settings=settings.get(name, {})) for name in names)
    plan = Plan(choices=choices, tokens=options.tokens, imports=ROOMS, load=tuple(map(str, options.load)))
    metrics.measures(plan)
    return plan


def _all_names(options: argparse.Namespace) -> list[str]:
    wanted = names_that_need("reference") if options.reference and parts.present("sacrebleu") else ()
    return [*default_names(), *wanted]


def engine_of(options: argparse.Namespace) -> Engine:
    """Where it is to be computed."""
    if options.engine == "dask":
        if not options.scheduler:
            raise SettingError("--engine dask needs --scheduler ADDRESS, for example tcp://10.0.0.1:8786.")
        return partial(engines.dask, scheduler=options.scheduler)
    return engines.serial if options.workers == 1 else partial(engines.pool, workers=options.workers)


def _setting(word: str) -> tuple[str, str, str]:
    left, equals, value = word.partition("=")
    metric, dot, key = left.rpartition(".")
    if not (equals and dot and metric):
        raise SettingError(
            f"--set is '{word}', METRIC.SETTING=VALUE is needed: --set specificity.reference=counts.json"
        )
    return metric, key, value


def source_of(word: str) -> tuple[str | None, Path]:
    """`cem=beam.json` names the system; `cem_responses.json` is named by its stem (by the reader)."""
    name, equals, path = word.partition("=")
    return (name, Path(path)) if equals and not Path(word).exists() else (None, Path(word))


def _responses(sources: Iterable[tuple[str | None, Path]], options: argparse.Namespace) -> Iterator[Response]:
    for name, path in sources:
        system = name or path.name.split(".")[0].removesuffix("_responses")
        for record in datasets.read(path, options.format, system=system):
            if isinstance(record, Response):
                record = record if name is None else msgspec.structs.replace(record, system=name)
                yield choose_decoding(record, options.decoding, path)


def _with_references(
    responses: Iterator[Response], sources: list[tuple[str | None, Path]], options: argparse.Namespace
) -> Iterator[Response]:
    if options.reference is None:
        return responses
    references = References(one for one in _responses(sources, options) if one.system == options.reference)
    if not references.by_prompt:
        raise SettingError(
            f"--reference is '{options.reference}', but no file holds its responses: add {options.reference}=FILE."
        )
    return references.attach(responses, options.reference)


def choose_decoding(response: Response, decoding: str | None, path: Path) -> Response:
    """The response with the text of another decoding kept in its metadata; None leaves it as it is."""
    if decoding is None:
        return response
    text = response.metadata.get(decoding)
    if not isinstance(text, str):
        raise InputError(f"has no decoding '{decoding}' of response '{response.id}'", path=path)
    return msgspec.structs.replace(response, text=text, missing=None)


def _show(summary: Summary) -> None:
    names = list(dict.fromkeys(name for cells in summary.systems.values() for name in cells))
    rows = [(name, *(_cell(cells.get(name)) for cells in summary.systems.values())) for name in names]
    output.say(output.table(("", *summary.systems), rows))
    for name, caution in summary.cautions.items():
        output.say(f"\n{name}: {caution}")
    for flag in summary.flags:
        output.say(f"\n! {flag}")


def _cell(cell: Cell | None) -> float | None:
    return None if cell is None else cell.value
