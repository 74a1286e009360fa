"""Ask systems probes: `empathic probe run --system builtin/eliza --templates builtin -o runs/probe`."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from empathic import generation, probing
from empathic.cache import Store
from empathic.cli import dialogues, output, probing_groups, surroundings
from empathic.cli.progress import Bar
from empathic.errors import SettingError
from empathic.metrics import lexicons
from empathic.probes.planning import Detectable
from empathic.probing import forms, likely
from empathic.probing.design import Design, Settings
from empathic.probing.run import plan
from empathic.probing.scoring import FreeAnswers
from empathic.records import Estimate
from empathic.runs import Run

HOPELESS = 5.0  # standard deviations
SHOWN = ("ce.accuracy", "ce.accuracy.excluded", "ce.read", "ce.agreement", "accuracy", "consistency")


def add(actions: Any) -> None:
    """The action `run`."""
    parser = actions.add_parser("run", help="ask systems, measure, analyse, in one resumable run folder")
    _arguments(parser)
    output.add_common(parser)
    parser.set_defaults(act=run)


def _arguments(parser: argparse.ArgumentParser) -> None:
    defaults = Settings()
    parser.add_argument("-o", "--output", type=Path, metavar="FOLDER", help="the run folder")
    parser.add_argument("--system", action="append", default=[], metavar="NAME", help="who is asked (repeatable)")
    parser.add_argument("--templates", default="builtin", metavar="SOURCE", help="builtin, a file or a folder")
    parser.add_argument("--language", default="en", metavar="CODE", help="en or cs (default en)")
    parser.add_argument(
        "--focal", default=",".join(defaults.focal), metavar="A,B", help="factors that are crossed in full"
    )
    parser.add_argument("--repeats", type=int, default=1, metavar="N", help="of every combination (default 1)")
    parser.add_argument(
        "--orders", type=int, default=5, metavar="N", help="of the five answers: 1, 5, 10, … (default 5)"
    )
    parser.add_argument(
        "--controls", type=int, default=1, metavar="N", help="of each kind in each template (default 1)"
    )
    parser.add_argument("--limit", type=int, metavar="N", help="at most so many probes, templates and groups balanced")
    parser.add_argument(
        "--draws", type=int, default=4999, metavar="N", help="permutations of the analysis (default 4999)"
    )
    parser.add_argument("--dry-run", action="store_true", help="size, cost and what can be found; nothing is sent")
    parser.add_argument("--lexicon", metavar="NAME", help="affect lexicon (needed for other languages than English)")
    parser.add_argument(
        "--logprobs", type=int, default=20, metavar="N", help="alternatives asked for; 0: none (default 20)"
    )
    parser.add_argument(
        "--likelihood", metavar="MODEL", help="a local model told to say how likely it finds each answer"
    )
    parser.add_argument("--prompt", metavar="PROMPT", help="a named instruction in front of the probe's own")
    parser.add_argument("--corpus", default="builtin", metavar="SOURCE", help="what builtin/retrieval searches")
    parser.add_argument("--endpoints", type=Path, metavar="FILE.toml", help="describes http/NAME systems")
    parser.add_argument("--cache", type=Path, metavar="FILE", help="a store of replies that other runs use too")
    surroundings.add_sampling_arguments(parser)
    surroundings.add_model_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Plan, ask, measure, analyse; with --dry-run only plan."""
    lexicons.load_added()
    design = probing.make(settings(options))
    price = surroundings.prices(options.price)
    if options.dry_run:
        _show_plan(options, design, price)
        return 0
    if options.output is None or not options.system:
        raise SettingError(
            "Name who is asked and where it goes: --system NAME -o runs/probe, or look first: --dry-run."
        )
    for line in plan_lines(design, price):
        output.log(line)
    if options.likelihood is not None:
        likely.find(options.likelihood)  # a mistake is told before anything is sent
    scorer = FreeAnswers(options.language, lexicon=options.lexicon)
    outcomes, found = asyncio.run(_run(options, design, scorer))
    _show(options, design, outcomes, found)
    return 0 if all(outcome.answered for outcome in outcomes) else 1


def settings(options: argparse.Namespace) -> Settings:
    """What the flags say of the design."""
    if options.controls < 0:
        raise SettingError(f"--controls {options.controls}: 0 or more is needed.")
    if options.draws < 1:
        raise SettingError(f"--draws {options.draws}: 1 or more is needed.")
    if options.seed is not None and options.seed < 0:
        raise SettingError(f"--seed {options.seed}: 0 or more is needed.")
    if len(set(options.system)) < len(options.system):
        raise SettingError("A --system is given twice; name it once, and use --repeats to ask it more often.")
    return Settings(
        templates=options.templates,
        language=options.language,
        focal=tuple(name.strip() for name in options.focal.split(",") if name.strip()),
        repeats=options.repeats,
        orders=options.orders,
        seed=1 if options.seed is None else options.seed,
        limit=options.limit,
        controls=options.controls,
    )


