"""What the browser tests share: one browser per file, contexts whose problems are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import ARGUMENTS, CHROMIUM, SCREENS, Person, Study


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Debian's browser; tests that need it are skipped without it."""
    playwright = pytest.importorskip("playwright.sync_api", reason="install empathic[browser] for the browser tests")
    if CHROMIUM is None:
        pytest.skip("no browser: apt-get install chromium")
    with playwright.sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture
def page(chromium: Any, report: Path) -> Iterator[Any]:
    """The test file's `report` in a browser: it may fetch nothing, ask nothing, and leave the console without an error."""
    opened = chromium.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    problems: list[str] = []
    opened.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    opened.on("pageerror", lambda error: problems.append(str(error)))
    opened.on("dialog", lambda dialog: (problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    opened.on(
        "request",
        lambda request: problems.append(request.url) if not request.url.startswith(("file:", "blob:")) else None,
    )
    opened.goto(report.as_uri())
    yield opened
    opened.close()
    assert problems == []


@pytest.fixture
def tolerated() -> list[str]:
    """What a test expects in the console of the browser; everything else there fails it."""
    return []


@pytest.fixture
def context(chromium: Any, tolerated: list[str]) -> Iterator[Callable[..., Any]]:
    """New browsers: nothing of theirs may leave the host or stand in the console as an error."""
    problems: list[str] = []
    opened: list[Any] = []

    def watch(page: Any) -> None:
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: problems.append(str(error)))

    def new(**options: Any) -> Any:
        found = chromium.new_context(
            **{"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **options}
        )
        found.set_default_timeout(20_000)
        found.on("page", watch)
        found.on("request", lambda request: problems.append(request.url) if "//127.0.0.1:" not in request.url else None)
        opened.append(found)
        return found

    yield new
    for each in opened:
        each.close()
    assert [each for each in problems if not any(text in each for text in tolerated)] == []


@pytest.fixture
def someone(context: Callable[..., Any]) -> Callable[..., Person]:
    """A new person with a browser of their own."""

    def come(study: Study, kind: type[Person] = Person, **options: Any) -> Person:
        return kind(study, context(**options).new_page())

    return come


@pytest.fixture(scope="module")
def axe() -> Any:
    return pytest.importorskip("axe_playwright_python.sync_playwright", reason="install empathic[browser]").Axe()


@pytest.fixture(
    params=[SCREENS[::3], pytest.param(SCREENS, marks=pytest.mark.slow)], ids=["two screens", "all screens"]
)
def screens(request: pytest.FixtureRequest) -> list[tuple[int, str]]:
    """A wide light and a narrow dark screen; in the slow tests every width in every scheme."""
    found: list[tuple[int, str]] = request.param
    return found
