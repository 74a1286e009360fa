"""The example of an iEval study becomes a rehearsal: a few simulated people take it, and what came out is shown."""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import fmean

from empathic import files
from empathic.cli import output, simulating, study, studying
from empathic.records import Rating, Record, Response
from empathic.studies import export, reading, tables
from empathic.studies.design import AnyStudy, Plan
from empathic.studies.simulation.effect import main_instrument
from empathic.studies.store import open_store

PEOPLE, SEED = 4, 1
EFFECT = "eliza=1.5"  # so that there is something to find


class Rehearsal(Record, frozen=True, omit_defaults=False):
    """What a rehearsal shows."""

    people: int
    chats: int
    answers: int
    first: dict[str, int]  # how many people began with each polarity
    orders: int
    ranking: dict[str, float]  # mean rank of each bot, the best first
    acknowledged: int
    lost: int
    duplicated: int
    over_assigned: int
    files: tuple[str, ...]


def demo(options: argparse.Namespace) -> int:
    """Exit code 1 if anything acknowledged was lost, doubled, or a place was given twice."""
    folder: Path = options.folder
    if not folder.exists():
        studying.write_example("ieval", folder, "builtin")
    simulation = simulating.simulated(_asked(folder))
    store = open_store(simulation.database)
    try:
        taken = export.export(store, mode="simulated")
    finally:
        store.close()
    plan = studying.load(folder)
    written = [*tables.write(folder / "export", taken, plan), folder / "simulation.json"]
    files.write_json(written[-1], simulation)
    result = _result(simulation, taken.ratings, taken.responses, plan, written)
    if options.json:
        output.print_json(result)
    else:
        _say(result, folder, reading.read(reading.find(folder)))
    return int(bool(result.lost or result.duplicated or result.over_assigned))


def _asked(folder: Path) -> argparse.Namespace:
    """As if `study simulate` had been typed."""
    parser = argparse.ArgumentParser()
    study.arguments(parser)
    words = {"n": PEOPLE, "at-once": PEOPLE, "seed": SEED, "dropout": 0, "effect": EFFECT}
    return parser.parse_args(["simulate", str(folder), *(f"--{name}={value}" for name, value in words.items())])


def _result(
    simulation: simulating.Simulation,
    ratings: Iterable[Rating],
    responses: list[Response],
    plan: Plan,
    written: list[Path],
) -> Rehearsal:
    ranked = [each for each in ratings if each.instrument == main_instrument(plan.study)]
    return Rehearsal(
        people=simulation.participants,
        chats=len({each.dialogue for each in responses}),
        answers=len(responses),
        first=_first(ranked),
        orders=simulation.orders["used"],
        ranking=_ranking(ranked),
        acknowledged=simulation.acknowledged,
        lost=simulation.lost,
        duplicated=simulation.duplicated,
        over_assigned=simulation.over_assigned,
        files=tuple(map(str, written)),
    )


def _first(ranked: Iterable[Rating]) -> dict[str, int]:
    """How many people began with each polarity."""
    earliest: dict[str, Rating] = {}
    for each in ranked:
        if each.rater not in earliest or (each.order or 0) < (earliest[each.rater].order or 0):
            earliest[each.rater] = each
    found: dict[str, int] = defaultdict(int)
    for each in earliest.values():
        found[str(each.condition)] += 1
    return dict(sorted(found.items()))


def _ranking(ranked: Iterable[Rating]) -> dict[str, float]:
    values: dict[str, list[float]] = defaultdict(list)
    for each in ranked:
        if each.system and each.value is not None:
            values[each.system].append(each.value)
    return dict(sorted(((name, fmean(given)) for name, given in values.items()), key=lambda pair: -pair[1]))


def _say(result: Rehearsal, folder: Path, asked: AnyStudy) -> None:
    bots = len(result.ranking)
    output.say(f"An iEval study, rehearsed over HTTP: {asked.title}")
    output.say(f"{result.people} simulated people, {bots} bots, {result.chats} chats, {result.answers} answers of bots")
    began = ", ".join(f"{count} began with the {polarity} scenario" for polarity, count in result.first.items())
    output.say(f"Balance: {began}; {result.orders} different orders")
    ranked = ", ".join(f"{name} {mean:.2f}" for name, mean in result.ranking.items())
    output.say(f"Ranking (1 Bad to 3 Good): {ranked}; simulated: {EFFECT}")
    wrong = f"{result.lost} lost, {result.duplicated} duplicated, {result.over_assigned} over-assigned"
    output.say(f"{result.acknowledged} answers acknowledged: {wrong}")
    output.say(f"What they said and chose: {folder / 'export'}/ (ratings.csv, dialogues.jsonl, codebook.md)")
    output.say(f"Take it yourself: empathic study serve {folder} --mode preview")


ACTIONS = {"demo": demo}
