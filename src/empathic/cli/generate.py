"""Let systems answer dialogues: `empathic generate --system builtin/if-else --dialogues builtin -o runs/first`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path

from empathic import generation, procedures, systems
from empathic.cache import Store
from empathic.cli import dialogues, output, surroundings
from empathic.cli.progress import Bar
from empathic.contracts import Procedure
from empathic.records import Dialogue
from empathic.runs import Run


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FOLDER", help="the run folder")
    add_generation_arguments(parser, required=True)
    output.add_common(parser)


def add_generation_arguments(parser: argparse.ArgumentParser, *, required: bool = False) -> None:
    """Flags about who answers what, and how; `evaluate` has them too."""
    parser.add_argument(
        "--system", action="append", required=required, default=[] if not required else None, metavar="NAME",
        help="openai/gpt-4o+vanilla, … (repeatable)",
    )  # fmt: skip
    parser.add_argument("--dialogues", default="builtin", metavar="SOURCE", help="builtin, a dataset or a file")
    parser.add_argument("--procedure", default="piecewise", help="piecewise (default), single-turn or conversation")
    parser.add_argument("--limit", type=int, metavar="N", help="the first N dialogues only")
    parser.add_argument("--per-emotion", type=int, metavar="K", help="the first K dialogues of each emotion only")
    parser.add_argument("--epochs", type=int, default=1, metavar="K", help="ask everything K times")
    parser.add_argument("--prompt", metavar="NAME", help="for models named without +PROMPT; file:PATH for your own")
    parser.add_argument("--corpus", default="builtin", metavar="SOURCE", help="what builtin/retrieval searches")
    parser.add_argument("--endpoints", type=Path, metavar="FILE.toml", help="describes http/NAME systems")
    parser.add_argument("--turns", type=int, metavar="N", help="answers per conversation (default 3)")
    parser.add_argument("--speaker", metavar="MODEL", help="plays the person in a conversation (default: the script)")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="a store of replies that other runs use too")
    surroundings.add_sampling_arguments(parser)
    surroundings.add_model_arguments(parser)


def run(options: argparse.Namespace) -> int:
    output.load_extensions(options)
    outcomes = answer(options)
    _show(options, outcomes)
    return 0 if all(outcome.answered for outcome in outcomes) else 1


def answer(options: argparse.Namespace) -> list[generation.Outcome]:
    """Let the systems answer into the run folder, asking only for what is missing there."""
    chosen = dialogues.load(options.dialogues, limit=options.limit, per_emotion=options.per_emotion)
    generation.check_dialogues(chosen)
    return asyncio.run(_generate(options, chosen))


async def _generate(options: argparse.Namespace, chosen: Sequence[Dialogue]) -> list[generation.Outcome]:
    pool = surroundings.pool(options)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(pool.close)
        given = surroundings.system_options(options, pool, dialogues.Lazily(options.corpus))
        made = [systems.make(name, given) for name in options.system]
        for system in made:
            stack.push_async_callback(system.close)
        plan = generation.Plan(
            systems=made,
            dialogues=chosen,
            procedure=await _procedure(options, given),
            epochs=options.epochs,
            max_connections=options.max_connections,
            deadline=options.deadline + 30,  # the transport's own deadline comes first and knows the reason
        )
        return await _with_progress(plan, options)


async def _with_progress(plan: generation.Plan, options: argparse.Namespace) -> list[generation.Outcome]:
    bar = Bar(generation.expected(plan))
    shared = Store(options.cache) if options.cache else None
    try:
        return await generation.run_stage(plan, Run(options.output), shared=shared, watch=bar.watch)
    finally:
        bar.end()
        if shared is not None:
            shared.close()


async def _procedure(options: argparse.Namespace, given: systems.Options) -> Procedure:
    speaker = None
    if options.speaker is not None:
        model = given.model(options.speaker)
        await model.check()
        speaker = procedures.ModelSpeaker(model)
    return procedures.make(options.procedure, turns=options.turns, speaker=speaker)


def _show(options: argparse.Namespace, outcomes: Sequence[generation.Outcome]) -> None:
    if options.json:
        output.print_json({"run": str(options.output), "systems": outcomes})
        return
    head = ("system", "answered", "failed", "prompt tokens", "completion tokens", "cost $")
    output.say(
        output.table(
            head,
            [(o.system, o.answered, o.failed, o.prompt_tokens, o.completion_tokens, o.cost) for o in outcomes],
        )
    )
    for outcome in outcomes:
        for reason, count in list(outcome.reasons.items())[:5]:
            output.say(f"{outcome.system}: {count} × {reason}")
    output.say(f"\nResponses: {options.output / 'responses.jsonl'}. The same command asks again only for what failed.")
