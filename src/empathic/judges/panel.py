"""Models, repeats and subjects become ratings: asked in parallel, every answer stored as it comes, written once.

Answers are kept in `judge-replies.sqlite` of the run folder before they are read, and ratings are made from what is
kept: a run that was killed goes on without asking anything twice, and no rating can be written twice.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from empathic import files
from empathic.cache import CachedModel, Store
from empathic.contracts import Message, Model, Reply, Sampling, Subject
from empathic.errors import InputError, SettingError
from empathic.judges.judge import ModelJudge, Settings, judge_signature
from empathic.judges.prompts import Prompt
from empathic.records import Instrument, Rating, Record
from empathic.runs import Run

RATINGS, REPLIES = "ratings.jsonl", "judge-replies.sqlite"


class Plan(NamedTuple):
    """What is judged, by whom and how."""

    models: Sequence[Model]
    instrument: Instrument
    subjects: Sequence[Subject]
    prompt: Prompt
    settings: Settings
    repeats: int = 1
    max_connections: int = 16


class Outcome(Record, frozen=True, omit_defaults=False):
    """What became of one judge's ratings."""

    judge: str
    signature: str
    subjects: int
    ratings: int
    missing: int
    reasons: dict[str, int]  # why a rating is missing → how often
    asked_again: int  # subjects that needed more than one attempt
    alike: int  # sheets of three or more items that all got the same score
    own: int  # subjects of a system that runs on the judge's own model
    quotes: int
    quotes_found: int  # how many of them stand in the rated turns
    calls: int  # made now; what was stored is not asked again
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


class Metered:
    """A model that counts what it is asked and what that costs."""

    def __init__(self, model: Model) -> None:
        self.name, self.concurrency, self._model = model.name, model.concurrency, model
        self.calls = self.prompt_tokens = self.completion_tokens = 0
        self.cost: float | None = None

    def settings(self) -> Mapping[str, Any]:
        return self._model.settings()

    async def check(self) -> None:
        await self._model.check()

    async def complete(self, messages: Sequence[Message], sampling: Sampling) -> Reply:
        reply = await self._model.complete(messages, sampling)
        self.calls += 1
        self.prompt_tokens += reply.generation.prompt_tokens or 0
        self.completion_tokens += reply.generation.completion_tokens or 0
        if reply.generation.cost is not None:
            self.cost = (self.cost or 0.0) + reply.generation.cost
        return reply

    async def close(self) -> None:
        await self._model.close()


async def run_stage(plan: Plan, run: Run, *, watch: Callable[[int], None] | None = None) -> list[Outcome]:
    """Judge what is not judged yet, write `ratings.jsonl`, declare the stage."""
    check(plan)
    with run.alone("judge"), contextlib.closing(Store(run.path(REPLIES))) as store:
        metered = [Metered(model) for model in plan.models]
        cached = [CachedModel(model, store) for model in metered]
        for model in cached:
            if any(model.known(*question) is None for question in _questions(plan, model)):
                await model.check()
        ratings = await _ask(plan, cached, watch or (lambda done: None))
        merged = merge(run.path(RATINGS), ratings)
        files.write_lines(run.path(RATINGS), merged)
        run.finish("judge", outputs=[RATINGS], settings=_settings(plan), seed=plan.settings.seed)
    return [_outcome(plan, model, ratings) for model in metered]


def check(plan: Plan) -> None:
    """Refuse a plan that cannot mean what it says."""
    names = [model.name for model in plan.models]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise SettingError(f"The judge '{twice}' is given twice; name it once, and use --repeats.")
    if plan.repeats < 1 or plan.settings.attempts < 1 or plan.max_connections < 1:
        raise SettingError("--repeats, --attempts and --max-connections are 1 or more.")
    if plan.repeats > 1 and plan.settings.temperature == 0 and not plan.settings.permute:
        raise SettingError(
            f"{plan.repeats} repeats at temperature 0 are {plan.repeats} times the same answer. "
            "Add --permute, or --temperature 0.7."
        )
    if not plan.subjects:
        raise InputError("there is nothing to judge")
    targets = Counter(subject.target for subject in plan.subjects)
    if repeated := next((target for target, count in targets.items() if count > 1), None):
        raise InputError(f"two things to judge have the id '{repeated}'; give each its own")


