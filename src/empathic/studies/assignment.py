"""A participant's group becomes a leased place: condition, batch and order, in one transaction.

At every moment finished and live leases together never exceed the target of a cell, and no place is held twice (a
partial unique index in the database says the same). A lease is renewed by everything a participant does, expires when
they are silent for too long, and is then free for somebody else. Who finishes later than that is stored all the same
and flagged.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Mapping

import sqlalchemy as sa
from sqlalchemy.engine import Connection, RowMapping

from empathic.studies import schema
from empathic.studies.design import Ieval, Plan, Seat
from empathic.studies.plan import targets
from empathic.studies.store import lock

COLOURS = ("Blue", "Orange", "Green", "Purple", "Pink", "Yellow", "Grey")
TAKEN = ("live", "finished")
lease, cell, place = schema.lease, schema.cell, schema.place


def prepare(connection: Connection, plan: Plan) -> None:
    """Make the cells and places of a plan; those of an earlier version that are no longer in it take nobody new."""
    lock(connection)
    for (condition, stratum), target in targets(plan).items():
        row = {"condition": condition, "stratum": stratum}
        update = cell.update().where(cell.c.condition == condition, cell.c.stratum == stratum).values(target=target)
        if connection.execute(update).rowcount == 0:
            connection.execute(cell.insert().values(**row, target=target))
    connection.execute(place.update().values(active=False))
    present = {tuple(row) for row in connection.execute(sa.select(place.c.condition, place.c.batch, place.c.copy))}
    for batch, copy in itertools.product(plan.batches, range(plan.copies)):
        key = (batch.condition, batch.name, copy)
        if key in present:
            where = (place.c.condition == key[0], place.c.batch == key[1], place.c.copy == key[2])
            connection.execute(place.update().where(*where).values(active=True))
        else:
            connection.execute(
                place.insert().values(condition=batch.condition, batch=batch.name, copy=copy, active=True)
            )


def claim(connection: Connection, person: RowMapping, plan: Plan, stratum: str, *, now: float) -> Seat | None:
    """Lease a place to a participant of this group, or None if their cells are full."""
    lock(connection)
    expire(connection, now)
    rng = random.Random(f"{plan.study.seed} {person['id']}")
    for target in _open_cells(connection, stratum, person["mode"], rng):
        free = _free_place(connection, plan, target["condition"], person["mode"], rng)
        if free is not None:
            arrangement = _arrangement(connection, plan, person["mode"], rng)
            connection.execute(
                lease.insert().values(
                    participant=person["id"],
                    cell=target["id"],
                    place=free["id"],
                    arrangement=arrangement,
                    mode=person["mode"],
                    state="live",
                    until=now + 60 * plan.study.lease_minutes,
                )
            )
            return _seat(plan, free, arrangement, rng)
    return None


def expire(connection: Connection, now: float) -> int:
    """Free the places whose participants were silent for too long."""
    late = lease.update().where(lease.c.state == "live", lease.c.until < now)
    return connection.execute(late.values(state="expired")).rowcount


def renew(connection: Connection, person: str, plan: Plan, *, now: float) -> bool:
    """Prolong a participant's lease; an expired one is taken up again if its place is still free."""
    until = now + 60 * plan.study.lease_minutes
    mine = lease.c.participant == person
    alive = lease.update().where(mine, lease.c.state == "live").values(until=until)
    return connection.execute(alive).rowcount == 1 or _revive(connection, person, "live", until)


def finish(connection: Connection, person: str) -> bool:
    """Turn a lease into a finished place; False if the place was given away or its cell filled meanwhile."""
    mine = lease.c.participant == person
    alive = lease.update().where(mine, lease.c.state == "live").values(state="finished")
    if connection.execute(alive).rowcount == 1 or _revive(connection, person, "finished", None):
        return True
    connection.execute(lease.update().where(mine, lease.c.state == "expired").values(state="late"))
    return False


def free(connection: Connection, person: str) -> None:
    """Give a place back: withdrawn, returned or rejected."""
    mine = lease.c.participant == person
    connection.execute(lease.update().where(mine, lease.c.state != "freed").values(state="freed"))


def _revive(connection: Connection, person: str, state: str, until: float | None) -> bool:
    lock(connection)
    mine = lease.c.participant == person
    row = connection.execute(sa.select(lease).where(mine, lease.c.state == "expired")).mappings().first()
    if row is None:
        return False
    taken = _taken(row["mode"])
    same_place = connection.execute(sa.select(lease.c.participant).where(lease.c.place == row["place"], *taken)).first()
    held = connection.scalar(sa.select(sa.func.count()).select_from(lease).where(lease.c.cell == row["cell"], *taken))
    target = connection.scalar(sa.select(cell.c.target).where(cell.c.id == row["cell"]))
    if same_place is not None or (held or 0) >= (target or 0):
        return False
    values = {"state": state} if until is None else {"state": state, "until": until}
    return connection.execute(lease.update().where(mine).values(**values)).rowcount == 1


