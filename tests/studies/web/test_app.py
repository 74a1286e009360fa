"""The application: what is served besides pages, and how an unknown address is answered."""

from __future__ import annotations

from typing import Any

import pytest

from empathic import style


def test_the_server_says_that_it_and_its_database_live(served: Any) -> None:
    assert served()().client.get("/health").json() == {"status": "ok"}


def test_the_stylesheet_is_the_shared_one(served: Any) -> None:
    answer = served()().client.get("/static/empathic.css")
    assert answer.headers["content-type"].startswith("text/css")
    assert answer.text == style.css()


@pytest.mark.parametrize("name", ["study.js", "outbox.js", "chat.js", "rank.js", "icon.svg"])
def test_the_modules_of_the_pages_are_served(served: Any, name: str) -> None:
    assert served()().client.get(f"/static/{name}").status_code == 200


def test_an_unknown_address_is_a_page_for_people_and_json_for_programs(served: Any) -> None:
    client = served()().client
    page = client.get("/nothing").text
    assert "There is no such page" in page
    assert "Call 116 123." in page  # where to find help is on every page
    assert client.get("/api/nothing").json() == {"detail": "Not Found"}


def test_a_request_at_the_wrong_moment_is_explained(served: Any) -> None:
    browser = served()()
    browser.begin()
    for _ in range(6):
        browser.step()
    assert "data-code" in browser.page
    answer = browser.client.post("/study/teq", data={"csrf": browser.open("/withdraw") and browser.csrf()})
    assert answer.status_code == 200
    assert "data-code" in answer.text


def test_the_openapi_of_the_json_interface_names_no_page(served: Any) -> None:
    paths = served()().client.app.openapi()["paths"]
    assert set(paths) == {
        "/api/answers",
        "/api/heartbeat",
        "/api/chats/{place}/messages",
        "/api/chats/{place}/events",
    }
