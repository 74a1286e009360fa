from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from empathic.errors import ServiceError, SettingError
from empathic.metrics import engines
from empathic.metrics.run import SUMMARY, TABLE, score
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


@pytest.fixture(scope="module")
def scheduler():
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_gives_what_one_process_gives_in_the_same_order(scheduler: str) -> None:
    here = list(engines.serial(PLAN, deal(RESPONSES, 7)))
    there = list(engines.dask(PLAN, deal(RESPONSES, 7), scheduler))
    assert [one._replace(rows=None) for one in here] == [one._replace(rows=None) for one in there]
    assert all(one.rows.equals(other.rows) for one, other in zip(here, there, strict=True))


@pytest.mark.filterwarnings("default")
def test_the_bytes_written_on_a_dask_cluster_are_those_written_here(scheduler: str, tmp_path: Path) -> None:
    score(RESPONSES, PLAN, tmp_path / "here")
    score(RESPONSES, PLAN, tmp_path / "there", engine=partial(engines.dask, scheduler=scheduler))
    for name in (TABLE, SUMMARY):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


@pytest.mark.filterwarnings("default")
def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(engines, "PATIENCE", "1s")
    with pytest.raises(ServiceError, match="No Dask scheduler answers at 'tcp://127.0.0.1:9'"):
        list(engines.dask(PLAN, [RESPONSES[:1]], "tcp://127.0.0.1:9"))
