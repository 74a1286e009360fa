from __future__ import annotations

import pytest

from empathic.errors import SettingError
from empathic.metrics import engines
from empathic.metrics.scoring import Choice, Plan, deal
from empathic.records import Response

PLAN = Plan(choices=(Choice(asked="length"), Choice(asked="distinct")))
RESPONSES = [Response(id=f"r{n}", system="ab"[n % 2], dialogue="d", turns=(), text=f"word{n} .") for n in range(50)]


def test_a_pool_gives_what_one_process_gives_in_the_same_order() -> None:
    here = list(engines.serial(PLAN, deal(RESPONSES, 7)))
    there = list(engines.pool(PLAN, deal(RESPONSES, 7), workers=2))
    assert [one._replace(rows=None) for one in here] == [one._replace(rows=None) for one in there]
    assert all(one.rows.equals(other.rows) for one, other in zip(here, there, strict=True))


def test_no_more_chunks_are_read_than_the_workers_need() -> None:
    read: list[int] = []

    def chunks():
        for number in range(100):
            read.append(number)
            yield [RESPONSES[number % 50]]

    results = engines.pool(PLAN, chunks(), workers=1)
    next(results)
    assert len(read) <= engines.AHEAD + 1
    results.close()


def test_less_than_one_worker_is_refused() -> None:
    with pytest.raises(SettingError, match="--workers is 0"):
        list(engines.pool(PLAN, [], workers=0))
