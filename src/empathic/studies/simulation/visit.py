"""One simulated person takes the study, page by page: refreshes, second tabs, chats, leaving in the middle."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import msgspec

from empathic.errors import ServiceError
from empathic.studies.design import AnyStudy
from empathic.studies.simulation.browser import Answer, Browser
from empathic.studies.simulation.forms import Form, Page
from empathic.studies.simulation.ledger import Ledger
from empathic.studies.simulation.people import CHANGES_MIND, Behaviour, Somebody, rated, rng_of

MOST_PAGES = 5000
WAIT_SECONDS = 0.1
Truth = Callable[[str], Mapping[str, str]]  # participant → field → the system it is about


class Visit:
    """A person, a browser, and what is known about the study."""

    def __init__(
        self, who: Somebody, browser: Browser, study: AnyStudy, behaviour: Behaviour, ledger: Ledger, truth: Truth
    ) -> None:
        self.who, self.browser, self.study, self.behaviour = who, browser, study, behaviour
        self.ledger, self.truth = ledger, truth
        self.rng = rng_of(behaviour.seed, who.number, "way")
        self.messages = 0
        self._systems: Mapping[str, str] | None = None

    async def enter(self, link: str) -> Page:
        """Come by the link, agree, say who one is: up to the first page of the task, or to the end."""
        page = await self._start(self.browser, link)
        for _ in range(5):
            if page.code or page.progress is not None:
                return page
            page = await self._fill(page)
        raise ServiceError("A simulated participant could not enter the study.")

    async def go_on(self, page: Page, link: str) -> str | None:
        """Take the task to its end; returns the completion code, or None if the person left."""
        for _ in range(MOST_PAGES):
            if page.code:
                self.ledger.codes[str(page.owner)] = page.code
                return page.code
            if self.who.leaves is not None and (page.progress or 0) >= self.who.leaves:
                return None
            if page.chat is None and self.rng.random() < self.behaviour.refresh:
                page = await self.browser.get("/study")
            second = page.chat is None and self.rng.random() < self.behaviour.two_tabs
            page = await (self._in_two_tabs(page, link) if second else self._fill(page))
        raise ServiceError("A simulated participant never came to the end.")

    async def _start(self, browser: Browser, link: str) -> Page:
        welcome = await browser.get(link)
        form = next((each for each in welcome.forms if each.action == "/start"), None)
        if form is None:
            raise ServiceError(f"The link {link} does not lead into the study.")
        await browser.post("/start", form.hidden)
        return await browser.get("/study")

    async def _in_two_tabs(self, page: Page, link: str) -> Page:
        """The same page is sent from another browser at the same moment."""
        made = Browser(self.browser.address, self.browser.network, self.ledger, self.browser.rng)
        async with made as other:
            there = await self._start(other, link)
            if not there.forms or not page.forms or there.forms[0].action != page.forms[0].action:
                return await self._fill(page)
            await asyncio.gather(self._send(self.browser, page), self._send(other, there))
        return await self.browser.get("/study")

    async def _fill(self, page: Page) -> Page:
        if page.chat is not None:
            return await self._chat(page, page.chat)
        form = page.forms[0]
        if self.who.autosaves and form.action not in ("/study/consent", "/study/finish"):
            await self._autosave(page, form)
        await self._send(self.browser, page)
        return await self.browser.get("/study")

    async def _send(self, browser: Browser, page: Page) -> Answer:
        form = page.forms[0]
        given = self._answers(str(page.owner), form)
        answer = await browser.post(form.action, {**form.hidden, **given, **_button(form)})
        if answer.status == 303 and page.owner:
            self.ledger.answered(page.owner, given)
        return answer

    async def _autosave(self, page: Page, form: Form) -> None:
        """Every click on its own, some of them twice with another answer first."""
        owner, csrf = str(page.owner), str(page.csrf)
        for name, value in self._answers(owner, form).items():
            values = [value]
            if name in form.radios and self.rng.random() < CHANGES_MIND:
                values.insert(0, self.rng.choice(form.radios[name]))
            for each in values:
                await self._save_one(owner, csrf, name, each)

    async def _save_one(self, owner: str, csrf: str, name: str, value: str) -> None:
        key = f"{self.rng.getrandbits(96):024x}"
        answer = await self.browser.save("/api/answers", {"key": key, "answers": {name: value}}, csrf)
        if answer.status == 200 and not msgspec.json.decode(answer.text)["refused"]:
            self.ledger.answered(owner, {name: value}, key)

    async def _chat(self, page: Page, place: int) -> Page:
        path = f"/study/chat-{place + 1}"
        if not page.form_with("retry"):  # else the last line says that no answer came
            self.ledger.hears(str(page.owner), place, page.heard)
        if page.waiting:
            await asyncio.sleep(WAIT_SECONDS)
            return await self.browser.get(path)
        for action in ("begin", "retry", "close"):
            form = page.form_with(action)
            if form is not None:
                await self.browser.post(path, {**form.hidden, "action": action})
                return await self.browser.get("/study" if action == "close" else path)
        await self._say(page, place)
        return await self.browser.get(path)

    async def _say(self, page: Page, place: int) -> None:
        self.messages += 1
        text = f"I keep thinking about it, it was so much. ({self.who.number}.{place}.{self.messages})"
        key = f"{self.rng.getrandbits(96):024x}"
        answer = await self.browser.save(f"/api/chats/{place}/messages", {"key": key, "text": text}, str(page.csrf))
        if answer.status == 200:
            self.ledger.message(str(page.owner), text, key)

    def _answers(self, owner: str, form: Form) -> dict[str, str]:
        given = {name: self._number(name, span) for name, span in form.numbers.items()}
        given |= {name: self._choice(owner, name, values) for name, values in form.radios.items()}
        if "comment" in form.texts:
            given["comment"] = f"Simulated person {self.who.number}."
        return given

    def _number(self, name: str, span: tuple[float, float]) -> str:
        if name == "about.age" and self.who.age is not None:
            return f"{self.who.age:g}"
        return str(rng_of(self.behaviour.seed, self.who.number, name).randint(int(span[0]), int(span[1])))

    def _choice(self, owner: str, name: str, values: list[str]) -> str:
        rng = rng_of(self.behaviour.seed, self.who.number, name, "choice")
        if name == "about.gender" and self.who.gender in values:
            return str(self.who.gender)
        if name.startswith("check.") and rng.random() < self.behaviour.attention:
            wanted = next(check.expect for check in self.study.checks if f"check.{check.id}" == name)
            return next(value for value in values if float(value) == wanted)
        if name.startswith("about."):
            return rng.choice(values)
        shift = self.behaviour.effects.get(self._system(owner, name), 0.0)
        point = rated(self.who, name, [float(value) for value in values], shift, self.behaviour)
        return next(value for value in values if float(value) == point)

    def _system(self, owner: str, name: str) -> str:
        if self._systems is None or name not in self._systems:
            self._systems = self.truth(owner)
        return self._systems.get(name, "")


def _button(form: Form) -> dict[str, str]:
    return {"agree": "yes"} if "yes" in form.buttons else {}
