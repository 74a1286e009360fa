"""Many simulated people take a study at once; what was acknowledged to them is noted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import NamedTuple
from urllib.parse import quote

from empathic.studies import versions
from empathic.studies.design import Plan
from empathic.studies.invitations import invite
from empathic.studies.participants import load
from empathic.studies.simulation.browser import Browser, Network
from empathic.studies.simulation.ledger import Ledger
from empathic.studies.simulation.people import Behaviour, rng_of, somebody
from empathic.studies.simulation.visit import Visit
from empathic.studies.steps import Step, bots_of
from empathic.studies.store import Store


class Crowd(NamedTuple):
    """How many come, how many of them at once, over which network."""

    people: int
    at_once: int = 20
    network: Network = Network()
    ordered: bool = True  # they get their places in the order of their numbers, so that a seed fixes everything
    first: int = 0


def link(plan: Plan, key: bytes, number: int) -> str:
    """The link by which a simulated person comes, as their platform would give it."""
    platform, pid = plan.study.platform, f"simulated-{number}"
    if platform.kind == "prolific":
        return f"/?PROLIFIC_PID={pid}&STUDY_ID=simulated&SESSION_ID=session-{number}"
    if platform.kind == "direct":
        return f"/?invite={quote(invite(key, pid))}"
    return f"/?{quote(platform.parameter)}={pid}"


async def take(
    address: str,
    store: Store,
    behaviour: Behaviour,
    crowd: Crowd,
    *,
    ledger: Ledger | None = None,
    progress: Callable[[int], None] | None = None,
) -> Ledger:
    """Everybody takes the study at this address; `store` is only read, for what each rating is about."""
    found = ledger or Ledger()
    with store.read() as connection:
        _, plan = versions.newest(connection)
        key = versions.secret(connection)
    gates = [asyncio.Event() for _ in range(crowd.people + 1)]
    gates[0].set()
    room, done = asyncio.Semaphore(crowd.at_once), 0

    async def one(place: int) -> None:
        nonlocal done
        who = somebody(crowd.first + place, behaviour, plan.study.balance)
        rng, to_here = rng_of(behaviour.seed, who.number, "network"), link(plan, key, who.number)
        async with room, Browser(address, crowd.network, found, rng) as browser:
            visit = Visit(who, browser, plan.study, behaviour, found, lambda owner: systems_of(store, owner))
            if crowd.ordered:
                await gates[place].wait()
            try:
                page = await visit.enter(to_here)
            finally:
                gates[place + 1].set()
            await visit.go_on(page, to_here)
        done += 1
        if progress:
            progress(done)

    try:
        async with asyncio.TaskGroup() as group:
            for place in range(crowd.people):
                group.create_task(one(place))
    except ExceptionGroup as several:
        raise several.exceptions[0] from None  # where one cannot go on, the others only follow
    return found


def systems_of(store: Store, owner: str) -> Mapping[str, str]:
    """Which system each field of a participant is about: the page does not say, the simulated effect needs it."""
    with store.read() as connection:
        person = load(connection, owner)
    found: dict[str, str] = {}
    for step in person.way:
        if step.kind == "rank" and person.seat is not None:
            names = bots_of(person.seat, step.place)
            found |= {field.key: name for field, name in zip(step.fields, names, strict=True)}
        else:
            system = _system(person.plan, step)
            found |= {field.key: system for field in step.fields} if system else {}
    return found


def _system(plan: Plan, step: Step) -> str | None:
    return step.bot or (plan.things[step.thing].system if step.thing else None)
