"""Sessions in requests: tokens fit their session only."""

from __future__ import annotations

import asyncio
from typing import Any

from empathic.studies.store import Store
from empathic.studies.web.site import Site


def test_a_form_token_fits_its_own_participant_in_its_own_study_only(store: Store) -> None:
    site, other = Site(store, key=b"one"), Site(store, key=b"two")
    assert site.csrf_fits("anna", site.csrf("anna"))
    for given in (None, "", "anna", site.csrf("ben"), other.csrf("anna"), site.csrf("anna").upper(), "ü"):
        assert not site.csrf_fits("anna", given)


def test_two_studies_on_one_host_have_two_cookies(store: Store) -> None:
    names = {Site(store, key=key, secure=secure).cookie for key in (b"one", b"two") for secure in (True, False)}
    assert len(names) == 4
    assert Site(store, key=b"one", secure=True).cookie.startswith("__Host-")


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
    browser.client.cookies.set(browser.client.app.state.site.cookie, "x" * 10_000)
    assert browser.open("/study")
    assert browser.status == 401
