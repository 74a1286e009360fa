"""A Study, its data files and the instruments become a Plan: things to show, batches, cells with targets."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from empathic import files
from empathic.errors import InputError, UnknownName
from empathic.records import Dialogue, Instrument, Response, Turn
from empathic.studies.blocks import incomplete_blocks
from empathic.studies.design import AnyStudy, Batch, Between, Ieval, Observer, Plan, Thing
from empathic.studies.reading import age_band

ALL = "all"
OTHER = "other"
# Made here and not at the first request: two threads that prepare the same type at once crash the interpreter.
_PLAN = msgspec.json.Decoder(Plan)


def build(study: AnyStudy, folder: Path, instruments: Mapping[str, Instrument]) -> Plan:
    """Everything the study needs, frozen."""
    used = tuple(_instrument(name, instruments) for name in _names(study))
    if isinstance(study, Between):
        things, batches = _between(study, folder / study.responses)
    elif isinstance(study, Ieval):
        things, batches = _ieval(study, folder / study.scenarios)
    else:
        things, batches = _observer(study, folder / study.transcripts)
    copies = 1 if isinstance(study, Observer) else study.raters
    return Plan(study=study, instruments=used, things=_unique(things, folder), batches=tuple(batches), copies=copies)


def plan_hash(plan: Plan) -> str:
    """The hash that names a version of the study."""
    return files.content_hash(plan)


def encode(plan: Plan) -> str:
    """The plan as it is kept in the database."""
    return msgspec.json.encode(plan).decode()


def decode(text: str) -> Plan:
    """The plan as it was kept."""
    return _PLAN.decode(text)


def instrument(plan: Plan, name: str) -> Instrument:
    """An instrument of the plan."""
    return next(each for each in plan.instruments if each.id == name)


def conditions(plan: Plan) -> list[str]:
    """The conditions in the order of the plan."""
    return list(dict.fromkeys(batch.condition for batch in plan.batches))


def strata(study: AnyStudy) -> list[str]:
    """The groups of people that are filled evenly: gender × age band, or everybody."""
    groups = [group for group in (study.balance.gender, study.balance.age) if group]
    names = [" | ".join(parts) for parts in _product(groups)] if groups else [ALL]
    return [*names, OTHER] if groups and study.balance.others else names


def stratum_of(study: AnyStudy, traits: Mapping[str, str | float]) -> str:
    """The group a person belongs to by their answers; `other` if none is listed for them."""
    parts = []
    if study.balance.gender:
        gender = str(traits.get("gender", ""))
        parts.append(gender if gender in study.balance.gender else OTHER)
    if study.balance.age:
        parts.append(_band(study.balance.age, traits.get("age")))
    if not parts:
        return ALL
    return OTHER if OTHER in parts else " | ".join(parts)


def targets(plan: Plan) -> dict[tuple[str, str], int]:
    """How many people each cell (condition, stratum) takes: the condition's places, divided evenly."""
    found: dict[tuple[str, str], int] = {}
    names = strata(plan.study)
    regular = [name for name in names if name != OTHER]
    for condition in conditions(plan):
        places = plan.copies * sum(batch.condition == condition for batch in plan.batches)
        found |= {(condition, name): math.ceil(places / len(regular)) for name in regular}
        if OTHER in names:
            found[condition, OTHER] = plan.study.balance.others
    return found


def _product(groups: list[tuple[str, ...]]) -> Iterable[tuple[str, ...]]:
    if not groups:
        return [()]
    return [(first, *rest) for first in groups[0] for rest in _product(groups[1:])]


def _band(bands: tuple[str, ...], age: str | float | None) -> str:
    if not isinstance(age, int | float):
        return OTHER
    for band in bands:
        limits = age_band(band)
        if limits and limits[0] <= age < limits[1] + 1:
            return band
    return OTHER


def _names(study: AnyStudy) -> list[str]:
    own = (study.likert, study.ranking) if isinstance(study, Ieval) else (study.instrument,)
    return list(dict.fromkeys((*study.about_rater, *own)))


def _instrument(name: str, instruments: Mapping[str, Instrument]) -> Instrument:
    if name not in instruments:
        raise UnknownName("instrument", name, instruments, hint="`empathic list instruments` shows all.")
    return instruments[name]


def _unique(things: list[Thing], folder: Path) -> dict[str, Thing]:
    found: dict[str, Thing] = {}
    for each in things:
        if found.setdefault(each.id, each) is not each:
            raise InputError(f"the id '{each.id}' appears twice in the study's data", path=folder)
    return found