def _taken(mode: str) -> tuple[sa.ColumnElement[bool], ...]:
    return lease.c.state.in_(TAKEN), lease.c.mode == mode


def _open_cells(connection: Connection, stratum: str, mode: str, rng: random.Random) -> list[RowMapping]:
    """The group's cells with room, the emptiest condition first."""
    held = sa.select(lease.c.cell, sa.func.count().label("held")).where(*_taken(mode)).group_by(lease.c.cell).subquery()
    query = sa.select(cell, sa.func.coalesce(held.c.held, 0).label("held")).outerjoin(held, held.c.cell == cell.c.id)
    found = connection.execute(query.order_by(cell.c.id)).mappings().all()
    overall: dict[str, int] = {}
    for row in found:
        overall[row["condition"]] = overall.get(row["condition"], 0) + row["held"]
    mine = [row for row in found if row["stratum"] == stratum and row["held"] < row["target"]]
    return sorted(mine, key=lambda row: (row["held"], overall[row["condition"]], rng.random()))


def _free_place(connection: Connection, plan: Plan, condition: str, mode: str, rng: random.Random) -> RowMapping | None:
    """A free place of the condition; every batch gets its first rater before any gets its second.

    Only batches of the participant's own version count: who consented to one version never gets another's material.
    """
    held = sa.select(lease.c.place).where(*_taken(mode))
    query = sa.select(place).where(place.c.condition == condition, place.c.id.not_in(held))
    names = {batch.name for batch in plan.batches if batch.condition == condition}
    first: list[RowMapping] = []
    with connection.execute(query.order_by(place.c.copy, place.c.id)) as rows:
        for row in rows.mappings():
            if first and row["copy"] != first[0]["copy"]:
                break
            if row["batch"] in names and row["copy"] < plan.copies:
                first.append(row)
    return rng.choice(first) if first else None


def arrangements(plan: Plan) -> int:
    """How many orders are counterbalanced: all orders of the bots × which polarity comes first."""
    return 2 * math.factorial(len(plan.study.bots)) if isinstance(plan.study, Ieval) else 1


def held_arrangements(connection: Connection, mode: str) -> Mapping[int, int]:
    """How many finished or live participants have each order."""
    query = sa.select(lease.c.arrangement, sa.func.count()).where(*_taken(mode)).group_by(lease.c.arrangement)
    return {row[0]: row[1] for row in connection.execute(query)}


def _arrangement(connection: Connection, plan: Plan, mode: str, rng: random.Random) -> int:
    """The order that fewest finished or live participants have.

    Of several, one whose polarity, then whose bots have come first, second … least often: there are many orders, and a
    study must be balanced long before all of them are used.
    """
    held, orders = held_arrangements(connection, mode), _orders(plan)
    polarity, placed = Counter[int](), Counter[tuple[int, str]]()
    for each, count in held.items():
        polarity[each % 2] += count
        for at in enumerate(orders[each // 2]):
            placed[at] += count

    def use(each: int) -> tuple[float, ...]:
        often = sum(placed[at] for at in enumerate(orders[each // 2]))
        return held.get(each, 0), polarity[each % 2], often, rng.random()

    return min(range(arrangements(plan)), key=use)


def _orders(plan: Plan) -> list[tuple[str, ...]]:
    """Every order of the bots, as arrangements count them."""
    names = [bot.name for bot in plan.study.bots] if isinstance(plan.study, Ieval) else []
    return list(itertools.permutations(names))


def _seat(plan: Plan, taken: RowMapping, arrangement: int, rng: random.Random) -> Seat:
    batch = next(each for each in plan.batches if each.name == taken["batch"] and each.condition == taken["condition"])
    things = list(batch.things)
    if not isinstance(plan.study, Ieval):
        rng.shuffle(things)
        return Seat(condition=batch.condition, batch=batch.name, things=tuple(things))
    names = [bot.name for bot in plan.study.bots]
    order = _orders(plan)[arrangement // 2]
    colours = dict(zip(names, rng.sample(COLOURS, len(names)), strict=True))
    shown = things if arrangement % 2 == 0 else things[::-1]
    return Seat(condition=batch.condition, batch=batch.name, things=tuple(shown), bots=order, colours=colours)
