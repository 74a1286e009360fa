"""A plan and a run folder become the stage `generate`: dialogues, responses and timings, declared in the manifest."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable

from empathic import files
from empathic.cache import Store
from empathic.errors import InputError, SettingError
from empathic.generation.assembly import RESPONSES, TIMINGS, Outcome, assemble
from empathic.generation.chains import Plan, starts
from empathic.generation.engine import Progress, generate
from empathic.records import Dialogue
from empathic.runs import Run

DIALOGUES, REPLIES = "dialogues.jsonl", "replies.sqlite"


async def run_stage(
    plan: Plan, run: Run, *, shared: Store | None = None, watch: Callable[[Progress], None] = lambda progress: None
) -> list[Outcome]:
    """Generate what is missing, write the files, declare the stage; what was finished survives any interruption."""
    _check(plan)
    with run.alone("generate"), contextlib.closing(Store(run.path(REPLIES))) as store:
        await generate(plan, store, shared=shared, watch=watch)
        files.write_lines(run.path(DIALOGUES), plan.dialogues)
        procedure = f"{plan.procedure.name}@{files.content_hash(plan.procedure.settings())}"
        outcomes = await assemble(plan, store, run.folder, procedure=procedure)
        run.finish("generate", outputs=(DIALOGUES, RESPONSES, TIMINGS), settings=_settings(plan))
        return outcomes


def check_dialogues(dialogues: Iterable[Dialogue]) -> None:
    """Two dialogues of one id would mix up their answers: refuse them."""
    seen: set[str] = set()
    for dialogue in dialogues:
        if dialogue.id in seen:
            raise InputError(f"two dialogues have the id '{dialogue.id}'; give each its own")
        seen.add(dialogue.id)


def expected(plan: Plan) -> int:
    """How many replies a plan needs at least; a conversation's later turns are not known before."""
    return sum(1 for _ in starts(plan)) * len(plan.systems)


def _check(plan: Plan) -> None:
    names = [system.name for system in plan.systems]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise SettingError(f"The system '{twice}' is given twice; name it once, and use --epochs for repeats.")
    if plan.epochs < 1 or plan.max_connections < 1 or plan.deadline <= 0:
        raise SettingError("--epochs and --max-connections are 1 or more, --deadline is above 0.")
    if next(starts(plan), None) is None:
        raise InputError("the dialogues hold no speaker turn, so there is nothing to answer")


def _settings(plan: Plan) -> dict[str, object]:
    return {
        "systems": {system.name: files.to_builtins(system.settings()) for system in plan.systems},
        "procedure": files.to_builtins(plan.procedure.settings()),
        "epochs": plan.epochs,
    }
