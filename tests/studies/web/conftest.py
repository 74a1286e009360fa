"""A browser without JavaScript, and bots that answer."""

from __future__ import annotations

import html
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Any

import pytest
from starlette.testclient import TestClient

from empathic.contracts import Reply, Request
from empathic.records import Generation
from empathic.studies import versions
from empathic.studies.design import Plan
from empathic.studies.store import Store
from empathic.studies.web.app import create_app


class Bot:
    """Says its name and how often it was asked; fails when told to."""

    concurrency: int | None = None

    def __init__(self, name: str) -> None:
        self.name, self.fail, self.asked = name, 0, 0

    def settings(self) -> Mapping[str, Any]:
        return {"name": self.name}

    async def check(self) -> None: ...

    async def respond(self, request: Request) -> Reply:
        self.asked += 1
        if self.fail:
            self.fail -= 1
            return Reply(text=None, missing="the server answered 500")
        return Reply(text=f"I hear {request.turns[-1].text}", generation=Generation(latency=0.01, model="bot"))

    async def close(self) -> None: ...


class Slow(Bot):
    """Says its turn word by word."""

    async def stream(self, request: Request) -> AsyncIterator[str | Reply]:
        self.asked += 1
        for word in ("That ", "must ", "hurt."):
            yield word


class Browser:
    """Follows links and fills in forms, as a person without JavaScript."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.page = ""
        self.status = 0
        self.path = ""

    def open(self, path: str) -> str:
        return self._keep(self.client.get(path))

    def send(self, path: str, **fields: Any) -> str:
        data = {**self.hidden(), **{name: str(value) for name, value in fields.items()}}
        return self._keep(self.client.post(path, data=data))

    def _keep(self, answer: Any) -> str:
        self.page, self.status, self.path = answer.text, answer.status_code, answer.url.path
        self.answer = answer
        return self.page

    def hidden(self) -> dict[str, str]:
        found = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', self.page)
        return {name: html.unescape(value) for name, value in found}

    def radios(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, value in re.findall(r'type="radio" name="([^"]+)" value="([^"]*)"', self.page):
            found.setdefault(html.unescape(name), []).append(html.unescape(value))
        return found

    def title(self) -> str:
        match = re.search(r"<h1>(.*?)</h1>", self.page, re.S)
        return html.unescape(match[1]) if match else ""

    def csrf(self) -> str:
        return self.hidden().get("csrf") or re.search(r'data-csrf="([^"]+)"', self.page)[1]  # type: ignore[index]

    def api(self, path: str, content: Any, **headers: str) -> Any:
        return self.client.post(path, json=content, headers={"X-CSRF-Token": self.csrf(), **headers})

    def start(self, query: str = "") -> str:
        self.open(f"/{query}")
        self.send("/start")
        return self.page

    def begin(self, query: str = "", gender: str = "female", age: int = 30) -> str:
        """Enter, agree and say who I am."""
        self.start(query)
        self.send("/study/consent", agree="yes")
        return self.send("/study/about", **{"about.gender": gender, "about.age": age})

    def step(self, choose: Callable[[str, list[str]], str] = lambda name, values: values[0]) -> str:
        """Answer the page I am on, whatever it asks, and go on."""
        path = re.search(r'<form method="post" action="([^"]+)"', self.page)[1]  # type: ignore[index]
        return self.send(path, **{name: choose(name, values) for name, values in self.radios().items()})


@pytest.fixture
def kind(request: pytest.FixtureRequest) -> str:
    """The pages are tested on SQLite; those marked `both` (by indirect parameters) on PostgreSQL too."""
    return str(getattr(request, "param", "sqlite"))


@pytest.fixture
def bots() -> dict[str, Any]:
    return {"ada": Bot("ada"), "bob": Slow("bob"), "cy": Bot("cy")}


@pytest.fixture
def served(
    store: Store, make_plan: Callable[..., Plan], bots: dict[str, Any]
) -> Iterator[Callable[..., Callable[[], Browser]]]:
    """Serves a study; each call of what it returns is a new browser."""
    clients: list[TestClient] = []

    def serve(design: str = "between", *, mode: Any = "live", secure: bool = False, **changes: Any) -> Any:
        versions.publish(store, make_plan(design, **changes))
        app = create_app(store, bots, mode=mode, secure=secure)
        main = TestClient(app)
        main.__enter__()
        clients.append(main)

        def browser() -> Browser:
            client = TestClient(app)
            client.portal = main.portal  # one server, many browsers
            return Browser(client)

        return browser

    yield serve
    for client in clients:
        client.__exit__(None, None, None)
