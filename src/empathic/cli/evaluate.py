"""The main job: systems answer dialogues, are scored, compared and reported, in one run folder.

`empathic evaluate --demo` needs nothing; `empathic evaluate --responses bot_responses.json -o runs/x` takes answers
that exist already; `empathic evaluate empathic.yaml` takes everything from a file.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from empathic import parts, pipeline, reporting
from empathic.cli import config, generate, judge, output, rooms, score
from empathic.cli.config import parse
from empathic.errors import SettingError
from empathic.metrics.run import Engine
from empathic.models import weights
from empathic.pipeline import Source, Step
from empathic.profile import Dimension, dimensions
from empathic.records import Estimate
from empathic.runs import Run

__all__ = ["arguments", "parse", "run"]

DEMO = ("human/reference", "builtin/if-else", "builtin/eliza", "builtin/echo", "builtin/retrieval")
LOCAL = "llama-cpp/smollm2+vanilla"
DEMO_FOLDER = Path("runs/demo")


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", nargs="?", type=Path, metavar="CONFIG.yaml", help="keys as the flags")
    parser.add_argument("--demo", action="store_true", help="the built-in systems on the built-in scenarios")
    parser.add_argument("--schema", action="store_true", help="print the JSON schema of the configuration, for editors")
    parser.add_argument(
        "--responses",
        nargs="+",
        default=[],
        metavar="FILE",
        help="answers that exist; NAME=FILE names the system",
    )
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="the run folder")
    parser.add_argument(
        "--judge", action="append", default=[], metavar="MODEL", help="rates every response (repeatable)"
    )
    parser.add_argument(
        "--instrument", default="empathy-relevance-fluency", metavar="NAME", help="what the judge fills"
    )
    parser.add_argument("--draws", type=int, default=2000, metavar="N", help="of bootstrap and sign flips")
    parser.add_argument("--bootstrap-seed", type=int, default=1, metavar="N", help="of these draws (default 1)")
    generate.add_generation_arguments(parser)
    score.add_scoring_arguments(parser)
    output.add_common(parser)


def run(options: argparse.Namespace) -> int:
    if options.schema:
        output.print_json(config.schema())
        return 0
    rooms.load()
    output.load_extensions(options)
    started = time.monotonic()
    run_ = Run(_prepare(options))
    score.plan_of(options)  # what does not fit is refused before anything is asked
    engine = score.engine_of(options)
    done = pipeline.carry_out(run_, _responses(options, run_), watch=output.log)
    if options.judge:
        _judge(options, run_)
    options.reference = options.reference or pipeline.reference_of(run_)
    done += pipeline.carry_out(run_, _later(options, run_, engine), watch=output.log)
    _show(options, run_, done, time.monotonic() - started)
    return 0


def _judge(options: argparse.Namespace, run_: Run) -> None:
    """Let the named models rate every response; what they rated before is not asked again."""
    parser = argparse.ArgumentParser()
    judge.arguments(parser)
    asked = [word for name in options.judge for word in ("--judge", name)]
    words = [*asked, "--instrument", options.instrument, "--responses", str(run_.folder), "-o", str(run_.folder)]
    given = parser.parse_args(words)
    for name in ("base_url", "api_key", "extra_body", "price", "model_arguments", "max_connections"):
        setattr(given, name, getattr(options, name))
    for outcome in judge.rate(given):
        output.log(f"judge {outcome.judge}: {outcome.ratings} ratings, {outcome.missing} missing, uncalibrated")


def _later(options: argparse.Namespace, run_: Run, engine: Engine) -> list[Step]:
    """Everything after the responses are there."""
    reference = options.reference
    progress = output.progress("responses")
    return [
        pipeline.score(run_, score.plan_of(options), engine, reference=reference, progress=progress),
        pipeline.analyze(run_, seed=options.bootstrap_seed, draws=options.draws, reference=reference),
        pipeline.report(run_, lambda: _write(run_)),
    ]


def _write(run_: Run) -> None:
    reporting.write(run_, run_.path(pipeline.REPORT))


def _prepare(options: argparse.Namespace) -> Path:
    """Fill in what --demo means, and refuse what does not fit, before anything is asked."""
    if options.demo:
        options.system = options.system or [*DEMO, *_local_model()]
        options.output = options.output or DEMO_FOLDER
        options.per_emotion = options.per_emotion or 1
        options.max_tokens = options.max_tokens or 60
    if options.responses and options.system:
        raise SettingError("Give either --responses (they exist already) or --system (they are to answer), not both.")
    if not options.responses and not options.system:
        raise SettingError(
            "Nothing to evaluate. Type: empathic evaluate --demo, or give --responses FILE or --system NAME."
        )
    if options.output is None:
        raise SettingError("Where to? Type: -o runs/NAME")
    folder: Path = options.output
    return folder


def _local_model() -> list[str]:
    """The small local model, if it is installed."""
    if parts.present("xllamacpp") and weights.installed("smollm2"):
        return [LOCAL]
    output.log("Without a language model. To have one: pip install 'empathic[local]' && empathic models add smollm2")
    return []


def _responses(options: argparse.Namespace, run_: Run) -> list[Step]:
    if options.responses:
        sources = [Source(path, name) for name, path in map(score.source_of, options.responses)]
        return [pipeline.collect(run_, sources, options.format)]
    for outcome in generate.answer(options):
        for reason, count in list(outcome.reasons.items())[:3]:
            output.log(f"{outcome.system}: {count} × {reason}")
    return []


def _show(options: argparse.Namespace, run_: Run, done: list[str], seconds: float) -> None:
    estimates = pipeline.read_estimates(run_)
    if options.json:
        output.print_json({"run": str(run_.folder), "stages": done, "seconds": seconds, "estimates": estimates})
        return
    means = {(each.labels["metric"], each.labels["system"]): each for each in estimates if _is_value(each)}
    systems = list(dict.fromkeys(system for _, system in means))
    for dimension in dimensions():
        rows = _rows(dimension, means, systems)
        if rows:
            output.say(f"\n{dimension.title}: {dimension.question}")
            output.say(output.table(("", *systems), rows))
    output.say(f"\n{len(estimates)} estimates: {run_.path(pipeline.ESTIMATES)}")
    output.say(f"The report to look at: {run_.path(pipeline.REPORT)}")


def _is_value(estimate: Estimate) -> bool:
    return estimate.labels["kind"] in ("mean", "corpus")


def _rows(dimension: Dimension, means: dict[tuple[str, str], Estimate], systems: list[str]) -> list[tuple[object, ...]]:
    names = list(dict.fromkeys(metric for metric, _ in means if dimension.holds(metric)))
    values = {key: each.value for key, each in means.items()}
    return [(name, *(values.get((name, system)) for system in systems)) for name in names]
