"""What every request needs of the study that is served, and who is asking."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from starlette.requests import HTTPConnection

from empathic.contracts import System
from empathic.studies.design import Mode
from empathic.studies.desk.watch import Watch
from empathic.studies.participants import Person, load
from empathic.studies.sessions import participant_of
from empathic.studies.store import Store


@dataclass
class Site:
    """One study on one server: the store, the bots, and nothing about any participant."""

    store: Store
    systems: Mapping[str, System] = field(default_factory=dict)
    mode: Mode = "live"
    secure: bool = False  # cookies only over HTTPS
    wake: asyncio.Event = field(default_factory=asyncio.Event)  # a chat waits for its answer
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    key: bytes = b""  # the study's secret
    loop: asyncio.AbstractEventLoop | None = None
    watch: Watch | None = None  # the statistics of the desk

    @property
    def cookie(self) -> str:
        """The name of the session cookie: two studies on one host, at two ports, do not take each other's."""
        name = f"empathic-{hashlib.sha256(self.key).hexdigest()[:8]}"
        return f"__Host-{name}" if self.secure else name

    def csrf(self, participant: str) -> str:
        """The token a page of this participant must send back; another tab or session of theirs has the same."""
        return hmac.new(self.key, f"csrf\n{participant}".encode(), hashlib.sha256).hexdigest()

    def csrf_fits(self, participant: str, given: str | None) -> bool:
        """Whether a request carries the token of its participant."""
        return given is not None and hmac.compare_digest(self.csrf(participant).encode(), given.encode())

    def poke(self) -> None:
        """Tell the worker, from any thread, that something waits."""
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.wake.set)


class Visitor(NamedTuple):
    """The participant whose session a browser holds, and the token its pages must send back."""

    person: Person
    csrf: str

    @property
    def name(self) -> str:
        return str(self.person.row["id"])


def site_of(request: HTTPConnection) -> Site:
    """The site a request came to."""
    return cast(Site, request.app.state.site)


def visitor(request: HTTPConnection) -> Visitor | None:
    """Who is asking, by the session cookie; nothing is written."""
    site = site_of(request)
    token = request.cookies.get(site.cookie)
    if not token:
        return None
    with site.store.read() as connection:
        name = participant_of(connection, token)
        return None if name is None else Visitor(load(connection, name), site.csrf(name))
