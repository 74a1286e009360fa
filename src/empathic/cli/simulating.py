"""A study folder becomes what `empathic study simulate` and `empathic study analyze` print."""

from __future__ import annotations

import argparse
import asyncio
import math
import sys
from typing import Any

import msgspec

from empathic import files
from empathic.cli import analyze, output, studying
from empathic.errors import SettingError
from empathic.statistics.analysis import Shape, analyse, collect
from empathic.statistics.effects import difference, paired_difference
from empathic.studies import export, progress, versions
from empathic.studies.design import AnyStudy, Ieval, Plan
from empathic.studies.progress import CellProgress
from empathic.studies.simulation import effect, ledger
from empathic.studies.simulation.browser import Network
from empathic.studies.simulation.crowd import Crowd, take
from empathic.studies.simulation.effect import Recovered
from empathic.studies.simulation.faults import under_kills
from empathic.studies.simulation.ledger import Found, Ledger
from empathic.studies.simulation.people import Behaviour, rng_of
from empathic.studies.simulation.process import Process
from empathic.studies.store import Store, open_store

BOTS = ("bot", "prompt", "corpus", "endpoints", "temperature", "top_p", "max_tokens")
MODELS = ("base_url", "api_key", "extra_body", "price", "model_arguments", "max_connections", "timeout", "deadline")
PASSED = ("load", *BOTS, *MODELS)  # what the server of the simulation is started with
SHARES = ("dropout", "refresh", "two_tabs", "network_faults")


class Simulation(Found, frozen=True, omit_defaults=False):
    """What a simulation found."""

    participants: int
    acknowledged: int
    requests: int
    faults: int
    server_errors: int
    kills: int
    states: dict[str, int]
    outcomes: dict[str, int]
    orders: dict[str, int]
    cells: tuple[CellProgress, ...]
    effects: tuple[Recovered, ...]
    database: str
    seed: int


def simulate(options: argparse.Namespace) -> int:
    """Exit code 1 if anything acknowledged was lost, doubled, or a cell was given to too many."""
    found = simulated(options)
    if options.json:
        output.print_json(found)
    else:
        _say(found, options)
    return int(any(getattr(found, name) for name in Found.__struct_fields__))


def simulated(options: argparse.Namespace) -> Simulation:
    """Serve the study in a process of its own, let people take it, and look at what is in the database."""
    _refuse_shares(options)
    built = studying.load(options.folder, options.bot)
    given = effect.effects(options.effect, effect.systems(built))
    behaviour = Behaviour(
        seed=options.seed,
        dropout=options.dropout,
        refresh=options.refresh,
        two_tabs=options.two_tabs,
        effects=given,
    )
    address = options.database or _fresh(options)
    store = open_store(address)
    try:
        versions.publish(store, built)
        noted = asyncio.run(_served(options, address, store, behaviour))
        return _found(store, built, behaviour, noted, address)
    finally:
        store.close()


def _refuse_shares(options: argparse.Namespace) -> None:
    if options.n < 1 or options.at_once < 1:
        raise SettingError(f"--n {options.n} --at-once {options.at_once}: at least one person is needed.")
    for name in SHARES:
        value = getattr(options, name)
        if not (math.isfinite(value) and 0 <= value <= 1):
            raise SettingError(f"--{name.replace('_', '-')} {value:g}: give a share from 0 to 1.")


def _fresh(options: argparse.Namespace) -> str:
    """A database of its own, begun anew: real participants are never near."""
    path = options.folder / "simulated.db"
    for each in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm"))):
        each.unlink(missing_ok=True)
    return f"sqlite:///{path}"


def serve_command(options: argparse.Namespace, address: str) -> list[str]:
    """How the server of the simulation is started; the port follows."""
    words = [sys.executable, "-m", "empathic", "study", "serve", str(options.folder), "--mode", "simulated"]
    passed = [word for name in PASSED for word in _flag(name, getattr(options, name))]
    return [*words, "--database", address, *passed, "--port"]


def _flag(name: str, value: Any) -> list[str]:
    """A flag as it was given, so that another process gets it too."""
    word = "-M" if name == "model_arguments" else f"--{name.replace('_', '-')}"
    given = value if isinstance(value, list) else [] if value is None else [value]
    return [each for one in given for each in (word, str(one))]


