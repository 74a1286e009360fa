"""The JSON interface of our own pages: saving in the background, the heartbeat, chats as they grow."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Header, HTTPException, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import StreamingResponse

from empathic.studies import chats, participants
from empathic.studies.chats import Line
from empathic.studies.participants import WrongMoment
from empathic.studies.steps import clean
from empathic.studies.web.site import Site, Visitor, site_of, visitor

router = APIRouter(prefix="/api")
POLL_SECONDS, QUIET_SECONDS = 0.25, 15.0
Place = Annotated[int, Path(ge=0, le=99)]
Key = Annotated[str, Field(min_length=8, max_length=64, pattern="^[A-Za-z0-9_-]+$")]


class Problem(BaseModel):
    """Why a request was not followed."""

    detail: str


class Wrong(BaseModel):
    """A place in a request and what is wrong there; never the value, which may be something no JSON can hold."""

    loc: list[str]
    msg: str


class Unreadable(BaseModel):
    """A request that is none of ours."""

    detail: list[Wrong]


TEXT: dict[str, Any] = {"text/plain": {"schema": {"type": "string"}}}
READING: dict[int | str, dict[str, Any]] = {
    401: {"model": Problem, "description": "no session"},
    409: {"model": Problem, "description": "not at this moment"},
    422: {"model": Unreadable, "description": "no request of ours"},
}
WRITING: dict[int | str, dict[str, Any]] = {
    **READING,
    400: {"model": Problem, "description": "no UTF-8"},
    403: {"model": Problem, "description": "no CSRF token, or sent from another site", "content": TEXT},
    413: {"description": "too large", "content": TEXT},
}
EVENT: dict[str, Any] = {
    "type": "object",
    "required": ["event", "data"],
    "properties": {
        "event": {"enum": ["line", "end"]},
        "data": {"type": "string", "contentMediaType": "application/json"},
    },
}
STREAM: dict[int | str, dict[str, Any]] = {
    **READING,
    200: {"description": "events `line` and `end`", "content": {"text/event-stream": {"schema": EVENT}}},
}


class Sent(BaseModel):
    """Answers as the page saves them."""

    model_config = ConfigDict(extra="forbid", strict=True)
    key: Key
    answers: dict[str, str | float | bool] = Field(max_length=200)
    time: float | None = Field(None, ge=0, le=1e11)


class Acknowledged(BaseModel):
    """What was committed, and what could not be accepted."""

    saved: bool
    refused: list[str] = []


class Message(BaseModel):
    """What a participant says in a chat."""

    model_config = ConfigDict(extra="forbid", strict=True)
    key: Key
    text: str = Field(max_length=20_000)


class Beat(BaseModel):
    """Whether the place is still the participant's."""

    place: bool


def session(request: Request) -> Visitor:
    """The participant of the cookie."""
    found = visitor(request)
    if found is None:
        raise HTTPException(401, "There is no session. Open the link of the study again.")
    return found


async def sender(
    request: Request,
    me: Annotated[Visitor, Depends(session)],
    x_csrf_token: Annotated[str | None, Header(pattern="^[ -~]*$")] = None,
) -> Visitor:
    """The participant of the cookie, on one of our own pages."""
    if not site_of(request).csrf_fits(me.name, x_csrf_token):
        raise HTTPException(403, "The page is out of date. Reload it.")
    return me


Me = Annotated[Visitor, Depends(sender)]


@router.post("/answers", responses=WRITING)
def answers(request: Request, me: Me, sent: Sent) -> Acknowledged:
    """Commit answers; the same key again is acknowledged and changes nothing."""
    try:
        done = participants.save(site_of(request).store, me.name, sent.answers, key=sent.key, client_time=sent.time)
    except WrongMoment as error:
        raise HTTPException(409, str(error)) from error
    return Acknowledged(saved=True, refused=done.refused)


@router.post("/heartbeat", responses=WRITING)
def heartbeat(request: Request, me: Me) -> Beat:
    """Keep the place while the participant reads."""
    return Beat(place=participants.heartbeat(site_of(request).store, me.name))


@router.post("/chats/{place}/messages", responses=WRITING)
def message(request: Request, me: Me, place: Place, sent: Message) -> Acknowledged:
    """Commit one message of the participant; the same key again is acknowledged and changes nothing."""
    site = site_of(request)
    try:
        chats.say(site.store, me.name, place, clean(sent.text), key=sent.key)
    except WrongMoment as error:
        raise HTTPException(409, str(error)) from error
    site.poke()
    return Acknowledged(saved=True)


@router.get("/chats/{place}/events", responses=STREAM, response_class=StreamingResponse)
async def events(request: Request, me: Annotated[Visitor, Depends(session)], place: Place) -> StreamingResponse:
    """The bot's turn as it grows: an event `line` at every change, then `end`. It only follows the database."""
    site = site_of(request)
    first = await asyncio.to_thread(_last_line, site, me, place)
    stream = _follow(request, site, me, place, first)
    return StreamingResponse(stream, media_type="text/event-stream", headers={"X-Accel-Buffering": "no"})


async def _follow(request: Request, site: Site, me: Visitor, place: int, line: Line | None) -> AsyncIterator[str]:
    shown, quiet = None, 0.0
    while line is not None and not site.stopping.is_set():
        if line != shown:
            yield f"event: line\ndata: {msgspec.json.encode(line._asdict()).decode()}\n\n"
            shown, quiet = line, 0.0
        if line.status != "waiting":
            break
        if quiet >= QUIET_SECONDS:
            yield ": still here\n\n"
            quiet = 0.0
        await asyncio.sleep(POLL_SECONDS)
        quiet += POLL_SECONDS
        if await request.is_disconnected():
            return
        line = await asyncio.to_thread(_last_line, site, me, place)
    yield "event: end\ndata: {}\n\n"


def _last_line(site: Site, me: Visitor, place: int) -> Line | None:
    try:
        with site.store.read() as connection:
            found = chats.lines(connection, me.person, place)
    except WrongMoment as error:
        raise HTTPException(409, str(error)) from error
    return found[-1] if found else None