def _between(study: Between, path: Path) -> tuple[list[Thing], list[Batch]]:
    responses = list(files.read_lines(path, Response))
    wanted = study.conditions or tuple(dict.fromkeys(each.system for each in responses))
    by_place = _by_place([each for each in responses if each.system in wanted], path)
    dialogues = list(dict.fromkeys(each.dialogue for each in responses))
    _refuse_holes(by_place, wanted, dialogues, path)
    random.Random(study.seed).shuffle(dialogues)
    things: list[Thing] = []
    batches: list[Batch] = []
    for condition in wanted:
        things += [_answered(by_place[condition, dialogue]) for dialogue in dialogues]
        for start in range(0, len(dialogues), study.batch):
            chosen = [by_place[condition, each] for each in dialogues[start : start + study.batch]]
            batches.append(_batch(condition, len(batches), [each.id for each in chosen], chosen))
    return things, batches


def _by_place(responses: list[Response], path: Path) -> dict[tuple[str, str], Response]:
    found: dict[tuple[str, str], Response] = {}
    for each in responses:
        if found.setdefault((each.system, each.dialogue), each) is not each:
            raise InputError(f"'{each.system}' answers the dialogue '{each.dialogue}' twice", path=path)
    return found


def _refuse_holes(
    by_place: dict[tuple[str, str], Response], wanted: tuple[str, ...], dialogues: list[str], path: Path
) -> None:
    if not dialogues:
        raise InputError("holds no response", path=path)
    for condition in wanted:
        absent = [each for each in dialogues if (condition, each) not in by_place]
        empty = [each for each in dialogues if each not in absent and not by_place[condition, each].text]
        if absent or empty:
            what = f"{len(absent)} dialogues have no response of '{condition}'"
            what += f" and {len(empty)} an empty one, first: {(absent + empty)[0]}. "
            raise InputError(what + "Every dialogue is rated once per condition: add or remove them.", path=path)


def _answered(response: Response) -> Thing:
    turns = (*response.turns, Turn(role="listener", text=response.text or ""))
    return Thing(
        id=response.id,
        turns=turns,
        dialogue=response.dialogue,
        system=response.system,
        emotion=response.emotion,
        polarity=response.polarity,
        situation=response.situation,
    )


def _batch(condition: str, number: int, things: list[str], content: object) -> Batch:
    """A batch whose name changes with its content, so that a place never silently means something else."""
    return Batch(name=f"{number:03d}-{files.content_hash(content)[:6]}", condition=condition, things=tuple(things))


def _ieval(study: Ieval, path: Path) -> tuple[list[Thing], list[Batch]]:
    scenarios = [_scenario(each, path) for each in files.read_lines(path, Dialogue)]
    rng = random.Random(study.seed)
    positive = [each for each in scenarios if each.polarity == "positive"]
    negative = [each for each in scenarios if each.polarity == "negative"]
    if not positive or not negative:
        raise InputError("a positive and a negative scenario are needed (field polarity)", path=path)
    rng.shuffle(positive)
    rng.shuffle(negative)
    pairs = list(zip(positive, negative, strict=False))
    batches = [_batch(ALL, number, [a.id, b.id], [a, b]) for number, (a, b) in enumerate(pairs)]
    return [each for pair in pairs for each in pair], batches


def _scenario(dialogue: Dialogue, path: Path) -> Thing:
    first = next((turn for turn in dialogue.turns if turn.role == "speaker"), None)
    if first is None:
        raise InputError(f"the scenario '{dialogue.id}' has no turn of the speaker to begin with", path=path)
    return _whole(dialogue, (first,))


def _observer(study: Observer, path: Path) -> tuple[list[Thing], list[Batch]]:
    things = [_whole(each, each.turns) for each in files.read_lines(path, Dialogue)]
    if not things:
        raise InputError("holds no transcript", path=path)
    blocks = incomplete_blocks(len(things), study.raters, study.per_rater, seed=study.seed)
    chosen = [[things[place] for place in block] for block in blocks]
    batches = [_batch(ALL, number, [t.id for t in block], block) for number, block in enumerate(chosen)]
    return things, batches


def _whole(dialogue: Dialogue, turns: tuple[Turn, ...]) -> Thing:
    return Thing(
        id=dialogue.id,
        turns=turns,
        dialogue=dialogue.id,
        system=dialogue.metadata.get("system"),
        emotion=dialogue.emotion,
        polarity=dialogue.polarity,
        situation=dialogue.situation,
    )