async def _served(options: argparse.Namespace, address: str, store: Store, behaviour: Behaviour) -> Ledger:
    half = options.network_faults / 2
    network, calm = Network(lost=half, doubled=half), options.kills == 0
    crowd = Crowd(options.n, at_once=options.at_once, network=network, ordered=calm)
    noted, rng = Ledger(), rng_of(options.seed, "kills")

    def look() -> None:
        with store.read() as connection:
            noted.over_assigned += ledger.over_assigned(connection, "simulated")

    async with Process(serve_command(options, address)) as server:
        shown = output.progress(f"of {options.n} participants")
        taking = take(server.address, store, behaviour, crowd, ledger=noted, progress=shown)
        _, noted.kills = await under_kills(
            server, taking, kills=options.kills, acknowledged=lambda: noted.acknowledged, rng=rng, dead=look
        )
    return noted


def _found(store: Store, built: Plan, behaviour: Behaviour, noted: Ledger, address: str) -> Simulation:
    state = progress.progress(store, mode="simulated")
    ratings = export.export(store, mode="simulated").ratings
    recovered = effect.recover(built, ratings, behaviour, groups=difference, pairs=paired_difference)
    return Simulation(
        participants=sum(state.states.values()),
        acknowledged=noted.acknowledged,
        **msgspec.to_builtins(ledger.compare(store, noted)),
        requests=noted.requests,
        faults=noted.faults,
        server_errors=noted.server_errors,
        kills=noted.kills,
        states=state.states,
        outcomes=state.outcomes,
        orders=state.orders,
        cells=state.cells,
        effects=tuple(recovered),
        database=address,
        seed=behaviour.seed,
    )


def _say(found: Simulation, options: argparse.Namespace) -> None:
    people = ", ".join(f"{count} {state}" for state, count in found.states.items())
    ends = ", ".join(f"{count} {outcome}" for outcome, count in found.outcomes.items())
    output.say(f"{found.participants} simulated participants: {people} ({ends or 'nobody came to an end'})")
    rows = [(cell.condition, cell.stratum, cell.finished, cell.live, cell.target) for cell in found.cells]
    output.say("\n" + output.table(("condition", "group", "finished", "left", "target"), rows))
    if found.orders["orders"] > 1:
        output.say("\nOrders: {orders}, each taken {fewest} to {most} times".format(**found.orders))
    head = ("system − reference", "effect", "simulated", "recovered", "95 % interval", "covers", "power")
    output.say("\n" + output.table(head, map(_row, found.effects)))
    kept = f"{found.lost} lost, {found.duplicated} duplicated, {found.over_assigned} over-assigned"
    met = f"{found.requests} requests, {found.faults} faults, {found.kills} kills"
    output.say(f"\n{found.acknowledged} answers acknowledged ({met}): {kept}")
    output.say(f"Next: empathic study analyze {options.folder} --mode simulated --database {found.database}")


def _row(one: Recovered) -> tuple[object, ...]:
    found = one.recovered
    span = f"[{found.low:.3f}, {found.high:.3f}]" if found.low is not None and found.high is not None else "–"
    covers = {True: "yes", False: "no", None: found.missing or "–"}[one.covered]
    return f"{one.system} − {one.reference}", one.effect, one.simulated, found.value, span, covers, one.power


def analyze_study(options: argparse.Namespace) -> None:
    """The design's analysis straight from the database."""
    with studying.database(options) as store:
        ratings = export.export(store, mode=options.mode).ratings
        with store.read() as connection:
            _, built = versions.newest(connection)
    name = options.instrument or effect.main_instrument(built.study)
    chosen = [each for each in ratings if each.instrument == name]
    design = analyze.design_named(_design(built.study))
    found = [analyse(design, each, seed=options.seed) for each in collect(chosen, shape=Shape())]
    if options.output is not None:
        files.write_json(options.output, [each for one in found for each in one.flat()])
        output.log(f"{options.output} written")
    if options.json:
        output.print_json(found)
        return
    for one in found:
        analyze.say(one)


def _design(study: AnyStudy) -> str:
    designs: dict[str, Any] = {"between": "between", "ieval": "within", "observer": "observer"}
    return str(designs["ieval" if isinstance(study, Ieval) else type(study).__name__.lower()])


ACTIONS = {"simulate": simulate, "analyze": analyze_study}
