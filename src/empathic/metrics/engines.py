"""A function and a stream of chunks become its results in the order of the chunks: here, in processes, or on Dask."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from typing import Any

import msgspec

from empathic import parts
from empathic.errors import ServiceError, SettingError
from empathic.metrics.scoring import Plan, Scored, score_chunk, score_encoded
from empathic.records import Response

PATIENCE = "10s"  # for a scheduler to answer
AHEAD = 2  # chunks under way per worker: keeps all busy, bounds memory
Chunks = Iterable[Sequence[Response]]


def serial(plan: Plan, chunks: Chunks) -> Iterator[Scored]:
    """In this process."""
    return (score_chunk(plan, chunk) for chunk in chunks)


def pool(plan: Plan, chunks: Chunks, workers: int) -> Iterator[Scored]:
    """In `workers` processes of this machine."""
    if workers < 1:
        raise SettingError(f"--workers is {workers}, at least 1 is needed.")
    context = multiprocessing.get_context("spawn")  # a fork of a process with threads can hang
    with ProcessPoolExecutor(workers, mp_context=context) as executor:
        try:
            score = partial(score_encoded, plan)
            yield from _in_order(partial(executor.submit, score), map(msgspec.msgpack.encode, chunks), AHEAD * workers)
        except BaseException:
            executor.shutdown(wait=False, cancel_futures=True)
            raise


def dask(plan: Plan, chunks: Chunks, scheduler: str) -> Iterator[Scored]:
    """On the workers of a Dask scheduler, wherever they are."""
    distributed = parts.need("distributed")
    try:
        client = distributed.Client(scheduler, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise ServiceError(
            f"No Dask scheduler answers at '{scheduler}': {error}. Start one with `dask scheduler`, give its address."
        ) from error
    with client:
        workers = max(1, len(client.scheduler_info(n_workers=-1)["workers"]))
        score = partial(score_encoded, plan)
        yield from _in_order(
            partial(client.submit, score, pure=False), map(msgspec.msgpack.encode, chunks), AHEAD * workers
        )


def _in_order(submit: Callable[[bytes], Any], chunks: Iterable[bytes], ahead: int) -> Iterator[Scored]:
    """Submit at most `ahead` chunks before the first result is taken."""
    under_way: deque[Future[Scored]] = deque()
    for chunk in chunks:
        under_way.append(submit(chunk))
        if len(under_way) >= ahead:
            yield under_way.popleft().result()
    while under_way:
        yield under_way.popleft().result()
