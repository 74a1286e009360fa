"""The watch: computes aside, once for all who ask, and again when it is old."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from empathic.contracts import Flag, Oversight
from empathic.errors import InputError
from empathic.records import Estimate, Instrument, Rater, Rating
from empathic.studies.desk.watch import KEPT_SECONDS, Watch
from empathic.studies.store import Store


class Counting:
    """Tells what it was given; waits until it is let go on."""

    def __init__(self) -> None:
        self.asked, self.go, self.fail = 0, threading.Event(), False
        self.go.set()
        self.thread = ""

    def agreement(self, instruments: Sequence[Instrument], ratings: Sequence[Rating]) -> Sequence[Estimate]:
        self.asked += 1
        self.thread = threading.current_thread().name
        self.go.wait()
        if self.fail:
            raise InputError("no")
        return [Estimate(name=each.id, value=float(len(ratings)), method="count") for each in instruments]

    def flags(
        self, instruments: Sequence[Instrument], raters: Sequence[Rater], ratings: Sequence[Rating]
    ) -> Sequence[Flag]:
        self.asked += 1
        return [Flag(name="all", rule="everybody", raters=tuple(each.id for each in raters))]


@pytest.fixture
def counting() -> Counting:
    return Counting()


@pytest.fixture
def watch(published: Store, counting: Counting) -> Iterator[Watch]:
    made = Watch(published, "live", counting)
    yield made
    counting.go.set()
    made.close()


def test_what_counts_fits_the_contract(counting: Counting) -> None:
    assert isinstance(counting, Oversight)


def test_agreement_is_of_those_who_completed_and_flags_of_those_who_finished(
    watch: Watch, published: Store, complete: Callable[..., str], begin: Callable[..., str]
) -> None:
    name = complete(published, "a")
    begin(published, "b")
    found = watch.agreement().result()
    assert (found.people, found.ratings) == (1, 18)
    assert [(each.name, each.value) for each in found.content] == [("teq", 18.0), ("bad-okay-good", 18.0)]
    assert watch.flags().result().content[0].raters == (f"human:{name}",)


def test_all_who_ask_at_once_get_one_computation_in_a_thread_of_its_own(watch: Watch, counting: Counting) -> None:
    counting.go.clear()
    asked = [watch.agreement() for _ in range(5)]
    assert not asked[0].done()
    counting.go.set()
    assert len({id(each.result()) for each in asked}) == 1
    assert counting.asked == 1
    assert counting.thread.startswith("desk")


def test_it_is_kept_for_a_minute_and_computed_again_then_or_when_somebody_was_erased(
    watch: Watch, counting: Counting, clock: Callable[[], float]
) -> None:
    watch.agreement().result()
    clock.now += KEPT_SECONDS  # type: ignore[attr-defined]
    watch.agreement().result()
    assert counting.asked == 1
    clock.now += 1  # type: ignore[attr-defined]
    watch.agreement().result()
    assert counting.asked == 2
    watch.forget()
    watch.agreement().result()
    assert counting.asked == 3


def test_a_failure_is_told_and_not_kept(watch: Watch, counting: Counting) -> None:
    counting.fail = True
    with pytest.raises(InputError):
        watch.agreement().result()
    counting.fail = False
    assert watch.agreement().result().people == 0
