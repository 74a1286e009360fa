"""Progress, pause and close at the desk: the numbers of the database, and what participants then see."""

from __future__ import annotations

import re
from typing import Any

import pytest

from empathic.studies.progress import progress
from empathic.studies.store import Store

both = pytest.mark.parametrize("kind", ["sqlite", "postgresql"], indirect=True)
URL = {"platform": {"kind": "url", "parameter": "id"}}


def cells(page: str) -> list[list[str]]:
    """The rows of the first table, as texts."""
    table = page.split("<tbody>")[1].split("</tbody>")[0]
    strip = re.compile(r"<[^>]+>")
    return [
        [strip.sub("", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]
        for row in table.split("<tr>")[1:]
    ]


@both
def test_the_cells_show_the_numbers_of_study_status(seated: Any, store: Store, complete: Any, begin: Any) -> None:
    _, desk = seated(count=8, balance={"gender": ["female", "male"]})
    complete(store, "a", gender="female")
    complete(store, "b", gender="male")
    begin(store, "c", gender="male")
    complete(store, "preview", gender="male", mode="preview")
    found = progress(store)
    desk.open("/desk/progress")
    shown = [[row[0], row[1], *map(int, row[2:6])] for row in cells(desk.page)]
    assert shown == [
        [each.condition, each.stratum, each.finished, each.live, each.free, each.target] for each in found.cells
    ]
    assert sum(row[2] for row in shown) == 2
    assert "<dd>2 <span" in desk.page


@both
def test_a_projected_finish_appears_when_there_is_a_rate(seated: Any, store: Store, complete: Any, clock: Any) -> None:
    _, desk = seated(count=40)
    assert "can’t tell yet" in desk.open("/desk/progress")
    for number in range(8):
        clock.now += 600
        complete(store, f"p{number}")
    desk.client.cookies.clear()
    desk.open("/desk/login")
    desk.send("/desk/login", name="researcher", password="violet harbour 9 spoons")
    assert "6.0 an hour" in desk.page
    # 40 places − 8 = 32 left at 6 an hour: 5 h 20 min after 23:33:20
    assert "full at about</dt><dd>15 Nov 04:53" in desk.page
    assert "8 of 40 have finished" in desk.page


def test_a_lease_that_ran_out_is_shown_as_free(seated: Any, store: Store, begin: Any, clock: Any) -> None:
    _, desk = seated(lease_minutes=30.0)
    begin(store, "a")
    assert sum(each.live for each in progress(store).cells) == 1
    clock.now += 31 * 60
    found = progress(store)
    assert sum(each.live for each in found.cells) == 0
    assert sum(each.free for each in found.conditions) == sum(each.places for each in found.conditions)
    assert "<dt>at it now</dt><dd>0</dd>" in desk.open("/desk/progress")


@both
def test_paused_nobody_new_may_start_and_whoever_has_started_finishes(seated: Any, store: Store) -> None:
    browser, desk = seated(**URL)
    inside, consenting, late = browser(), browser(), browser()
    inside.begin("?id=anna")
    consenting.start("?id=ben")
    desk.open("/desk/study")
    desk.send("/desk/study", status="paused")
    assert "The study is <strong>paused</strong>" in desk.page
    late.start("?id=late")
    assert "paused at the moment" in late.page
    assert "Start" not in late.page.split("<main")[1].split("</main>")[0]
    consenting.send("/study/consent", agree="yes")
    consenting.send("/study/about", **{"about.gender": "female", "about.age": 30})
    again = browser()
    again.start("?id=anna")
    assert again.path == "/study"
    for person in (inside, consenting):
        for _ in range(12):
            if "data-code" in person.page:
                break
            person.step()
        assert "DONE-1" in person.page
    assert progress(store).outcomes == {"complete": 2}
    desk.send("/desk/study", status="open")
    late.start("?id=late")
    assert late.path == "/study"


@both
def test_closed_who_has_a_place_finishes_and_who_has_none_gets_the_code_for_it(seated: Any, store: Store) -> None:
    browser, desk = seated(**URL)
    inside, consenting = browser(), browser()
    inside.begin("?id=anna")
    consenting.start("?id=ben")
    desk.open("/desk/study")
    desk.send("/desk/study", status="closed")
    assert "The study has ended" in browser().open("/?id=late")
    consenting.send("/study/consent", agree="yes")
    consenting.send("/study/about", **{"about.gender": "female", "about.age": 30})
    assert "The study has ended" in consenting.page
    assert "FULL-2" in consenting.page
    for _ in range(12):
        if "data-code" in inside.page:
            break
        inside.step()
    assert "DONE-1" in inside.page
    assert progress(store).outcomes == {"complete": 1, "screened_out": 1}
    assert "the study is closed" in desk.open("/desk/progress")


def test_a_state_that_does_not_exist_changes_nothing(seated: Any) -> None:
    _, desk = seated()
    desk.open("/desk/study")
    desk.send("/desk/study", status="gone'; DROP TABLE setting; --")
    assert "The study is <strong>open</strong>" in desk.page


@both
def test_the_history_tells_who_did_what(seated: Any) -> None:
    _, desk = seated()
    desk.open("/desk/study")
    desk.send("/desk/study", status="paused")
    rows = cells(desk.open("/desk/history"))
    assert [row[1:] for row in rows] == [
        ["researcher", "status", "paused"],
        ["researcher", "login", ""],
        ["–", "account", "researcher"],
    ]


def test_pages_of_the_desk_run_no_script_and_load_nothing_from_elsewhere(seated: Any) -> None:
    _, desk = seated()
    for path in ("progress", "study", "history"):
        page = desk.open(f"/desk/{path}")
        assert "<script" not in page
        assert " style=" not in page
        assert "http://" not in page
        assert "https://" not in page
        policy = desk.answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert desk.answer.headers["cache-control"] == "no-store"
