"""A study served by the real command, people with a real browser before it, and what its database holds."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import yaml

from empathic.cli import main

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-sync"]
SCREENS = [(width, scheme) for width in (1280, 360) for scheme in ("light", "dark")]
SECONDS = 15_000  # the longest wait for something that happens at once, in milliseconds


class Study:
    """A study folder and the process that serves it; it can be killed and started again at the same address."""

    def __init__(self, design: str, folder: Path, *options: str, **changes: Any) -> None:
        with ThreadPoolExecutor(1) as pool:  # in this thread the browser's event loop may be running
            assert pool.submit(main, ["study", "new", "--design", design, str(folder), "--json"]).result() == 0
        self.folder, self.options = folder, options
        file = folder / "study.yaml"
        self.content: dict[str, Any] = {**yaml.safe_load(file.read_text(encoding="utf-8")), **changes}
        file.write_text(yaml.safe_dump(self.content, allow_unicode=True), encoding="utf-8")
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.address = f"http://127.0.0.1:{self.port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "empathic", "study", "serve", str(self.folder), "--port", str(self.port)]
        log = (self.folder / "server.log").open("ab")
        self.process = subprocess.Popen([*command, *self.options], stdout=log, stderr=log, env=os.environ)
        log.close()
        until = time.monotonic() + 120
        while not self._answers():
            assert self.process.poll() is None, (self.folder / "server.log").read_text()
            assert time.monotonic() < until, "the server did not start"
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/health", timeout=5) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def end(self, how: signal.Signals = signal.SIGKILL) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            self.process.wait(30)

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        """What the database says, read past the program under test."""
        base = sqlite3.connect(f"file:{self.folder / 'study.db'}?mode=ro", uri=True, timeout=30)
        try:
            return base.execute(query, values).fetchall()
        finally:
            base.close()

    def answers(self, who: str) -> dict[str, Any]:
        found = self.rows("SELECT field, value FROM answer WHERE participant = ?", who)
        return {field: json.loads(value) for field, value in found}

    def person(self, who: str) -> dict[str, Any]:
        """State, outcome and seat of a participant."""
        ((state, outcome, seat),) = self.rows("SELECT state, outcome, seat FROM participant WHERE id = ?", who)
        return {"state": state, "outcome": outcome, "seat": json.loads(seat) if seat else None}

    def events(self, who: str, kind: str = "answers") -> list[Any]:
        query = "SELECT payload FROM event WHERE participant = ? AND type = ? ORDER BY seq"
        return [json.loads(payload) for (payload,) in self.rows(query, who, kind)]

    def turns(self, who: str) -> list[tuple[Any, ...]]:
        """Chat, number, role, status and text of every turn, in order."""
        query = (
            "SELECT chat.id, n, role, status, text FROM turn JOIN chat ON chat.id = turn.chat "
            "WHERE participant = ? ORDER BY chat.id, n"
        )
        return self.rows(query, who)

    def export(self, who: str) -> list[dict[str, Any]]:
        """The ratings of one participant as `empathic study export` writes them."""
        assert main(["study", "export", str(self.folder), "--json"]) == 0
        lines = (self.folder / "export" / "ratings.jsonl").read_text(encoding="utf-8").splitlines()
        return [each for each in map(json.loads, lines) if each["rater"] == f"human:{who}"]

    def wait(self, true: Callable[[], Any], seconds: float = 15) -> Any:
        """Look at the database until it says what is expected."""
        until = time.monotonic() + seconds
        while not (found := true()):
            assert time.monotonic() < until, "it did not happen"
            time.sleep(0.05)
        return found


class Person:
    """Somebody in front of a page of a study."""

    def __init__(self, study: Study, page: Any) -> None:
        self.study, self.page = study, page

    @property
    def name(self) -> str:
        return str(self.page.locator("body").get_attribute("data-owner"))

    @property
    def heading(self) -> str:
        return str(self.page.locator("h1").inner_text())

    @property
    def step(self) -> str:
        return str(self.page.url.rsplit("/", 1)[1])

    def open(self, path: str = "/") -> Person:
        self.page.goto(self.study.address + path)
        return self

    def press(self, name: str) -> None:
        """Click a button and arrive at the page it leads to."""
        with self.page.expect_navigation():
            self.page.get_by_role("button", name=name).click()

    def begin(self, gender: str = "female", age: int = 33) -> Person:
        """From the link to the first page of the task."""
        self.open()
        self.press("Start")
        self.press("I agree")
        self.fill({"about.gender": gender})
        self.page.locator('[name="about.age"]').fill(str(age))
        self.press("Continue")
        return self

    def names(self) -> list[str]:
        """The questions of the page, in order."""
        found = self.page.locator("input[type=radio]").evaluate_all("all => all.map(each => each.name)")
        return list(dict.fromkeys(found))

    def fill(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            self.page.locator(f'input[name="{name}"][value="{value}"]').check()

    def choose(self) -> dict[str, float]:
        """Answer the page: every question another point, the checks as they ask."""
        given: dict[str, float] = {}
        for number, name in enumerate(self.names()):
            radios = self.page.locator(f'input[name="{name}"]')
            if name.startswith("check."):
                value = {each["id"]: each["expect"] for each in self.study.content["checks"]}[name.split(".")[1]]
            else:
                value = radios.nth(number % radios.count()).get_attribute("value")
            self.fill({name: value})
            given[name] = float(value)
        return given

    def saved(self) -> None:
        self.page.locator("[data-status]", has_text="Saved").wait_for(timeout=SECONDS)

    def take_reloading(self) -> dict[str, Any]:
        """Answer every page up to the last one, loading each again: it must be as it was. Gives what was chosen."""
        given: dict[str, Any] = {}
        while self.step != "finish":
            here = self.choose()
            if here:
                self.saved()
            given |= here
            before = (self.step, self.heading, self.study.answers(self.name))
            self.page.reload()
            self.open(f"/study/{self.step}")  # unlike a reload, this lets the browser restore nothing by itself
            assert (self.step, self.heading, self.study.answers(self.name)) == before
            shown = self.page.locator("input:checked").evaluate_all("all => all.map(each => [each.name, +each.value])")
            assert dict(shown) == here
            self.press("Continue")
        return given

    def chatting(self) -> bool:
        return bool(self.page.locator("[data-chat]").count())

    def quiet(self) -> None:
        """Wait until the chatbot has answered."""
        self.page.locator('[data-chat][data-waiting="no"]').wait_for(state="attached", timeout=SECONDS)

    def say(self, text: str, *, wait: bool = True) -> None:
        count = self.page.locator("[data-chat] li").count()
        self.page.locator("textarea").fill(text)
        self.page.get_by_role("button", name="Send").click()
        self.page.locator(f"[data-chat] li >> nth={count}").wait_for(timeout=SECONDS)
        if wait:
            self.quiet()

    def chat(self, messages: Sequence[str] = ("I could not believe it.", "What would you do?")) -> None:
        """A whole chat with the fewest answers."""
        if self.page.get_by_role("button", name="Send it and begin").count():
            self.press("Send it and begin")
        self.quiet()
        for message in messages:
            self.say(message)
        self.press("End the chat")

    def take(self) -> dict[str, float]:
        """Go on from here to the code with the pointer, and return what was answered."""
        given: dict[str, float] = {}
        while not self.page.locator("[data-code]").count():
            if self.chatting():
                self.chat()
                continue
            given |= self.choose()
            self.press("Finish" if self.step == "finish" or self.heading == "Finish" else "Continue")
        return given

    def code(self) -> str:
        return str(self.page.locator("[data-code]").inner_text())


class Keyboard(Person):
    """Somebody who uses nothing but the keyboard, and must see where they are."""

    def reach(self, wanted: str) -> None:
        """Tab on until the element is focused; the focus must be visible on the way's end."""
        for _ in range(300):
            self.page.keyboard.press("Tab")
            if self.page.evaluate("name => document.activeElement.matches(name)", wanted):
                assert self.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", wanted
                return
        raise AssertionError(f"the keyboard does not reach {wanted} on {self.page.url}")

    def press(self, name: str) -> None:
        wanted = self.page.get_by_role("button", name=name).evaluate("each => each.textContent.trim()")
        self.page.evaluate(
            "text => { [...document.querySelectorAll('button')].find(each => "
            "each.textContent.trim() === text).dataset.wanted = 'yes'; }",
            wanted,
        )
        self.reach("[data-wanted]")
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def fill(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            radios = self.page.locator(f'input[name="{name}"]').evaluate_all("all => all.map(each => each.value)")
            self.reach(f'input[name="{name}"]')
            self.page.keyboard.press("Space")
            for _ in range(radios.index(str(value))):
                self.page.keyboard.press("ArrowRight")

    def begin(self, gender: str = "female", age: int = 33) -> Person:
        self.open()
        self.press("Start")
        self.press("I agree")
        self.fill({"about.gender": gender})
        self.reach('[name="about.age"]')
        self.page.keyboard.type(str(age))
        self.press("Continue")
        return self

    def say(self, text: str, *, wait: bool = True) -> None:
        count = self.page.locator("[data-chat] li").count()
        assert self.page.evaluate("document.activeElement.matches('textarea')"), "the box is ready to be typed into"
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")
        self.page.locator(f"[data-chat] li >> nth={count}").wait_for(timeout=SECONDS)
        if wait:
            self.quiet()


def barriers(page: Any, axe: Any) -> list[str]:
    """What axe-core finds on the page, with the rules of WCAG 2.2 that it leaves out unless asked."""
    found = axe.run(page, options={"rules": {"target-size": {"enabled": True}}})
    return [f"{page.url} {each['id']}: {each['nodes'][0]['html']}" for each in found.response["violations"]]


def inspect(person: Person, axe: Any, screens: Sequence[tuple[int, str]]) -> list[str]:
    """Everything that is wrong with the page for anybody, on every screen."""
    page, wrong = person.page, []
    for width, scheme in screens:
        page.set_viewport_size({"width": width, "height": 800})
        page.emulate_media(color_scheme=scheme)
        wrong += [f"{width} {scheme} {each}" for each in barriers(page, axe)]
        if page.evaluate("document.documentElement.scrollWidth") > width:
            wrong.append(f"{width} {page.url} scrolls sideways")
    text = page.locator("footer").inner_text()
    if "Help" not in text:
        wrong.append(f"{page.url} names no help")
    if page.locator("body[data-csrf]").count() and "withdraw" not in text.lower():
        wrong.append(f"{page.url} has no way to stop")
    return wrong
