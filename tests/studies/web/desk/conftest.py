"""A study that is served, with a researcher at the desk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from empathic.studies.desk import accounts, passwords
from empathic.studies.store import Store

PASSWORD = "violet harbour 9 spoons"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(passwords, "N", 2**4)


@pytest.fixture
def log_in() -> Callable[[Any], Any]:
    """A browser goes through the login form."""

    def through(browser: Any, name: str = "researcher", password: str = PASSWORD) -> Any:
        browser.open("/desk/login")
        browser.send("/desk/login", name=name, password=password)
        return browser

    return through


@pytest.fixture
def seated(
    served: Callable[..., Any], store: Store, log_in: Callable[[Any], Any]
) -> Callable[..., tuple[Callable[[], Any], Any]]:
    """Serves a study: gives a maker of browsers, and one that is logged in at the desk."""

    def sit(design: str = "between", **options: Any) -> tuple[Callable[[], Any], Any]:
        browser = served(design, **options)
        accounts.set_password(store, PASSWORD)
        desk = log_in(browser())
        assert desk.title() == "Progress", desk.page
        return browser, desk

    return sit
