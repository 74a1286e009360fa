"""A browser sends again until it is answered, whatever the network does."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest

from empathic.errors import ServiceError
from empathic.studies.simulation import browser
from empathic.studies.simulation.browser import Browser, Network
from empathic.studies.simulation.ledger import Ledger


async def pages(address: str, network: Network, ledger: Ledger, count: int) -> list[int]:
    async with Browser(address, network, ledger, random.Random(1)) as made:
        return [(await made.get("/")).status for _ in range(count)]


def test_lost_and_doubled_requests_end_in_an_answer(live: Callable[..., Any]) -> None:
    ledger = Ledger()
    assert asyncio.run(pages(live().address, Network(lost=0.3, doubled=0.3), ledger, 20)) == [200] * 20
    assert ledger.faults > 5
    assert ledger.requests > 20


def test_on_a_good_network_nothing_is_sent_twice(live: Callable[..., Any]) -> None:
    ledger = Ledger()
    asyncio.run(pages(live().address, Network(), ledger, 5))
    assert (ledger.requests, ledger.faults) == (5, 0)


def test_a_server_that_never_answers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser, "PATIENCE_SECONDS", 0.2)
    with pytest.raises(ServiceError, match="not answered within 0.2 s"):
        asyncio.run(pages("http://127.0.0.1:9", Network(), Ledger(), 1))
