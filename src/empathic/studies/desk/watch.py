"""The ratings so far become agreement and flags: computed on demand, aside from participants, kept for a short time.

There is one thread for it: two researchers who ask at once get the same answer, and nobody who takes the study waits.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, NamedTuple

from empathic.contracts import Flag, Oversight
from empathic.records import Estimate, Instrument
from empathic.studies import export, versions
from empathic.studies.design import Mode
from empathic.studies.store import Store

KEPT_SECONDS = 60.0


class Found(NamedTuple):
    """What was computed, of how many people, and when."""

    time: float
    people: int
    ratings: int
    content: Sequence[Any]


class Watch:
    """Asks the statistics of a study, at most one question at a time."""

    def __init__(self, store: Store, mode: Mode, oversight: Oversight) -> None:
        self.store, self.mode, self.oversight = store, mode, oversight
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desk")
        self._lock = threading.Lock()
        self._asked: dict[str, Future[Found]] = {}

    def agreement(self) -> Future[Found]:
        """How far those who completed agree."""
        return self._ask("agreement", self._agreement)

    def flags(self) -> Future[Found]:
        """Whom of those who finished to look at again."""
        return self._ask("flags", self._flags)

    def forget(self) -> None:
        """What is kept is out of date: somebody was erased."""
        with self._lock:
            self._asked.clear()

    def close(self) -> None:
        """Take no more questions."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _ask(self, name: str, compute: Callable[[], Found]) -> Future[Found]:
        with self._lock:
            known = self._asked.get(name)
            if known is None or self._old(known):
                known = self._asked[name] = self._pool.submit(compute)
            return known

    def _old(self, known: Future[Found]) -> bool:
        if not known.done():
            return False
        return known.exception() is not None or self.store.clock() - known.result().time > KEPT_SECONDS

    def _agreement(self) -> Found:
        now = self.store.clock()
        found = export.export(self.store, mode=self.mode)
        estimates: Sequence[Estimate] = self.oversight.agreement(self._instruments(), found.ratings)
        return Found(now, len(found.raters), len(found.ratings), estimates)

    def _flags(self) -> Found:
        now = self.store.clock()
        found = export.export(self.store, mode=self.mode, everyone=True)
        raters = [each for each in found.raters if each.traits["state"] == "finished"]
        done = {each.id for each in raters}
        ratings = [each for each in found.ratings if each.rater in done]
        flags: Sequence[Flag] = self.oversight.flags(self._instruments(), raters, ratings)
        return Found(now, len(raters), len(ratings), flags)

    def _instruments(self) -> Sequence[Instrument]:
        with self.store.read() as connection:
            return versions.newest(connection)[1].instruments
