"""Security of the pages: headers, forged requests, planted sessions, hostile texts and files."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa
from starlette.datastructures import Headers

from empathic.studies import schema
from empathic.studies.store import Store
from empathic.studies.web.security import LARGEST_BODY, from_here

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)>'


@pytest.mark.parametrize("path", ["/", "/study", "/static/study.js", "/static/empathic.css", "/nothing", "/api/x"])
def test_every_answer_has_the_strict_headers(served: Any, path: str) -> None:
    headers = served()().client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert ("no-store" in headers.get("cache-control", "")) == (not path.startswith("/static/"))


def test_no_page_loads_anything_from_elsewhere_or_runs_inline_code(served: Any) -> None:
    browser = served()()
    browser.begin()
    for _ in range(6):
        text = browser.page
        assert "http://" not in text.replace("http://www.w3.org", "")
        assert "https://" not in text
        assert "<script>" not in text
        assert " style=" not in text
        assert " onclick" not in text
        browser.step()


@pytest.mark.parametrize(
    ("headers", "ours"),
    [
        ({}, True),
        ({"origin": "http://study.example", "host": "study.example"}, True),
        ({"origin": "https://evil.example", "host": "study.example"}, False),
        ({"origin": "null", "host": "study.example"}, False),
        ({"sec-fetch-site": "cross-site", "host": "study.example"}, False),
        ({"sec-fetch-site": "same-site", "host": "study.example"}, False),
        ({"sec-fetch-site": "same-origin", "host": "study.example"}, True),
        ({"sec-fetch-site": "same-origin", "origin": "https://study.example", "host": "127.0.0.1:8000"}, True),
    ],
)
def test_a_request_of_another_site_is_told_from_ours(headers: dict[str, str], ours: bool) -> None:
    assert from_here(Headers(headers)) is ours


def test_a_forged_form_changes_nothing(served: Any, store: Store) -> None:
    browser = served()()
    browser.start()
    for path in ("/study/consent", "/withdraw", "/study/about", "/study/finish"):
        for data in ({"agree": "yes"}, {"agree": "yes", "csrf": "0" * 64}):
            assert browser.client.post(path, data=data).status_code == 403
        token = {"csrf": browser.csrf(), "agree": "yes"}
        cross = browser.client.post(path, data=token, headers={"Origin": "https://evil.example"})
        assert cross.status_code == 403
    with store.read() as connection:
        assert connection.scalar(sa.select(schema.participant.c.state)) == "invited"


def test_a_planted_session_is_not_taken_up(served: Any) -> None:
    browser = served()()
    name = browser.client.app.state.site.cookie
    browser.client.cookies.set(name, "planted-by-somebody", domain="testserver.local")
    browser.start()
    assert [cookie.value for cookie in browser.client.cookies.jar if cookie.name == name] != ["planted-by-somebody"]
    assert browser.title() == "Your consent"
    first = browser.answer.history[0].headers["set-cookie"]
    assert "HttpOnly" in first
    assert "SameSite=lax" in first
    assert "Secure" not in first


def test_over_https_the_cookie_is_sent_over_nothing_else(served: Any) -> None:
    browser = served(secure=True)()
    browser.open("/")
    answer = browser.client.post("/start", data=browser.hidden(), follow_redirects=False)
    assert "Secure" in answer.headers["set-cookie"]


def test_every_entry_gets_a_new_session(served: Any) -> None:
    browser = served(platform={"kind": "url", "parameter": "id"})()
    tokens = set()
    for _ in range(3):
        browser.open("/?id=anna")
        answer = browser.client.post("/start", data={"id": "anna"}, follow_redirects=False)
        tokens.add(answer.headers["set-cookie"].split(";")[0])
    assert len(tokens) == 3


def test_hostile_texts_of_study_files_ids_and_people_are_shown_as_text(served: Any) -> None:
    hostile = {"title": HOSTILE, "description": HOSTILE, "tutorial": HOSTILE, "help": HOSTILE, "debrief": HOSTILE}
    browser = served(platform={"kind": "url", "parameter": "id"}, **hostile)()
    pages = [browser.open(f"/?id={HOSTILE}")]
    browser.send("/start")
    pages.append(browser.page)
    browser.send("/study/consent", agree="yes")
    browser.send("/study/about", **{"about.gender": HOSTILE, "about.age": HOSTILE})
    pages.append(browser.page)
    browser.send("/study/about", **{"about.gender": "female", "about.age": "30"})
    for _ in range(8):
        pages.append(browser.page)
        if "data-code" in browser.page:
            break
        if browser.title() == "Your comment":
            browser.send("/study/comment", comment=HOSTILE)
            pages.append(browser.open("/study/comment"))
            browser.open("/study")
        else:
            browser.step()
    assert any("&lt;script&gt;" in page for page in pages)
    assert not [page for page in pages if "<script>alert" in page or "<img src=x" in page]


def test_hostile_chat_text_is_shown_as_text(served: Any) -> None:
    import time

    browser = served("ieval", questions=[], tutorial="")()
    browser.start()
    browser.send("/study/consent", agree="yes")
    browser.send("/study/chat-1", action="begin")
    for _ in range(100):
        if 'data-waiting="no"' in browser.open("/study/chat-1"):
            break
        time.sleep(0.02)
    browser.send("/study/chat-1", action="say", text=HOSTILE)
    assert "&lt;script&gt;alert(1)" in browser.page
    assert "<script>alert" not in browser.page


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static/....//app.py",
        "/static//etc/passwd",
        "/study/..%2f..%2fetc%2fpasswd",
        "/openapi.json",
        "/docs",
        "/redoc",
        "/study.db",
        "/files",
    ],
)
def test_no_path_leads_to_a_file_or_a_description_of_the_server(served: Any, path: str) -> None:
    answer = served()().client.get(path)
    assert answer.status_code in (401, 404)
    assert "root:" not in answer.text
    assert "import" not in answer.text


def test_sql_in_every_place_a_text_can_come_from_stays_text(served: Any, store: Store) -> None:
    attack = "x'; DROP TABLE answer; --"
    browser = served(platform={"kind": "url", "parameter": "id"})()
    browser.begin(f"?id={attack}")
    browser.client.cookies.set("other", attack)
    browser.api("/api/answers", {"key": "0123456789", "answers": {attack: attack}})
    browser.open(f"/study/{attack}")
    with store.read() as connection:
        assert connection.scalar(sa.select(schema.identity.c.pid)) == attack
        assert connection.execute(sa.select(schema.answer)).first() is not None


def test_an_oversized_body_is_refused_before_it_is_read(served: Any) -> None:
    browser = served()()
    browser.start()
    big = "x" * (LARGEST_BODY + 1)
    assert browser.client.post("/study/consent", data={"csrf": big}).status_code == 413
    assert browser.client.post("/api/answers", content=big).status_code == 413

    form = {"Content-Type": "application/x-www-form-urlencoded"}

    def endless() -> Any:
        for _ in range(LARGEST_BODY // 1000 + 2):
            yield b"y" * 1000

    assert browser.client.post("/study/consent", content=endless(), headers=form).status_code == 413


def test_a_form_with_a_file_or_too_many_fields_is_refused(served: Any) -> None:
    browser = served()()
    browser.start()
    token = {"csrf": browser.csrf()}
    files = {"agree": ("x.txt", b"yes")}
    assert browser.client.post("/study/consent", data=token, files=files).status_code == 400
    many = {**token, **{f"f{number}": "1" for number in range(600)}}
    assert browser.client.post("/study/consent", data=many).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        b'{"key":"0123456789","answers":{},"time":NaN}',
        b'{"key":"0123456789","answers":{"about.age":NaN}}',
        b'{"key":"0123456789","answers":{"about.age":1e999}}',
        b'{"key":"0123456789","answers":{"\\ud800":"\\udfff"}}',
        b'{"key":"\\ud800\\ud800\\ud800\\ud800\\ud800","answers":{}}',
        b'{"key":"0123456789","answers":{"about.gender":"\\u0000"}}',
        b'{"key":"0123456789","answers":{"about.gender":"female","about.gender":"male"}}',
        b"[" * 100_000,
        b"\xff\xfe",
        b"",
    ],
)
def test_no_json_however_strange_is_a_server_error(served: Any, body: bytes) -> None:
    browser = served()()
    browser.start()
    browser.send("/study/consent", agree="yes")
    headers = {"X-CSRF-Token": browser.csrf(), "Content-Type": "application/json"}
    for path in ("/api/answers", "/api/heartbeat", "/api/chats/0/messages"):
        assert browser.client.post(path, content=body, headers=headers).status_code < 500


@pytest.mark.parametrize("body", [b"csrf=%ff%fe", b"csrf=\xff\xfe", b"%00=%00", b"&&&===", b"csrf=%ed%a0%80", b"csrf"])
def test_no_form_however_strange_is_a_server_error(served: Any, body: bytes) -> None:
    browser = served(platform={"kind": "url", "parameter": "id"})()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    for extra in (b"", b"&id=%ed%a0%80", b"&id=a%00b"):
        assert browser.client.post("/start", content=body + extra, headers=headers).status_code < 500
    browser.start("?id=anna")
    for path in ("/study/consent", "/study/about", "/study/finish", "/withdraw"):
        assert browser.client.post(path, content=body, headers=headers).status_code < 500


def test_a_nul_is_left_out_and_half_an_emoji_refused(served: Any) -> None:
    browser = served("ieval", questions=[], tutorial="")()
    browser.start()
    browser.send("/study/consent", agree="yes")
    browser.send("/study/chat-1", action="begin")
    text = browser.client.get("/api/chats/0/events").text
    assert "end" in text
    headers = {"X-CSRF-Token": browser.csrf(), "Content-Type": "application/json"}
    for text, status in ((b"half \\ud83d", 422), (b"nul \\u0000.", 200)):
        content = b'{"key":"0123456789","text":"' + text + b'"}'
        assert browser.client.post("/api/chats/0/messages", content=content, headers=headers).status_code == status
    assert "nul ." in browser.open("/study/chat-1")