async def _run(
    options: argparse.Namespace, design: Design, scorer: FreeAnswers
) -> tuple[list[generation.Outcome], list[Estimate]]:
    pool, run_ = surroundings.pool(options), Run(options.output)
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(pool.close)
        given = surroundings.system_options(options, pool, dialogues.Lazily(options.corpus))
        made = [forms.make(name, given, logprobs=options.logprobs) for name in options.system]
        for system in made:
            stack.push_async_callback(system.close)
        probing.sample(design, run_)
        planned = plan(design, made, max_connections=options.max_connections, deadline=options.deadline + 30)
        bar = Bar(generation.expected(planned))
        shared = Store(options.cache) if options.cache else None
        try:
            outcomes = await probing.ask(planned, run_, shared=shared, watch=bar.watch)
        finally:
            bar.end()
            if shared is not None:
                shared.close()
        measured = probing.measure(design, made, run_, scorer, likelihood=options.likelihood)
        return outcomes, probing.analyze(design, measured, run_, scorer, draws=options.draws)


def plan_lines(design: Design, price: tuple[float, float] | None) -> list[str]:
    """The design in words: its size, its cost, what it can find, and how far it is balanced."""
    cost, settings_ = design.cost(price), design.settings
    templates = len({draw.template for draw in design.draws})
    lines = [
        f"{cost.probes} probes of {templates} templates ({' × '.join(settings_.focal)} in full) and {cost.controls} "
        f"controls; seed {settings_.seed}",
        f"{cost.prompts} prompts per system (each probe once freely and under {settings_.orders} order(s) of the answers), "
        f"about {cost.prompt_tokens:,} prompt and {cost.completion_tokens:,} completion tokens"
        + ("" if cost.dollars is None else f", about ${cost.dollars:.2f}"),
    ]
    if worst := next(iter(design.associations), None):
        lines.append(
            f"Worst association with what is drawn: {worst.factor} and {worst.focal}, Cramér's V {worst.cramers_v:.3f} "
            f"(at this size at least {worst.smallest:.3f}), shares at most {worst.largest:.3f} from even"
        )
    for one in design.detectable:
        lines.append(
            f"Smallest difference found with power .8, {one.what} ({one.comparisons} comparisons): {_size(one)}"
        )
    lines += [f"Left out: {what}: {why}" for what, why in design.left_out.items()]
    return lines


def _size(one: Detectable) -> str:
    if one.difference is None:
        return one.missing or "unknown"
    if one.difference > HOPELESS:
        return f"none worth the name; {one.templates} templates are too few"
    return f"{one.difference:.2f} SD (a share: at most {one.difference / 2:.2f})"


def plan_document(design: Design, price: tuple[float, float] | None) -> dict[str, Any]:
    """The same as data."""
    return {
        "settings": design.settings,
        "cost": design.cost(price),
        "associations": [one._asdict() for one in design.associations],
        "detectable": design.detectable,
        "left_out": design.left_out,
    }


def _show_plan(options: argparse.Namespace, design: Design, price: tuple[float, float] | None) -> None:
    if options.json:
        output.print_json(plan_document(design, price))
        return
    for line in plan_lines(design, price):
        output.say(line)


def _show(
    options: argparse.Namespace, design: Design, outcomes: Sequence[generation.Outcome], found: Sequence[Estimate]
) -> None:
    if options.json:
        plan_ = plan_document(design, surroundings.prices(options.price))
        output.print_json({"run": str(options.output), "plan": plan_, "systems": outcomes, "estimates": found})
        return
    output.say(output.table(("system", "what", "value", "low", "high", "n"), map(_row, _reading(found))) + "\n")
    for outcome in outcomes:
        probing_groups.say(outcome.system, [one for one in found if one.labels.get("system") == outcome.system])
        for reason, count in list(outcome.reasons.items())[:5]:
            output.say(f"{outcome.system}: {count} × {reason}")
    output.say(f"\nThe page: {options.output / 'report.html'}. The same command asks again only for what failed.")


def _reading(found: Sequence[Estimate]) -> list[Estimate]:
    return [one for one in found if one.name in SHOWN]


def _row(one: Estimate) -> tuple[object, ...]:
    value = one.missing if one.value is None else one.value
    return one.labels.get("system", ""), one.name, value, one.low, one.high, one.n
