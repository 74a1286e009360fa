"""Samples of inspect_ai become empathy profiles: a scorer, corpus metrics, a solver that replays answers, a task.

inspect_ai finds this module by the entry point `inspect_ai`: `inspect score LOG --scorer empathic/empathy_profile`,
`inspect eval empathic/empathy --model openai/gpt-4o`. What could not be measured is NaN there, inspect_ai's own sign
for "unscored": it is left out of means and counted, and its reason stands in the metadata of the score.
"""

from __future__ import annotations

import math
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, Value, mean, metric, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, generate, solver

from empathic import datasets, metrics
from empathic.errors import InputError
from empathic.metrics import Choice, Plan
from empathic.metrics.measure import default_names
from empathic.metrics.scoring import score_chunk
from empathic.profile import dimensions
from empathic.records import Dialogue, Response, Role, Turn

ROLES: dict[str, Role] = {"user": "speaker", "assistant": "listener"}
UNSCORED = math.nan


@metric(scores="unreduced")
def diversity(names: str = "distinct") -> Metric:
    """Numbers about all answers together (`distinct,entropy`): they fall with the number of answers."""
    plan = Plan(choices=tuple(Choice(asked=name.strip()) for name in names.split(",")))

    def compute(scores: list[SampleScore]) -> Value:
        answers = [each.score.answer for each in scores]
        found = metrics.score((_answer(str(place), text) for place, text in enumerate(answers)), plan)
        cells = next(iter(found.systems.values()), {})
        return {name: UNSCORED if cell.value is None else cell.value for name, cell in cells.items()}

    return compute


@scorer(metrics=[{"*": [mean(), stderr()]}, diversity()])
def empathy_profile(names: str = "") -> Scorer:
    """The empathy profile of one answer: every default metric of a response, or those named (`specificity,miti`)."""
    plan = _plan(names)

    async def score(state: TaskState, target: Target) -> Score:
        return profile(to_response(state, target), plan)

    return score


@solver
def replay(file: str | None = None, system: str | None = None, key: str = "response") -> Solver:
    """Answers that exist already, in place of a model: of a file empathic reads, or in the metadata of each sample."""
    recorded = read_answers(file, system) if file else {}

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        text = recorded.get(str(state.sample_id)) if file else (state.metadata or {}).get(key)
        state.output = ModelOutput.from_content(system or str(state.model), "" if text is None else str(text))
        if text is not None:
            state.messages.append(state.output.message)
        return state

    return solve


@task
def empathy(dialogues: str = "builtin", responses: str | None = None, system: str | None = None) -> Task:
    """Answer the dialogues of a file or a named dataset (with `responses`: replay them), then the profile."""
    samples = [to_sample(one) for one in datasets.read(dialogues) if isinstance(one, Dialogue)]
    if not samples:
        raise InputError("holds no dialogues to answer", path=Path(dialogues))
    solve = generate() if responses is None else replay(responses, system)
    return Task(dataset=MemoryDataset(samples, name=dialogues), solver=solve, scorer=empathy_profile())


def profile(response: Response, plan: Plan) -> Score:
    """The score of one response: its numbers, the reasons of those that are missing, the words that earned them."""
    scored = score_chunk(plan, [response])
    row = scored.rows.to_pylist()[0]
    numbers = {name: row[name] for name in scored.sums if _shown(name)}
    reasons = dict(row["missing"] or ())
    metadata = {"missing": reasons, "signatures": [one.signature(plan.tokens) for one in metrics.measures(plan)]}
    if response.text is None or not response.text.strip():
        reason = next(iter(scored.reasons), "the response is empty")
        return Score.unscored(reason="no_response", explanation=reason, metadata=metadata)
    evidence = [f"{name}: {row[name]}" for name in _evidence(plan) if row[name]]
    return Score(
        value={name: UNSCORED if value is None else value for name, value in numbers.items()},
        answer=response.text,
        explanation="\n".join(evidence) or None,
        metadata=metadata,
    )


def to_response(state: TaskState, target: Target) -> Response:
    """The model's last message as a response to all that was said before it."""
    turns = [Turn(role=ROLES[one.role], text=one.text) for one in state.messages if one.role in ROLES and one.text]
    said = turns.pop().text if turns and turns[-1].role == "listener" else state.output.completion
    return Response(
        id=f"{state.sample_id}-{state.epoch}",
        system=str(state.model),
        dialogue=str(state.sample_id),
        turns=tuple(turns),
        text=said or None,
        missing=None if said else "the response is empty",
        repeat=state.epoch - 1,
        reference=target.text or None,
        metadata=dict(state.metadata or {}),
    )


def to_sample(dialogue: Dialogue) -> Sample:
    """A dialogue up to the speaker's last turn; what a person answered there is the target."""
    turns = list(dialogue.turns)
    reference = turns.pop().text if turns and turns[-1].role == "listener" else dialogue.reference
    labels = {"emotion": dialogue.emotion, "polarity": dialogue.polarity, "situation": dialogue.situation}
    messages = [_message(turn) for turn in turns]
    known = {name: value for name, value in labels.items() if value is not None}
    return Sample(id=dialogue.id, input=messages, target=reference or "", metadata={**dialogue.metadata, **known})


def read_answers(file: str, system: str | None) -> dict[str, str]:
    """Dialogue → the last answer a file has to it (of one system, if it holds several)."""
    path = Path(file)
    found = [one for one in datasets.read(path, system=system) if isinstance(one, Response)]
    names = sorted({one.system for one in found})
    if system is None and len(names) > 1:
        raise InputError(f"holds {len(names)} systems ({', '.join(names)}): say which, -S system={names[0]}", path=path)
    kept = [one for one in found if system in (None, one.system) and one.text is not None]
    if not kept:
        raise InputError(f"holds no responses{f' of {system}' if system else ''}", path=path)
    return {one.dialogue: one.text or "" for one in sorted(kept, key=lambda one: one.position)}


def _plan(names: str) -> Plan:
    asked = [name.strip() for name in names.split(",") if name.strip()] or default_names()
    alone = [name for name in asked if not metrics.build(name).corpus]
    return Plan(choices=tuple(Choice(asked=name) for name in alone))


def _shown(name: str) -> bool:
    return any(dimension.holds(name) for dimension in dimensions())


def _evidence(plan: Plan) -> list[str]:
    found = [(one, column) for one in metrics.measures(plan) if not one.corpus for column in one.columns]
    return [one.name(column) for one, column in found if column.text]


def _message(turn: Turn) -> ChatMessage:
    return ChatMessageUser(content=turn.text) if turn.role == "speaker" else ChatMessageAssistant(content=turn.text)


def _answer(name: str, text: str | None) -> Response:
    return Response(id=name, system="all", dialogue=name, turns=(), text=text or "")
