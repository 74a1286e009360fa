"""The researcher's desk in a real browser, on an iEval study taken by simulated people over HTTP."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import Study, barriers

PASSWORD = "violet harbour 9 spoons"
PAGES = ("progress", "agreement", "flags", "people", "transcripts", "exports", "study", "history")


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    folder = tmp_path_factory.mktemp("desk") / "study"
    address = f"sqlite:///{folder}/simulated.db"
    bots = [{"name": name, "system": f"builtin/{name}"} for name in ("eliza", "if-else", "echo")]
    made = Study("ieval", folder, "--mode", "simulated", "--database", address, bots=bots, turns=1)
    command = [sys.executable, "-m", "empathic", "study"]
    take = ["simulate", str(folder), "--n", "4", "--dropout", "0", "--refresh", "0", "--two-tabs", "0", "--json"]
    taken = subprocess.run([*command, *take], check=True, capture_output=True)
    assert json.loads(taken.stdout)["lost"] == 0
    given = {**os.environ, "EMPATHIC_DESK_PASSWORD": PASSWORD}
    subprocess.run([*command, "desk", str(folder), "--database", address], check=True, capture_output=True, env=given)
    made.start()
    yield made
    made.end(signal.SIGINT)


@pytest.fixture
def desk(study: Study, context: Callable[..., Any]) -> Any:
    """A page at the desk, logged in by the keyboard alone."""
    page = context(accept_downloads=True).new_page()
    page.goto(f"{study.address}/desk")
    assert page.url.endswith("/desk/login")
    page.locator("#name").focus()
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    with page.expect_navigation():
        page.keyboard.press("Enter")
    assert page.url.endswith("/desk/progress")
    return page


def wrong(page: Any, axe: Any, screens: list[tuple[int, str]]) -> list[str]:
    """What is wrong with the page for anybody, on every screen."""
    found = []
    for width, scheme in screens:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        found += [f"{page.url} {width} {scheme} {each}" for each in barriers(page, axe)]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            found.append(f"{page.url} {width} scrolls sideways")
    return found


def settled(page: Any, address: str) -> Any:
    """The page, once it has computed what it shows."""
    page.goto(address)
    page.locator("main p[role=status]").wait_for(state="detached", timeout=60_000)
    return page


def test_every_page_is_open_to_everybody_and_fits_every_screen(
    study: Study, desk: Any, axe: Any, screens: list[tuple[int, str]]
) -> None:
    person = desk.goto(f"{study.address}/desk/people") and desk.locator("tbody a").first.get_attribute("href")
    chat = desk.goto(f"{study.address}/desk/transcripts") and desk.locator("tbody th a").first.get_attribute("href")
    paths = [*(f"/desk/{name}" for name in PAGES), person, f"{person}/erase", chat]
    for path in paths:
        settled(desk, study.address + path)
        assert desk.locator("h1").count() == 1, path
        assert wrong(desk, axe, screens) == []
    desk.context.clear_cookies()
    desk.goto(f"{study.address}/desk")
    assert wrong(desk, axe, screens) == []


def test_the_numbers_are_those_of_study_status(study: Study, desk: Any) -> None:
    command = [sys.executable, "-m", "empathic", "study", "status", str(study.folder), "--mode", "simulated", "--json"]
    told = subprocess.run([*command, "--database", study.options[3]], check=True, capture_output=True)
    cells = json.loads(told.stdout)["cells"]
    rows = desk.locator("table").first.locator("tbody tr").all()
    shown = [[cell.inner_text().strip() for cell in row.locator("th, td").all()] for row in rows]
    assert [[row[0], row[1], *map(int, row[2:6])] for row in shown] == [
        [each.get(name, 0) for name in ("condition", "stratum", "finished", "live", "free", "target")] for each in cells
    ]


def test_agreement_and_flags_come_and_a_flagged_person_is_one_click_away(study: Study, desk: Any) -> None:
    settled(desk, f"{study.address}/desk/agreement")
    assert desk.get_by_role("cell", name="Cronbach’s α").count() >= 1
    settled(desk, f"{study.address}/desk/flags")
    card = desk.locator('section[aria-label^="too fast"]')
    with desk.expect_navigation():
        card.locator("a").first.click()
    assert desk.locator("h1").inner_text().startswith("Person ")
    with desk.expect_navigation():
        desk.get_by_role("link", name="Chat 1", exact=True).click()
    assert desk.locator("ol.turns li").count() >= 2


def test_files_are_downloaded_as_the_command_writes_them(study: Study, desk: Any) -> None:
    desk.goto(f"{study.address}/desk/exports")
    with desk.expect_download() as download:
        desk.get_by_role("link", name="download ratings.csv", exact=True).click()
    rows = list(csv.DictReader(io.StringIO(Path(download.value.path()).read_text())))
    complete = study_rows(study, "SELECT count(*) FROM participant WHERE outcome = 'complete'")[0][0]
    assert len({row["rater"] for row in rows}) == complete > 0
    assert len(rows) == complete * 2 * 3 * (9 + 1)


def study_rows(study: Study, query: str) -> list[tuple[Any, ...]]:
    base = sqlite3.connect(study.folder / "simulated.db")
    try:
        return base.execute(query).fetchall()
    finally:
        base.close()


def test_pausing_is_seen_by_whoever_comes_then(study: Study, desk: Any, context: Callable[..., Any]) -> None:
    desk.goto(f"{study.address}/desk/study")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Pause the study").click()
    assert "paused" in desk.locator("main").inner_text()
    late = context().new_page()
    late.goto(study.address)
    assert "paused at the moment" in late.locator("main").inner_text()
    assert late.get_by_role("button").count() == 0
    with desk.expect_navigation():
        desk.get_by_role("button", name="Resume the study").click()
    late.goto(study.address)
    assert late.get_by_role("button", name="Start").count() == 1


def test_one_person_is_erased_after_a_question_and_the_history_says_who_did_it(study: Study, desk: Any) -> None:
    before = study_rows(study, "SELECT count(*) FROM participant WHERE state = 'withdrawn'")[0][0]
    desk.goto(f"{study.address}/desk/people?state=finished")
    name = desk.locator("tbody a").first.inner_text()
    with desk.expect_navigation():
        desk.locator("tbody a").first.click()
    with desk.expect_navigation():
        desk.get_by_role("link", name="Erase this person …").click()
    with desk.expect_navigation():
        desk.get_by_role("link", name="Keep").click()
    assert study_rows(study, "SELECT count(*) FROM participant WHERE state = 'withdrawn'")[0][0] == before
    desk.goto(f"{study.address}/desk/people/{name}/erase")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Erase everything").click()
    assert "erased by the researcher" in desk.locator("main").inner_text()
    assert study_rows(study, f"SELECT count(*) FROM answer WHERE participant = '{name}'") == [(0,)]
    desk.goto(f"{study.address}/desk/history")
    first = [cell.inner_text() for cell in desk.locator("tbody tr").first.locator("td").all()]
    assert first[1:] == ["researcher", "erase", name]


def test_after_the_logout_the_back_button_shows_nothing_any_more(study: Study, desk: Any) -> None:
    desk.goto(f"{study.address}/desk/people")
    with desk.expect_navigation():
        desk.get_by_role("button", name="Log out").click()
    assert desk.url.endswith("/desk/login")
    desk.go_back()
    desk.wait_for_url("**/desk/login")
    assert desk.locator("tbody").count() == 0
