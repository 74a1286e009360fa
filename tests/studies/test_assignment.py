"""Assignment: cells never overfull, places never held twice, orders counterbalanced, on both databases."""

from __future__ import annotations

import contextlib
import threading
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar

import hypothesis.strategies as st
import pytest
import sqlalchemy as sa
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from empathic.studies import assignment, completion, participants, schema, versions, withdrawal
from empathic.studies.design import Plan
from empathic.studies.participants import Identity
from empathic.studies.store import Store, open_store

BALANCED = {"balance": {"gender": ["female", "male"], "age": ["19-45", "46+"]}}


def leases(store: Store) -> list[Any]:
    with store.read() as connection:
        return [*connection.execute(sa.select(schema.lease)).mappings()]


def over_assigned(store: Store, mode: str = "live") -> list[Any]:
    """Cells that hold more than their target and places that are held more than once: must be empty."""
    held = [row for row in leases(store) if row["state"] in ("live", "finished") and row["mode"] == mode]
    with store.read() as connection:
        targets = {row.id: row.target for row in connection.execute(sa.select(schema.cell))}
    cells, places = Counter(row["cell"] for row in held), Counter(row["place"] for row in held)
    full = [(cell, count) for cell, count in cells.items() if count > targets[cell]]
    return full + [(place, count) for place, count in places.items() if count > 1]


def test_a_participant_gets_one_condition_and_a_whole_batch_in_its_own_order(
    published: Store, begin: Callable[..., str]
) -> None:
    name = begin(published, "anna")
    with published.read() as connection:
        person = participants.load(connection, name)
    assert person.seat is not None
    shown = [person.plan.things[thing] for thing in person.seat.things]
    assert {thing.system for thing in shown} == {person.seat.condition}
    assert len(shown) == 2


def test_conditions_and_batches_fill_evenly_and_then_nobody_gets_in(
    store: Store, make_plan: Callable[..., Plan], complete: Callable[..., str], state: Callable[..., Any]
) -> None:
    versions.publish(store, make_plan(count=8))
    names = [complete(store, f"p{number}") for number in range(10)]
    rows = [state(store, name) for name in names]
    assert Counter(row["outcome"] for row in rows) == {"complete": 8, "screened_out": 2}
    held = leases(store)
    assert len({row["place"] for row in held}) == len(held) == 8
    with store.read() as connection:
        conditions = Counter(participants.load(connection, name).seat.condition for name in names[:4])
    assert conditions == {"human": 2, "model": 2}


def test_groups_are_filled_evenly_within_each_condition(
    store: Store, make_plan: Callable[..., Plan], complete: Callable[..., str]
) -> None:
    versions.publish(store, make_plan(count=16, **BALANCED))
    people = [(gender, age) for gender in ("female", "male") for age in (20, 50) for _ in range(5)]
    for number, (gender, age) in enumerate(people):
        complete(store, f"p{number}", gender=gender, age=age)
    assert over_assigned(store) == []
    with store.read() as connection:
        query = sa.select(schema.cell.c.condition, schema.cell.c.stratum, sa.func.count()).join_from(
            schema.lease, schema.cell, schema.lease.c.cell == schema.cell.c.id
        )
        rows = connection.execute(query.group_by(schema.cell.c.condition, schema.cell.c.stratum)).all()
    assert len(rows) == 8
    assert {count for *_, count in rows} == {2}


def test_who_belongs_to_no_listed_group_is_screened_out_or_takes_an_open_place(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], state: Callable[..., Any]
) -> None:
    versions.publish(store, make_plan(**{"balance": {**BALANCED["balance"], "others": 1}}))
    states = [state(store, begin(store, f"p{n}", gender="other"))["state"] for n in range(3)]
    assert states == ["active", "active", "screened_out"]
    assert state(store, begin(store, "young", age=18))["state"] == "screened_out"


def test_a_silent_participant_loses_the_place_to_the_next(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], state: Callable[..., Any], clock: Any
) -> None:
    versions.publish(store, make_plan(count=2, conditions=["human"], lease_minutes=30))
    first = begin(store, "first")
    assert state(store, begin(store, "second"))["state"] == "screened_out"
    clock.now += 31 * 60
    third = begin(store, "third")
    assert state(store, third)["state"] == "active"
    assert {row["participant"]: row["state"] for row in leases(store)} == {first: "expired", third: "live"}
    assert not participants.heartbeat(store, first)


