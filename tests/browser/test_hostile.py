"""Hostile texts and hostile sites in a real browser: nothing of theirs runs, nothing of theirs is stored."""

from __future__ import annotations

import http.server
import json
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from browsing import Person, Study

HOSTILE = (
    "<script>window.hit=1</script><img src=x onerror=window.hit=1><svg onload=window.hit=1>"
    '\'"><a href="javascript:window.hit=1">x</a></textarea></title>{{ 7*7 }}'
)
FORMS = {
    "/withdraw": {},
    "/study/consent": {"agree": "no"},
    "/study/about": {"about.gender": "male", "about.age": "44"},
    "/study/finish": {},
    "/start": {"invite": "x"},
}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    """A study whose every text is hostile, and whose chatbot says such things when asked."""
    texts = dict.fromkeys(("title", "description", "help", "debrief", "comment", "tutorial"), HOSTILE)
    consent = {"version": HOSTILE, "text": HOSTILE}
    questions = [
        {"id": "gender", "text": HOSTILE, "options": ["female", HOSTILE]},
        {"id": "age", "text": HOSTILE, "kind": "number", "low": 18, "high": 120},
    ]
    bots = [{"name": f"{HOSTILE}{number}", "system": "words"} for number in range(3)]
    load = ("--load", str(Path(__file__).parent / "bots.py"))
    folder = tmp_path_factory.mktemp("hostile") / "study"
    made = Study("ieval", folder, *load, bots=bots, consent=consent, questions=questions, **texts)
    file = folder / "scenarios.jsonl"
    scenarios = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for each in scenarios:
        each |= {"emotion": HOSTILE, "situation": HOSTILE}
        each["turns"][0]["text"] = HOSTILE
    file.write_text("".join(json.dumps(each) + "\n" for each in scenarios), encoding="utf-8")
    made.start()
    yield made
    made.end(signal.SIGINT)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Another site on this host: its page sends the form or the request that its address names."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Elsewhere</title><h1>Elsewhere</h1>")

        def log_message(self, *_: Any) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def harmless(person: Person, *, shown: bool = True) -> None:
    """The hostile text stands on the page as text, and nothing of it has become part of the page."""
    page = person.page
    page.wait_for_timeout(50)
    assert page.evaluate("window.hit") is None
    assert page.locator("img, svg, iframe, main script, a[href^=javascript]").count() == 0
    assert "49" not in page.locator("main").inner_text()
    if shown:
        assert "<script>window.hit=1</script>" in page.locator("body").inner_text()


def test_nothing_in_study_files_names_and_chats_is_run(study: Study, someone: Any, tolerated: list[str]) -> None:
    tolerated.append("422")
    person = someone(study).open()
    harmless(person)
    for button in ("Start", "I agree"):
        person.press(button)
        harmless(person)
    person.page.locator('input[name="about.gender"]').nth(1).check()
    person.page.locator('[name="about.age"]').fill("44")
    person.press("Continue")
    assert study.answers(person.name)["about.gender"] == HOSTILE
    harmless(person)
    person.press("Continue")
    harmless(person)
    person.press("Send it and begin")
    person.quiet()
    person.say(f"{HOSTILE}[hostile]")
    harmless(person)
    assert study.turns(person.name)[2][4] == f"{HOSTILE}[hostile]"
    assert "onerror='window.hit=1'" in person.page.locator("li.bot [data-text]").last.inner_text()
    person.say(f"[slow] [hostile] {HOSTILE}", wait=False)
    for _ in range(5):
        harmless(person)
    person.quiet()
    person.page.reload()
    harmless(person)
    person.press("End the chat")
    harmless(person)
    person.open("/withdraw")
    harmless(person)
    person.open(f"/study/{HOSTILE.replace('/', '')}?x={HOSTILE}")
    harmless(person)


def test_a_form_of_another_site_changes_nothing(study: Study, site: str, someone: Any, tolerated: list[str]) -> None:
    tolerated += ["403", "404"]  # refused; and the browser looks for an icon of the bare refusal
    person = someone(study).open()
    person.press("Start")
    who, token = person.name, person.page.locator("body").get_attribute("data-csrf")
    before = study.rows("SELECT * FROM participant"), study.rows("SELECT * FROM event")
    for path, fields in FORMS.items():
        for known in ({}, {"csrf": token}):  # even with a token that leaked
            person.page.goto(site)
            with person.page.expect_navigation():
                person.page.evaluate(SEND, [study.address + path, {**fields, **known}])
            assert person.page.locator("body").inner_text() == "This was sent from another site."
    assert (study.rows("SELECT * FROM participant"), study.rows("SELECT * FROM event")) == before
    assert person.open("/study").name == who


SEND = """([action, fields]) => {
  const form = document.createElement("form");
  form.method = "post";
  form.action = action;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement("input");
    [input.type, input.name, input.value] = ["hidden", name, value];
    form.append(input);
  }
  document.body.append(form);
  form.submit();
}"""


def test_a_script_of_another_site_can_neither_write_nor_read(
    study: Study, site: str, someone: Any, tolerated: list[str]
) -> None:
    tolerated += [
        "403",
        "CORS",
        "net::ERR_FAILED",
        "frame-ancestors",
        "X-Frame-Options",
        "net::ERR_BLOCKED_BY_RESPONSE",
    ]
    person = someone(study).open()
    person.press("Start")
    person.press("I agree")
    token = person.page.locator("body").get_attribute("data-csrf")
    who, before = person.name, study.rows("SELECT * FROM event")
    person.page.goto(site)
    for mode in ("no-cors", "cors"):
        read = person.page.evaluate(FETCH, [f"{study.address}/api/answers", mode, token])
        assert read in ("", "refused")  # an opaque answer has no text
        assert person.page.evaluate(FETCH, [f"{study.address}/withdraw", mode, token]) in ("", "refused")
    assert person.page.evaluate(LOOK, f"{study.address}/study") == "refused"
    assert study.rows("SELECT * FROM event") == before
    person.page.evaluate(FRAME, f"{study.address}/withdraw")
    person.page.wait_for_timeout(300)
    assert [frame.url for frame in person.page.frames[1:]] == ["chrome-error://chromewebdata/"]
    assert study.person(who)["state"] == "consented"


FETCH = """async ([address, mode, token]) => {
  const body = JSON.stringify({ key: "0123456789abcdef", answers: { "about.age": 99 }, csrf: token });
  const headers = mode === "cors" ? { "X-CSRF-Token": token, "Content-Type": "application/json" } : {};
  try {
    const answer = await fetch(address, { method: "POST", mode, credentials: "include", headers, body });
    return await answer.text();
  } catch {
    return "refused";
  }
}"""
LOOK = """async (address) => {
  try {
    return await (await fetch(address, { credentials: "include" })).text();
  } catch {
    return "refused";
  }
}"""
FRAME = """(address) => {
  const frame = document.createElement("iframe");
  frame.src = address;
  document.body.append(frame);
}"""
