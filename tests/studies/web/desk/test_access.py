"""The door of the desk: no page without login, no form without its token, no planted session, no endless guessing."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from fastapi.routing import APIRoute
from starlette.routing import BaseRoute

from empathic.studies import schema
from empathic.studies.desk import accounts
from empathic.studies.store import Store
from empathic.studies.web.security import LARGEST_BODY

both = pytest.mark.parametrize("kind", ["sqlite", "postgresql"], indirect=True)
OPEN = {("GET", "/desk/login"), ("POST", "/desk/login")}


def desk_routes(app: Any) -> set[tuple[str, str]]:
    """Every route under /desk, however deeply routers are nested."""

    def walk(routes: list[BaseRoute], prefix: str = "") -> Any:
        for route in routes:
            inner = getattr(route, "original_router", None) or getattr(route, "router", None)
            if isinstance(route, APIRoute):
                yield from ((method, route.path) for method in route.methods)
            elif inner is not None:
                yield from walk(inner.routes, prefix)

    return {(method, path) for method, path in walk(app.routes) if path.startswith("/desk")}


def filled(path: str) -> str:
    return path.replace("{name}", "0123456789abcdef").replace("{number}", "1").replace("{file}", "ratings.csv")


@both
def test_no_page_of_the_desk_is_shown_and_nothing_is_done_without_login(
    served: Any, store: Store, complete: Any
) -> None:
    browser = served()
    accounts.set_password(store, "violet harbour 9 spoons")
    name = complete(store, "anna")
    stranger = browser()
    routes = desk_routes(stranger.client.app)
    assert len(routes) == 20, sorted(routes)
    assert routes >= OPEN
    for method, path in sorted(routes - OPEN):
        for cookie in (None, "x" * 43):
            stranger.client.cookies.clear()
            if cookie:
                stranger.client.cookies.set(f"{stranger.client.app.state.site.cookie}-desk", cookie)
            where = filled(path).replace("0123456789abcdef", name)
            answer = stranger.client.request(method, where, data={"status": "closed"}, follow_redirects=False)
            assert (answer.status_code, answer.headers.get("location")) == (303, "/desk/login"), (method, path)
            assert name not in answer.text
    with store.read() as connection:
        assert [row.what for row in connection.execute(sa.select(schema.audit))] == ["account"]
        assert connection.scalar(sa.select(schema.participant.c.state)) == "finished"


@both
def test_a_participant_s_session_is_none_at_the_desk_and_the_other_way_round(seated: Any) -> None:
    browser, desk = seated()
    person = browser()
    person.begin()
    assert person.open("/desk/progress")
    assert person.path == "/desk/login"
    assert desk.open("/study")
    assert desk.status == 401


def test_wrong_name_and_wrong_password_are_told_alike(seated: Any, log_in: Any) -> None:
    browser, _ = seated()
    pages = []
    for name, password in (("researcher", "wrong"), ("nobody", "violet harbour 9 spoons")):
        stranger = log_in(browser(), name, password)
        assert stranger.status == 403
        assert "do not fit" in stranger.page
        pages.append(stranger.page.replace(stranger.hidden()["csrf"], ""))
    assert pages[0] == pages[1]


def test_the_login_gives_a_token_that_nobody_could_have_planted(served: Any, store: Store) -> None:
    browser = served()
    accounts.set_password(store, "violet harbour 9 spoons")
    desk = browser()
    name = f"{desk.client.app.state.site.cookie}-desk"
    desk.client.cookies.set(name, "planted" * 6)
    desk.open("/desk/login")
    before = desk.client.cookies.get(f"{name}-login".replace("-desk-login", "-login"), "")
    fields = {**desk.hidden(), "name": "researcher", "password": "violet harbour 9 spoons"}
    answer = desk.client.post("/desk/login", data=fields, follow_redirects=False)
    given = [line for line in answer.headers.get_list("set-cookie") if line.startswith(f"{name}=")]
    assert len(given) == 1
    token = given[0].split(";")[0].split("=")[1]
    assert token not in ("planted" * 6, before, "")
    for word in ("HttpOnly", "SameSite=strict", "Path=/"):
        assert word in given[0]
    assert "Secure" not in given[0]
    planted = browser()
    planted.client.cookies.set(name, "planted" * 6)
    planted.open("/desk/progress")
    assert planted.path == "/desk/login"


def test_over_https_the_desk_s_cookies_go_over_nothing_else(served: Any) -> None:
    answer = served(secure=True)().client.get("/desk/login")
    assert answer.headers["set-cookie"].startswith("__Host-")
    assert "Secure" in answer.headers["set-cookie"]


@both
def test_a_form_without_the_token_or_with_another_s_is_refused(seated: Any, store: Store, log_in: Any) -> None:
    browser, desk = seated()
    other = log_in(browser())
    other.open("/desk/study")
    theirs = other.hidden()["csrf"]
    for path, fields in (("/desk/study", {"status": "closed"}), ("/desk/logout", {})):
        for token in ({}, {"csrf": ""}, {"csrf": "0" * 64}, {"csrf": theirs}):
            answer = desk.client.post(path, data={**fields, **token})
            assert answer.status_code == 403, (path, token)
    desk.open("/desk/study")
    assert "The study is <strong>open</strong>" in desk.page


def test_the_login_form_needs_its_token_and_comes_from_here(served: Any, store: Store) -> None:
    browser = served()
    accounts.set_password(store, "violet harbour 9 spoons")
    fields = {"name": "researcher", "password": "violet harbour 9 spoons"}
    desk = browser()
    assert desk.client.post("/desk/login", data=fields).status_code == 403
    desk.open("/desk/login")
    assert desk.client.post("/desk/login", data={**fields, "csrf": "0" * 64}).status_code == 403
    token = desk.hidden()
    foreign = {"Origin": "https://evil.example"}
    assert desk.client.post("/desk/login", data={**fields, **token}, headers=foreign).status_code == 403
    with store.read() as connection:
        assert connection.execute(sa.select(schema.desk_session)).first() is None


@both
def test_guessing_ends_after_a_few_attempts_and_says_how_long(seated: Any, log_in: Any) -> None:
    browser, desk = seated()
    stranger = browser()
    for _ in range(accounts.MOST_FAILED):
        log_in(stranger, password="wrong")
    log_in(stranger)
    assert stranger.status == 429
    assert 0 < int(stranger.answer.headers["retry-after"]) <= accounts.WINDOW_SECONDS
    assert "Try again in 15 minutes" in stranger.page
    assert desk.open("/desk/progress")
    assert desk.title() == "Progress", "who is in stays in"


def test_after_the_logout_the_old_cookie_opens_nothing(seated: Any) -> None:
    _, desk = seated()
    kept = dict(desk.client.cookies)
    desk.send("/desk/logout")
    assert desk.path == "/desk/login"
    for name, value in kept.items():
        desk.client.cookies.set(name, value)
    desk.open("/desk/progress")
    assert desk.path == "/desk/login"


def test_a_session_ends_after_its_hours(seated: Any, clock: Any) -> None:
    _, desk = seated()
    clock.now += accounts.SESSION_SECONDS + 1
    desk.open("/desk/progress")
    assert desk.path == "/desk/login"


def test_without_a_password_the_desk_says_what_to_type(served: Any) -> None:
    desk = served()()
    assert "empathic study desk DIR" in desk.open("/desk/login")
    assert 'type="password"' not in desk.page
    fields = {**desk.hidden(), "name": "researcher", "password": ""}
    assert desk.client.post("/desk/login", data=fields).status_code == 403


@pytest.mark.parametrize("field", ["name", "password", "csrf"])
def test_hostile_and_huge_fields_of_the_login_are_no_server_error(seated: Any, field: str) -> None:
    browser, _ = seated()
    stranger = browser()
    for hostile in (
        "' OR 1=1 --",
        '"><script>alert(1)</script>',
        "\x00",
        "x" * 200_000,
        "\ud800".encode("utf-8", "replace"),
    ):
        stranger.open("/desk/login")
        stranger.send("/desk/login", **{"name": "a", "password": "b", field: hostile})
        assert stranger.status in (403, 429)
        assert "<script>alert" not in stranger.page
    big = {"password": "x" * (LARGEST_BODY + 1)}
    assert stranger.client.post("/desk/login", data=big).status_code == 413
    assert stranger.client.post("/desk/logout", data=big).status_code in (303, 413)


@pytest.mark.parametrize("value", ["=x=", "x" * 3000, "a b", "a%0d%0aSet-Cookie: evil=1", '"quoted"', "ü", "a,b"])
def test_a_login_cookie_that_is_not_ours_is_replaced_and_never_sent_back(served: Any, value: str) -> None:
    client = served()().client
    name = f"{client.app.state.site.cookie}-login"
    answer = client.get("/desk/login", headers={"Cookie": f"{name}={value}".encode("latin-1")})
    assert answer.status_code == 200
    assert value not in answer.headers["set-cookie"]
    assert "evil" not in answer.headers["set-cookie"]
