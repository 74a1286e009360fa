"""Sessions in requests: tokens fit their session only."""

from __future__ import annotations

import asyncio
from typing import Any

from empathic.studies.store import Store
from empathic.studies.web.site import Site, csrf_fits, csrf_token


def test_a_form_token_fits_its_own_session_only() -> None:
    assert csrf_fits("session", csrf_token("session"))
    for given in (None, "", "session", csrf_token("other"), csrf_token("session").upper(), "ü"):
        assert not csrf_fits("session", given)


def test_poking_a_site_wakes_its_worker_from_any_thread(store: Store) -> None:
    async def woken() -> bool:
        site = Site(store, loop=asyncio.get_running_loop())
        await asyncio.to_thread(site.poke)
        await asyncio.wait_for(site.wake.wait(), 5)
        return site.wake.is_set()

    assert asyncio.run(woken())
    Site(store).poke()


def test_a_cookie_of_nobody_is_nobody(served: Any) -> None:
    browser = served()()
    browser.client.cookies.set("empathic", "x" * 10_000)
    assert browser.open("/study")
    assert browser.status == 401
