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
from empathic.studies.participants import Person, load
from empathic.studies.sessions import participant_of
from empathic.studies.store import Store

COOKIE = "empathic"


@dataclass
class Site:
    """One study on one server: the store, the bots, and nothing about any participant."""

    store: Store
    systems: Mapping[str, System] = field(default_factory=dict)
    mode: Mode = "live"
    secure: bool = False  # cookies only over HTTPS
    wake: asyncio.Event = field(default_factory=asyncio.Event)  # a chat waits for its answer
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    loop: asyncio.AbstractEventLoop | None = None

    def poke(self) -> None:
        """Tell the worker, from any thread, that something waits."""
        if self.loop is not None:
            self.loop.call_soon_threadsafe(self.wake.set)


class Visitor(NamedTuple):
    """A browser with a valid session, and the participant it belongs to."""

    token: str
    person: Person

    @property
    def name(self) -> str:
        return str(self.person.row["id"])


def site_of(request: HTTPConnection) -> Site:
    """The site a request came to."""
    return cast(Site, request.app.state.site)


def visitor(request: HTTPConnection) -> Visitor | None:
    """Who is asking, by the session cookie; nothing is written."""
    token = request.cookies.get(COOKIE)
    if not token:
        return None
    with site_of(request).store.read() as connection:
        name = participant_of(connection, token)
        return None if name is None else Visitor(token, load(connection, name))


def csrf_token(session: str) -> str:
    """The token a page must send back: only who holds the session cookie can have had it."""
    return hashlib.sha256(f"csrf\n{session}".encode()).hexdigest()


def csrf_fits(session: str, given: str | None) -> bool:
    """Whether a request carries the token of its session."""
    return given is not None and hmac.compare_digest(csrf_token(session).encode(), given.encode())
