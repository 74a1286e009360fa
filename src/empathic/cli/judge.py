"""Let models fill an instrument: `empathic judge --judge openai/gpt-4o --instrument eshcc --dialogues builtin -o x`.

`judge probe` tries words in the transcript that speak to the judge, `judge calibrate` compares a judge with people,
`judge estimate` combines the ratings of both.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import importlib
import itertools
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from empathic import datasets, files, judges, models, registry
from empathic.cli import dialogues, output, rooms, surroundings
from empathic.contracts import Model, Subject
from empathic.errors import InputError, SettingError
from empathic.judges import attacks, prompts
from empathic.judges.panel import RATINGS
from empathic.records import Instrument, Rating, Response
from empathic.runs import Run


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("action", nargs="?", choices=("rate", "probe", "calibrate", "estimate"), default="rate")
    parser.add_argument("--instrument", metavar="NAME", help="what is filled: eshcc, eshcc-turn, epitome, …")
    rate = parser.add_argument_group("rate, probe")
    rate.add_argument(
        "--judge", action="append", metavar="PROVIDER/MODEL", help="who judges; repeatable, there is no default"
    )
    what = rate.add_mutually_exclusive_group()
    what.add_argument("--responses", type=Path, metavar="FILE", help="judge responses, or a run folder's")
    what.add_argument("--dialogues", metavar="SOURCE", help="judge conversations: builtin, a dataset or a file")
    rate.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="the run folder")
    rate.add_argument("--limit", type=int, metavar="N", help="the first N things only")
    rate.add_argument("--repeats", type=int, default=1, metavar="K", help="ask everything K times")
    rate.add_argument("--permute", action="store_true", help="draw the order of items and the speakers' names anew")
    rate.add_argument("--attempts", type=int, default=3, metavar="N", help="tries until an answer can be read (3)")
    rate.add_argument("--prompt", default=prompts.DEFAULT, metavar="NAME", help="a prompt for judges, or file:PATH")
    rate.add_argument("--no-schema", action="store_true", help="for servers that cannot hold an answer to a schema")
    rate.add_argument("--attack", action="append", metavar="NAME", help="probe: only this one (repeatable)")
    _calibration_arguments(parser)
    surroundings.add_sampling_arguments(parser)
    surroundings.add_model_arguments(parser)
    # a whole questionnaire with reasons is a long answer; on a slow machine it takes minutes
    parser.set_defaults(timeout=600.0, deadline=1800.0)
    output.add_common(parser)


def run(options: argparse.Namespace) -> int:
    rooms.load()
    output.load_extensions(options)
    if options.action in ("calibrate", "estimate"):
        return int(_calibrate().run(options))
    _require(options)
    instrument = _instrument(options)
    chosen = attacks.find(options.attack or ["all"]) if options.action == "probe" else {}
    subjects = list(attacks.with_attacks(_subjects(options, instrument), chosen))
    outcomes = asyncio.run(_judge(options, instrument, subjects))
    stamps = {each.judge: _stamp(options.calibration, each.signature, instrument) for each in outcomes}
    if chosen:
        _show_shifts(options, attacks.shifts(files.read_lines(options.output / RATINGS, Rating), chosen))
    else:
        _show(options, outcomes, stamps)
    return 0 if all(outcome.missing < outcome.ratings for outcome in outcomes) else 1


def rate(options: argparse.Namespace) -> list[judges.Outcome]:
    """Let the judges fill the instrument into the run folder, asking only for what is missing there."""
    _require(options)
    instrument = _instrument(options)
    return asyncio.run(_judge(options, instrument, _subjects(options, instrument)))


def _instrument(options: argparse.Namespace) -> Instrument:
    found: Instrument = registry.find("instrument", options.instrument).thing
    return found


def _calibration_arguments(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("calibrate, estimate")
    group.add_argument("--judge-ratings", type=Path, action="append", metavar="FILE", help="a file or a run folder")
    group.add_argument("--human-ratings", type=Path, action="append", metavar="FILE", help="people, same targets")
    group.add_argument("--width", type=float, default=0.1, metavar="W", help="wanted half width of κ's interval (0.1)")
    group.add_argument("--replicates", type=int, default=1000, metavar="N", help="of the bootstrap (default 1000)")
    group.add_argument("--calibration", type=Path, metavar="FILE", help="rate: stamp with what `calibrate -o` wrote")


def _calibrate() -> ModuleType:
    """The statistics behind a calibration take seconds to import, which rating does not need."""
    return importlib.import_module("empathic.cli.calibrate")


def _stamp(path: Path | None, signature: str, instrument: Instrument) -> str:
    return "uncalibrated" if path is None else str(_calibrate().stamp(path, signature, instrument))


def _require(options: argparse.Namespace) -> None:
    if not options.judge:
        raise SettingError("Name the judge: --judge PROVIDER/MODEL. No model judges unless it is named.")
    if not options.instrument:
        raise SettingError("Name the instrument: --instrument eshcc. `empathic list instruments` shows all.")
    if options.responses is None and options.dialogues is None:
        raise SettingError("Say what to judge: --responses FILE, or --dialogues FILE|builtin.")
    if options.output is None:
        raise SettingError("Say where to write: -o runs/NAME.")
    if options.limit is not None and options.limit < 1:
        raise SettingError(f"--limit {options.limit}: a number from 1 is needed.")


def _subjects(options: argparse.Namespace, instrument: Instrument) -> list[Subject]:
    if options.dialogues is not None:
        chosen = dialogues.load(options.dialogues)
        return list(itertools.islice(judges.of_dialogues(chosen, instrument), options.limit))
    path = options.responses / "responses.jsonl" if options.responses.is_dir() else options.responses
    responses = (record for record in datasets.read(path) if isinstance(record, Response))
    found = list(itertools.islice(judges.of_responses(responses, instrument), options.limit))
    if not found:
        raise InputError("holds no responses to judge", path=path)
    return found


async def _judge(
    options: argparse.Namespace, instrument: Instrument, subjects: Sequence[Subject]
) -> list[judges.Outcome]:
    pool = surroundings.pool(options)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(pool.close)
        given = surroundings.model_options(options, pool)
        made: list[Model] = [models.make(name, given) for name in options.judge]
        for model in made:
            stack.push_async_callback(model.close)
        plan = judges.Plan(
            models=made,
            instrument=instrument,
            subjects=subjects,
            prompt=_prompt(options.prompt),
            settings=_settings(options),
            repeats=options.repeats,
            max_connections=options.max_connections,
        )
        return await judges.run_stage(plan, Run(options.output), watch=output.progress("judgements"))


def _settings(options: argparse.Namespace) -> judges.Settings:
    return judges.Settings(
        attempts=options.attempts,
        permute=options.permute,
        seed=1 if options.seed is None else options.seed,
        temperature=options.temperature or 0.0,
        top_p=options.top_p,
        max_tokens=options.max_tokens,
        constrained=not options.no_schema,
    )


def _prompt(name: str) -> prompts.Prompt:
    if name.startswith("file:"):
        return prompts.register(Path(name.removeprefix("file:")))
    found = registry.find("prompt", name).thing
    if not isinstance(found, prompts.Prompt):
        raise SettingError(f"'{name}' is a prompt for systems, not for judges. Type --prompt {prompts.DEFAULT}.")
    return found


def _show(options: argparse.Namespace, outcomes: Sequence[judges.Outcome], stamps: dict[str, str]) -> None:
    if options.json:
        output.print_json({"run": str(options.output), "judges": outcomes, "stamps": stamps})
        return
    head = ("judge", "subjects", "ratings", "missing", "asked again", "all alike", "quotes found", "calls", "cost $")
    rows = [
        (o.judge, o.subjects, o.ratings, o.missing, o.asked_again, o.alike, _share(o), o.calls, o.cost)
        for o in outcomes
    ]
    output.say(output.table(head, rows))
    for outcome in outcomes:
        for reason, count in list(outcome.reasons.items())[:5]:
            output.say(f"{outcome.judge}: {count} × {reason}")
        if outcome.own:
            output.say(
                f"{outcome.judge}: caution, {outcome.own} of {outcome.subjects} are answers of the judge's own model"
            )
        output.say(f"{outcome.judge}: {stamps[outcome.judge]}")
    output.say(f"\nRatings: {options.output / RATINGS}. The same command asks again only for what failed.")


def _show_shifts(options: argparse.Namespace, found: Sequence[attacks.Shift]) -> None:
    if options.json:
        output.print_json(found)
        return
    head = ("judge", "the transcript …", "ratings", "readable", "moved by, mean points", "largest")
    output.say(output.table(head, [(o.judge, o.title, o.asked, o.read, o.shift, o.largest) for o in found]))
    output.say("\nAttacked beside plain ratings of the same things. Compare with the move by words without meaning.")


def _share(outcome: judges.Outcome) -> str:
    return f"{outcome.quotes_found} of {outcome.quotes}"
