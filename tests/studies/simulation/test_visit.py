"""What one person does on a page."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from empathic.errors import ServiceError
from empathic.studies import events, schema
from empathic.studies.simulation import crowd
from empathic.studies.simulation.browser import Browser, Network
from empathic.studies.simulation.ledger import Ledger
from empathic.studies.simulation.people import Behaviour, rng_of, somebody
from empathic.studies.simulation.visit import Visit
from empathic.studies.versions import newest


def taken(served: Any, behaviour: Behaviour) -> Ledger:
    return asyncio.run(crowd.take(served.address, served.store, behaviour, crowd.Crowd(1)))


def test_a_browser_with_scripts_saves_every_click_and_the_last_one_counts(live: Callable[..., Any]) -> None:
    served = live()
    noted = taken(served, Behaviour(seed=4, dropout=0.0, autosave=1.0))
    with served.store.read() as connection:
        (owner,) = noted.codes
        kept = connection.scalar(sa.select(sa.func.count()).where(schema.event.c.participant == owner))
        assert len(noted.keys) > 20
        assert kept > len(noted.keys)
        assert events.broken_links(connection, owner) == []


def test_an_inattentive_person_fails_the_checks(live: Callable[..., Any]) -> None:
    checks = [{"id": f"c{place}", "page": place, "expect": 1, "text": "Choose Bad."} for place in (0, 1)]
    attentive = taken(live(checks=checks), Behaviour(seed=4, dropout=0.0, attention=1.0))
    assert list(attentive.codes.values()) == ["DONE-1"]
    careless = taken(live(checks=checks), Behaviour(seed=6, dropout=0.0, attention=0.0))
    assert list(careless.codes.values()) == ["CHECK-3"]


def test_a_link_that_leads_nowhere_is_told(live: Callable[..., Any]) -> None:
    served = live(platform={"kind": "prolific"})

    async def enter() -> None:
        with served.store.read() as connection:
            _, plan = newest(connection)
        behaviour, ledger = Behaviour(seed=1), Ledger()
        async with Browser(served.address, Network(), ledger, rng_of(1)) as browser:
            who = somebody(0, behaviour, plan.study.balance)
            await Visit(who, browser, plan.study, behaviour, ledger, lambda _: {}).enter("/?PROLIFIC_PID=")

    with pytest.raises(ServiceError, match="does not lead into the study"):
        asyncio.run(enter())
