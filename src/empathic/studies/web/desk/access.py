"""A browser becomes a researcher at the desk: the login page, the session cookie, the token of every form.

The login form is protected as the others are: its token belongs to a cookie of its own, which no login ever turns into
a session, so that nobody can plant one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from empathic.studies import versions
from empathic.studies.design import Ieval
from empathic.studies.desk import accounts
from empathic.studies.sessions import token_hash
from empathic.studies.web.pages import Form
from empathic.studies.web.render import page
from empathic.studies.web.site import Site, site_of

router = APIRouter(prefix="/desk", include_in_schema=False)
START = "/desk/progress"
LONGEST_PASSWORD = 1000
OURS = re.compile(r"[A-Za-z0-9_-]{43}")  # what a browser brings back of our login cookie, and nothing else
LINKS = (
    ("progress", "Progress"),
    ("agreement", "Agreement"),
    ("flags", "Flags"),
    ("people", "People"),
    ("transcripts", "Transcripts"),
    ("exports", "Exports"),
    ("study", "Pause and close"),
    ("history", "History"),
)


class Locked(Exception):
    """Nobody is logged in."""


class Foreign(Exception):
    """A form of the desk without the token of its session."""


class Researcher(NamedTuple):
    """Who sits at the desk, and the token every form must send back."""

    account: str
    csrf: str
    token: str


def researcher(request: Request) -> Researcher:
    """Who asks; without a session there is no page of the desk."""
    site = site_of(request)
    token = request.cookies.get(cookie(site), "")
    with site.store.read() as connection:
        account = accounts.account_of(connection, token, site.store.clock())
    if account is None:
        raise Locked
    return Researcher(account, seal(site, "desk", token), token)


Someone = Annotated[Researcher, Depends(researcher)]


async def sender(request: Request, me: Someone, form: Form) -> Researcher:
    """Who sends a form, with the token that proves it is theirs."""
    if not _same(me.csrf, form.get("csrf")):
        raise Foreign
    return me


Sender = Annotated[Researcher, Depends(sender)]


def cookie(site: Site, part: str = "desk") -> str:
    """The name of the desk's cookie, another one than that of participants."""
    return f"{site.cookie}-{part}"


def seal(site: Site, purpose: str, token: str) -> str:
    """The token of the forms that belongs to a cookie."""
    return hmac.new(site.key, f"{purpose}\n{token_hash(token)}".encode(), hashlib.sha256).hexdigest()


def desk_page(request: Request, me: Researcher, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page of the desk, with what all of them show."""
    site = site_of(request)
    with site.store.read() as connection:
        _, plan = versions.newest(connection)
        state = versions.status(connection)
    chats = isinstance(plan.study, Ieval)
    links = [link for link in LINKS if chats or link[0] != "transcripts"]
    frame = {"study": plan.study, "state": state, "mode": site.mode, "links": links, "has_chats": chats}
    return page(f"desk/{template}", status, **frame, csrf=me.csrf, account=me.account, here=request.url.path, **values)


@router.get("/login")
def ask(request: Request) -> Response:
    """The login form."""
    return _form(request)


@router.post("/login")
def log_in(request: Request, form: Form) -> Response:
    """Begin a session with a token that is new, whatever cookies the browser brought."""
    site = site_of(request)
    planted = request.cookies.get(cookie(site, "login"), "")
    if not planted or not _same(seal(site, "login", planted), form.get("csrf")):
        return _form(request, "The page was out of date. Please try again.", 403)
    try:
        token = accounts.log_in(site.store, form.get("name", ""), form.get("password", "")[:LONGEST_PASSWORD])
    except accounts.TooMany as error:
        minutes = max(1, round(error.seconds / 60))
        answer = _form(request, f"Too many attempts. Try again in {minutes} minutes.", 429)
        answer.headers["Retry-After"] = str(max(1, round(error.seconds)))
        return answer
    if token is None:
        return _form(request, "Name and password do not fit.", 403)
    answer = RedirectResponse(START, 303)
    _give(answer, site, cookie(site), token)
    answer.delete_cookie(cookie(site, "login"), secure=site.secure, httponly=True, samesite="strict")
    return answer


@router.post("/logout")
def log_out(request: Request, me: Sender) -> Response:
    """End the session, here and in the database."""
    site = site_of(request)
    accounts.log_out(site.store, me.token)
    answer = RedirectResponse("/desk/login", 303)
    answer.delete_cookie(cookie(site), secure=site.secure, httponly=True, samesite="strict")
    return answer


def _form(request: Request, problem: str | None = None, status: int = 200) -> Response:
    site = site_of(request)
    with site.store.read() as connection:
        _, plan = versions.newest(connection)
        ready = bool(accounts.names(connection))
    kept = request.cookies.get(cookie(site, "login"), "")
    nonce = kept if OURS.fullmatch(kept) else secrets.token_urlsafe(32)
    values = {"study": plan.study, "csrf": seal(site, "login", nonce), "problem": problem, "ready": ready}
    answer = page("desk/login.html", status, **values, default=accounts.DEFAULT)
    _give(answer, site, cookie(site, "login"), nonce)
    return answer


def _give(answer: Response, site: Site, name: str, value: str) -> None:
    """A cookie for this site only, out of the reach of scripts, gone with the browser."""
    answer.set_cookie(name, value, httponly=True, samesite="strict", secure=site.secure)


def _same(wanted: str, given: str | None) -> bool:
    return given is not None and hmac.compare_digest(wanted.encode(), given.encode())