def _judges(plan: Plan, model: Model) -> list[ModelJudge]:
    return [ModelJudge(model, plan.prompt, plan.settings, repeat=repeat) for repeat in range(plan.repeats)]


def _questions(plan: Plan, model: Model) -> Iterator[tuple[Sequence[Message], Sampling]]:
    """The first question about every subject: what a run asks at least."""
    for judge in _judges(plan, model):
        for subject in plan.subjects:
            if not subject.missing:
                yield judge.question(plan.instrument, subject)


async def _ask(plan: Plan, models: Sequence[Model], watch: Callable[[int], None]) -> list[Rating]:
    tasks = [(judge, subject) for model in models for judge in _judges(plan, model) for subject in plan.subjects]
    given: dict[int, Sequence[Rating]] = {}

    async def work(queue: Iterator[tuple[int, tuple[ModelJudge, Subject]]]) -> None:
        for place, (judge, subject) in queue:
            given[place] = await judge.rate(plan.instrument, subject)
            watch(len(given))
            await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        for model in models:
            mine = iter([(place, task) for place, task in enumerate(tasks) if task[0].model is model])
            for _ in range(min(plan.max_connections, model.concurrency or plan.max_connections)):
                group.create_task(work(mine))
    return [rating for place in range(len(tasks)) for rating in given[place]]


def merge(path: Path, fresh: Sequence[Rating]) -> list[Rating]:
    """The ratings of a file and fresh ones; a fresh rating replaces what its rater gave there in any other way."""
    if not path.exists():
        return list(fresh)
    keys = {(each.rater, each.instrument, each.item, each.target) for each in fresh}
    signed = {(each.rater, each.instrument): each.metadata.get("signature") for each in fresh}

    def stays(old: Rating) -> bool:
        if (old.rater, old.instrument, old.item, old.target) in keys:
            return False
        own = signed.get((old.rater, old.instrument))
        return own is None or own == old.metadata.get("signature")

    return [*filter(stays, files.read_lines(path, Rating)), *fresh]


def _settings(plan: Plan) -> dict[str, object]:
    return {
        "judges": {model.name: files.to_builtins(model.settings()) for model in plan.models},
        "instrument": f"{plan.instrument.id}.v{plan.instrument.version}",
        "prompt": f"{plan.prompt.id}.v{plan.prompt.version}",
        "repeats": plan.repeats,
        **msgspec.to_builtins(plan.settings),
    }


def _outcome(plan: Plan, model: Metered, ratings: Sequence[Rating]) -> Outcome:
    own = [each for each in ratings if each.rater.startswith(f"judge:{model.name}#")]
    reasons = Counter(each.missing for each in own if each.missing)
    quotes = [each.metadata["quoted"] for each in own if "quoted" in each.metadata]
    again = {(each.rater, each.target) for each in own if each.metadata["attempts"] > 1}
    return Outcome(
        judge=model.name,
        signature=judge_signature(model.name, plan.prompt, plan.instrument, plan.settings),
        subjects=len(plan.subjects),
        ratings=len(own),
        missing=sum(reasons.values()),
        reasons=dict(reasons.most_common()),
        asked_again=len(again),
        alike=_alike(own),
        own=sum(_on(subject.system, model.name) for subject in plan.subjects),
        quotes=len(quotes),
        quotes_found=sum(quotes),
        calls=model.calls,
        prompt_tokens=model.prompt_tokens,
        completion_tokens=model.completion_tokens,
        cost=model.cost,
    )


def _alike(ratings: Sequence[Rating]) -> int:
    """How many sheets were filled with one score throughout: a judge that does not look gives these."""
    sheets: dict[tuple[str, str], list[float | None]] = {}
    for each in ratings:
        sheets.setdefault((each.rater, each.target), []).append(each.value)
    return sum(len(set(values)) == 1 and len(values) > 2 and values[0] is not None for values in sheets.values())


def _on(system: str | None, model: str) -> bool:
    """Whether a system is called MODEL or MODEL+PROMPT."""
    return system is not None and system.partition("+")[0] == model