def test_a_heartbeat_keeps_the_place_and_takes_it_up_again_while_it_is_free(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], state: Callable[..., Any], clock: Any
) -> None:
    versions.publish(store, make_plan(count=2, conditions=["human"], lease_minutes=30))
    first = begin(store, "first")
    for _ in range(4):
        clock.now += 20 * 60
        assert participants.heartbeat(store, first)
    assert state(store, begin(store, "second"))["state"] == "screened_out"
    clock.now += 31 * 60
    with store.write() as connection:
        assert assignment.expire(connection, clock.now) == 1
    assert participants.heartbeat(store, first)
    assert [row["state"] for row in leases(store)] == ["live"]


def test_who_was_silent_cannot_come_back_into_a_cell_that_filled_even_if_the_place_is_free(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], clock: Any
) -> None:
    versions.publish(store, make_plan(count=4, batch=1, conditions=["human"], balance={"gender": ["female", "male"]}))
    early = [begin(store, pid) for pid in ("a", "b")]
    clock.now += 61 * 60
    later = [begin(store, pid) for pid in ("c", "d")]
    held = {row["place"] for row in leases(store) if row["participant"] in later}
    with store.write() as connection:
        places = [*connection.execute(sa.select(schema.place.c.id).order_by(schema.place.c.id)).scalars()]
        for name, place in zip(early, sorted(set(places) - held), strict=True):
            mine = schema.lease.c.participant == name
            connection.execute(schema.lease.update().where(mine).values(place=place))
    assert [participants.heartbeat(store, name) for name in early] == [False, False]
    assert over_assigned(store) == []


def test_a_late_finisher_is_stored_and_flagged(
    store: Store,
    make_plan: Callable[..., Plan],
    begin: Callable[..., str],
    complete: Callable[..., str],
    answer_all: Callable[..., None],
    state: Callable[..., Any],
    clock: Any,
) -> None:
    versions.publish(store, make_plan(count=2, conditions=["human"], lease_minutes=30))
    slow = begin(store, "slow")
    clock.now += 31 * 60
    quick = complete(store, "quick")
    answer_all(store, slow)
    assert completion.finish(store, slow) == []
    assert (state(store, slow)["outcome"], state(store, slow)["late"]) == ("complete", True)
    assert (state(store, quick)["outcome"], state(store, quick)["late"]) == ("complete", False)
    assert over_assigned(store) == []


@pytest.mark.parametrize("leaves", ["withdraws", "RETURNED", "TIMED-OUT"])
def test_withdrawal_and_the_platforms_return_free_exactly_one_place(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], state: Callable[..., Any], leaves: str
) -> None:
    versions.publish(store, make_plan(count=4, conditions=["human"]))
    first, _ = begin(store, "first"), begin(store, "second")
    if leaves == "withdraws":
        withdrawal.withdraw(store, first)
    else:
        withdrawal.platform_state(store, first, leaves)
    assert state(store, begin(store, "third"))["state"] == "active"
    assert state(store, begin(store, "fourth"))["state"] == "screened_out"


def test_preview_and_simulated_participants_take_no_place_of_the_living(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str], state: Callable[..., Any]
) -> None:
    versions.publish(store, make_plan(count=2, conditions=["human"]))
    for mode in ("preview", "simulated", "live"):
        assert state(store, begin(store, f"someone-{mode}", mode=mode))["state"] == "active"
    assert state(store, begin(store, "one-more"))["state"] == "screened_out"


def test_all_orders_of_bots_and_polarity_are_used_equally_by_those_who_complete(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str]
) -> None:
    versions.publish(store, make_plan("ieval", count=12, questions=[], raters=3))
    seats, left = [], 0
    for number in range(30):
        name = begin(store, f"p{number}")
        if number % 3 == 2:
            withdrawal.withdraw(store, name)
            left += 1
            continue
        with store.write() as connection:
            assert assignment.finish(connection, name)
            seats.append(participants.load(connection, name).seat)
    assert left == 10
    orders = Counter((seat.bots, seat.things[0][1:] and int(seat.things[0][1:]) % 2) for seat in seats)
    assert len(orders) == 12
    assert max(orders.values()) - min(orders.values()) <= 1
    assert len({tuple(sorted(seat.colours.items())) for seat in seats}) > 5


