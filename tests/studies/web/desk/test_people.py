"""People and transcripts at the desk: found, read, copied, erased; hostile texts stay texts."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sqlalchemy as sa

from empathic.studies import audit, export, participants, schema
from empathic.studies.progress import progress
from empathic.studies.store import Store

both = pytest.mark.parametrize("kind", ["sqlite", "postgresql"], indirect=True)
HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
URL = {"platform": {"kind": "url", "parameter": "id"}}


def chat(browser: Any, text: str) -> None:
    """The first chat of an iEval study: the given message, then one of our own."""
    browser.send("/study/chat-1", action="begin")
    assert "end" in browser.client.get("/api/chats/0/events").text
    browser.open("/study/chat-1")
    browser.send("/study/chat-1", action="say", text=text)
    assert "end" in browser.client.get("/api/chats/0/events").text


@both
def test_everybody_is_listed_with_state_and_outcome_and_without_platform_id(
    seated: Any, store: Store, complete: Any, begin: Any
) -> None:
    _, desk = seated()
    anna, ben = complete(store, "5f3c-anna"), begin(store, "5f3c-ben")
    page = desk.open("/desk/people")
    assert "2 people" in page
    assert f"/desk/people/{anna}" in page
    assert "5f3c" not in page
    page = desk.open("/desk/people?state=active")
    assert f"/desk/people/{ben}" in page
    assert anna not in page
    assert "is at" in desk.open(f"/desk/people/{ben}")
    page = desk.open(f"/desk/people/{anna}")
    assert "<dt>outcome</dt><dd>complete</dd>" in page
    assert "5f3c" not in page
    assert page.count("<td>teq</td>") == 16


@both
def test_somebody_is_found_by_the_platform_s_id_which_stays_out_of_the_address(
    seated: Any, store: Store, complete: Any
) -> None:
    _, desk = seated()
    name = complete(store, "5f3c-anna")
    desk.open("/desk/people")
    desk.send("/desk/people/find", id=" 5f3c-anna ")
    assert desk.path == f"/desk/people/{name}"
    desk.open("/desk/people")
    for unknown in ("nobody", "", "' OR '1'='1", "%", "\x00"):
        desk.send("/desk/people/find", id=unknown)
        assert desk.status == 404
        desk.open("/desk/people")


@both
def test_one_person_can_have_a_copy_of_everything(seated: Any, store: Store, complete: Any) -> None:
    _, desk = seated()
    name = complete(store, "5f3c-anna")
    complete(store, "5f3c-ben")
    desk.open(f"/desk/people/{name}/copy")
    assert desk.answer.headers["content-disposition"] == f'attachment; filename="{name}.json"'
    found = json.loads(desk.page)
    assert found["identity"][0]["pid"] == "5f3c-anna"
    assert "5f3c-ben" not in desk.page
    with store.read() as connection:
        newest = audit.entries(connection)[0]
    assert (newest["what"], newest["detail"], newest["who"]) == ("copy of one person", name, "researcher")


@both
def test_erasing_asks_first_then_leaves_nothing_and_frees_the_place(seated: Any, store: Store, complete: Any) -> None:
    _, desk = seated()
    anna, ben = complete(store, "5f3c-anna"), complete(store, "5f3c-ben")
    assert "cannot be undone" in desk.open(f"/desk/people/{anna}/erase")
    assert progress(store).states == {"finished": 2}, "asking erases nothing"
    assert desk.client.post(f"/desk/people/{anna}/erase", data={"csrf": "0" * 64}).status_code == 403
    assert progress(store).states == {"finished": 2}, "a forged form erases nothing"
    desk.send(f"/desk/people/{anna}/erase")
    assert "erased by the researcher" in desk.page
    found = progress(store)
    assert found.states == {"finished": 1, "withdrawn": 1}
    assert sum(each.finished for each in found.cells) == 1
    with store.read() as connection:
        kept = str([connection.execute(sa.select(each)).all() for each in schema.metadata.tables.values()])
        assert export.exclusion(participants.load(connection, ben)) is None
    assert "5f3c-anna" not in kept
    assert "5f3c-ben" in kept


@both
@pytest.mark.parametrize("path", ["people/{}", "people/{}/copy", "people/{}/erase", "transcripts/{}"])
def test_who_does_not_exist_or_belongs_to_another_mode_is_not_found(
    seated: Any, store: Store, complete: Any, path: str
) -> None:
    _, desk = seated()
    preview = complete(store, "anna", mode="preview")
    for name in ("nobody", preview, "' OR 1=1 --", "%00", "..%2f..", "9" * 30, "-1"):
        desk.open("/desk/" + path.format(name))
        assert desk.status in (404, 422), name
    desk.open("/desk/study")
    token = desk.hidden()["csrf"]
    assert desk.client.post(f"/desk/people/{preview}/erase", data={"csrf": token}).status_code == 404
    assert progress(store, mode="preview").states == {"finished": 1}


@pytest.mark.parametrize(
    "query",
    [
        "people?state=' OR 1=1 --&page=1",
        "people?state=finished'%20UNION%20SELECT%20*%20FROM%20identity--",
        "people?page=9999999999999999999999",
        "people?page=-5&state=%00",
        "people?state=<script>alert(1)</script>",
        "transcripts?bot=' OR 1=1 --&failed=' OR 1=1",
        "transcripts?bot=<script>alert(1)</script>&page=1e9",
    ],
)
def test_sql_and_scripts_in_filters_are_neither(seated: Any, store: Store, complete: Any, query: str) -> None:
    _, desk = seated()
    complete(store, "5f3c-anna")
    page = desk.open(f"/desk/{query}")
    assert desk.status == 200
    assert "5f3c" not in page
    assert "<script>alert" not in page
    assert progress(store).states == {"finished": 1}


@both
def test_a_chat_is_read_with_bot_colour_order_and_what_failed(seated: Any, store: Store, bots: Any) -> None:
    browser, desk = seated("ieval", questions=[], tutorial="")
    person = browser()
    person.start()
    person.send("/study/consent", agree="yes")
    with store.read() as connection:
        seat = json.loads(connection.scalar(sa.select(schema.participant.c.seat)))
    bots[seat["bots"][0]].fail = 0
    chat(person, "It was a long day.")
    bots[seat["bots"][0]].fail = 1
    if seat["bots"][0] != "bob":  # the streaming one does not fail
        person.open("/study/chat-1")
        person.send("/study/chat-1", action="say", text="And nobody called.")
        assert "end" in person.client.get("/api/chats/0/events").text
    listed = desk.open("/desk/transcripts")
    assert "1 chat," in listed
    assert f"bot-{seat['colours'][seat['bots'][0]]}" in listed
    page = desk.open("/desk/transcripts/1")
    assert "It was a long day." in page
    assert "chat 1 of this person" in page
    assert seat["bots"][0] in page
    failed = seat["bots"][0] != "bob"
    assert ("No answer came: the server answered 500" in page) == failed
    assert ("1 chat," in desk.open("/desk/transcripts?failed=1")) == failed
    other = next(bot for bot in seat["bots"] if bot != seat["bots"][0])
    assert "0 chats" in desk.open(f"/desk/transcripts?bot={other}")


@both
def test_hostile_ids_comments_chats_and_titles_are_shown_as_text(seated: Any, store: Store) -> None:
    questions = [{"id": "who", "text": "Who?", "kind": "text"}]
    browser, desk = seated("ieval", questions=questions, tutorial="", title=HOSTILE, **URL)
    person = browser()
    person.start(f"?id={HOSTILE}")
    person.send("/study/consent", agree="yes")
    person.send("/study/about", **{"about.who": HOSTILE + " & more"})
    chat(person, HOSTILE + " & more")
    with store.read() as connection:
        name = connection.scalar(sa.select(schema.participant.c.id))
    paths = ["progress", "people", f"people/{name}", f"people/{name}/erase", "transcripts", "transcripts/1", "exports"]
    pages = []
    for path in (*paths, "study", "history", "login"):
        pages.append(desk.open(f"/desk/{path}"))
        assert desk.status == 200, path
    assert not [page for page in pages if "<script>alert" in page or "<img src=x" in page]
    assert "[id removed] &amp; more" in pages[2], "their own id is blanked where they wrote it"
    assert "[id removed] &amp; more" in pages[5]
    assert "&lt;script&gt;alert(1)" in pages[0]


def test_a_design_without_chats_has_no_link_to_transcripts(seated: Any) -> None:
    _, desk = seated()
    assert 'href="/desk/transcripts"' not in desk.page
    assert "This design has no chats" in desk.open("/desk/transcripts")