def test_polarity_and_the_places_of_bots_are_balanced_long_before_all_orders_are_used(
    store: Store, make_plan: Callable[..., Plan], begin: Callable[..., str]
) -> None:
    bots = [{"name": name, "system": name} for name in ("ada", "bob", "cy", "dee")]
    versions.publish(store, make_plan("ieval", count=12, questions=[], raters=3, bots=bots))
    seats = []
    for number in range(8):
        name = begin(store, f"p{number}")
        with store.read() as connection:
            seats.append(participants.load(connection, name).seat)
        began = Counter(int(seat.things[0][1:]) % 2 for seat in seats)
        assert abs(began[0] - began[1]) <= 1
    placed = Counter(at for seat in seats for at in enumerate(seat.bots))
    assert len(placed) == 16
    assert max(placed.values()) <= 3  # 2 each would be perfect; 8 of 48 orders are used


def test_arrivals_of_eight_threads_over_two_connections_never_share_a_place(
    store: Store, open_at: Callable[[], Store], make_plan: Callable[..., Plan], begin: Callable[..., str]
) -> None:
    versions.publish(store, make_plan(count=60))
    stores = [store, open_at()]

    def arrive(thread: int) -> None:
        for number in range(10):
            begin(stores[thread % 2], f"{thread}-{number}")

    threads = [threading.Thread(target=arrive, args=(thread,)) for thread in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    held = [row for row in leases(store) if row["state"] == "live"]
    assert over_assigned(store) == []
    assert len(held) == len({row["place"] for row in held}) == 60


def test_the_database_itself_forbids_that_two_hold_one_place(published: Store, begin: Callable[..., str]) -> None:
    first, second = begin(published, "first"), begin(published, "second")
    taken = next(row["place"] for row in leases(published) if row["participant"] == first)
    with pytest.raises(sa.exc.IntegrityError), published.write() as connection:
        mine = schema.lease.c.participant == second
        connection.execute(schema.lease.update().where(mine).values(place=taken))


class Machine(RuleBasedStateMachine):
    """People come, answer, fall silent, return and leave over two connections, in any order."""

    url: Callable[[], contextlib.AbstractContextManager[str]]
    plan: Plan
    returned: ClassVar[list[str]] = []

    @initialize()
    def opened(self) -> None:
        self.stack = contextlib.ExitStack()
        address = self.stack.enter_context(type(self).url())
        self.time = 1_000_000.0
        self.stores = [open_store(address, lambda: self.time) for _ in range(2)]
        versions.publish(self.stores[0], self.plan)
        self.names: dict[int, str] = {}
        self.seats: dict[str, str] = {}

    def of(self, who: int) -> str | None:
        return self.names.get(who)

    @rule(
        people=st.lists(st.integers(0, 7), min_size=1, max_size=4),
        via=st.integers(0, 1),
        gender=st.sampled_from(["female", "male"]),
    )
    def come(self, people: list[int], via: int, gender: str) -> None:
        """Several of one group at once: a full cell is reached within few steps."""
        for who in people:
            store = self.stores[(via + who) % 2]
            name = participants.enter(store, Identity(platform="url", pid=f"pid-{who}"), "live")
            assert self.names.setdefault(who, name) == name
            participants.consent(store, name, agreed=True)
            with contextlib.suppress(participants.WrongMoment):
                participants.save(store, name, {"about.gender": gender, "about.age": 30}, submit="about")

    @rule(who=st.integers(0, 7), via=st.integers(0, 1))
    def finishes(self, who: int, via: int) -> None:
        name = self.of(who)
        if name is None:
            return
        with self.stores[via].write() as connection:
            person = participants.load(connection, name, for_update=True)
            if person.row["state"] == "active":
                late = not assignment.finish(connection, name)
                participants.move(connection, person, "finished", outcome="complete", late=late)

    @rule(who=st.integers(0, 7), via=st.integers(0, 1))
    def withdraws(self, who: int, via: int) -> None:
        if name := self.of(who):
            withdrawal.withdraw(self.stores[via], name)
            self.seats.pop(name, None)

    @rule(who=st.integers(0, 7), via=st.integers(0, 1), says=st.sampled_from(["RETURNED", "TIMED-OUT", "APPROVED"]))
    def platform_says(self, who: int, via: int, says: str) -> None:
        if name := self.of(who):
            withdrawal.platform_state(self.stores[via], name, says)

    @rule(people=st.lists(st.integers(0, 7), min_size=1, max_size=4), via=st.integers(0, 1))
    def beat(self, people: list[int], via: int) -> None:
        for name in filter(None, map(self.of, people)):
            participants.heartbeat(self.stores[via], name)

    @rule(third=st.integers(0, 2), via=st.integers(0, 1))
    def fall_silent(self, third: int, via: int) -> None:
        """Only a third of them: the others keep their places, and somebody else may take these."""
        with self.stores[via].write() as connection:
            for name in [name for who, name in self.names.items() if who % 3 == third]:
                mine = (schema.lease.c.participant == name, schema.lease.c.state == "live")
                connection.execute(schema.lease.update().where(*mine).values(until=self.time - 1))
            assignment.expire(connection, self.time)

    @rule(turn=st.integers(0, 7), via=st.integers(0, 1))
    def come_back(self, turn: int, via: int) -> None:
        late = [row for row in leases(self.stores[0]) if row["state"] == "expired"]
        for mine in late[turn % max(1, len(late)) :]:
            self.comes_back(mine, via)

    def comes_back(self, mine: Any, via: int) -> None:
        """An expired lease lives again exactly if its place is free and its cell has room."""
        name = mine["participant"]
        taken = [row for row in leases(self.stores[0]) if row["state"] in ("live", "finished")]
        with self.stores[0].read() as connection:
            active = participants.load(connection, name).row["state"] == "active"
            room = connection.scalar(sa.select(schema.cell.c.target).where(schema.cell.c.id == mine["cell"]))
        held = sum(row["cell"] == mine["cell"] for row in taken)
        free = mine["place"] not in {row["place"] for row in taken} and held < room
        participants.heartbeat(self.stores[via], name)
        after = next(row["state"] for row in leases(self.stores[0]) if row["participant"] == name)
        assert after == ("live" if active and free else "expired")
        self.returned.append(after)

    @rule(minutes=st.sampled_from([20, 61]))
    def time_passes(self, minutes: int) -> None:
        self.time += 60 * minutes

    @invariant()
    def no_cell_and_no_place_is_overfull(self) -> None:
        if hasattr(self, "stores"):
            assert over_assigned(self.stores[0]) == []

    @invariant()
    def nobody_is_given_another_seat(self) -> None:
        for name in getattr(self, "names", {}).values():
            with self.stores[1].read() as connection:
                row = participants.load(connection, name).row
            if row["seat"]:
                assert self.seats.setdefault(name, row["seat"]) == row["seat"]

    @invariant()
    def every_free_place_can_be_had(self) -> None:
        """Live and finished leases are held by people who are active or finished: nothing stays locked."""
        for row in leases(self.stores[0]) if hasattr(self, "stores") else []:
            if row["state"] in ("live", "finished"):
                with self.stores[0].read() as connection:
                    assert participants.load(connection, row["participant"]).row["state"] in ("active", "finished")

    def teardown(self) -> None:
        for store in getattr(self, "stores", []):
            store.close()
        if hasattr(self, "stack"):
            self.stack.close()


@pytest.fixture
def machine(kind: str, make_plan: Callable[..., Plan], fresh: Callable[..., Any]) -> type[Machine]:
    class Bound(Machine):
        returned: ClassVar[list[str]] = []
        plan = make_plan(count=3, batch=1, conditions=["human"], balance={"gender": ["female", "male"]})
        url = staticmethod(lambda: fresh(kind))

    return Bound


def test_the_invariants_hold_whatever_happens_over_two_connections(kind: str, machine: type[Machine]) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=40 if kind == "sqlite" else 10,
            stateful_step_count=15,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_who_comes_back_has_the_place_again_unless_somebody_took_it(machine: type[Machine]) -> None:
    """One way through the machine, so that both ends of a lost lease are sure to be seen."""
    made = machine()
    made.opened()
    made.come([0, 1, 2], 0, "female")
    made.fall_silent(0, 1)
    made.come_back(0, 1)
    made.fall_silent(1, 0)
    made.come([3, 4, 5], 1, "female")
    made.come_back(0, 0)
    made.no_cell_and_no_place_is_overfull()
    made.teardown()
    assert made.returned == ["live", "expired"]
