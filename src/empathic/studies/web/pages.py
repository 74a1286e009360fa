"""What a participant sees: each GET shows the state of the database, each POST changes it and leads on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Request
from starlette.datastructures import UploadFile
from starlette.responses import RedirectResponse, Response

from empathic.studies import chats, completion, participants, sessions, versions, withdrawal
from empathic.studies.design import AnyStudy, Ieval, Observer
from empathic.studies.plan import instrument
from empathic.studies.steps import Step, clean
from empathic.studies.web import entry
from empathic.studies.web.render import page
from empathic.studies.web.site import Site, Visitor, site_of, visitor

router = APIRouter(include_in_schema=False)
MOST_FIELDS = 500
SESSION_SECONDS = 30 * 86400


class Gone(Exception):
    """There is no session: the participant has to open the link again."""


class Forged(Exception):
    """A form without the token of its session."""


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a form as text."""
    async with request.form(max_files=0, max_fields=MOST_FIELDS) as form:
        return {name: clean(value) for name, value in form.items() if not isinstance(value, UploadFile)}


def someone(request: Request) -> Visitor:
    """The participant who asks."""
    found = visitor(request)
    if found is None:
        raise Gone
    return found


Form = Annotated[dict[str, str], Depends(form_of)]
Someone = Annotated[Visitor, Depends(someone)]


async def sender(request: Request, me: Someone, form: Form) -> Visitor:
    """The participant who sends a form, with the token that proves it is theirs (async: it needs no thread)."""
    if not site_of(request).csrf_fits(me.name, form.get("csrf")):
        raise Forged
    return me


Sender = Annotated[Visitor, Depends(sender)]


@router.get("/")
def welcome(request: Request) -> Response:
    """The description, and the button that starts; opening the link changes nothing."""
    site = site_of(request)
    with site.store.read() as connection:
        _, plan = versions.newest(connection)
        status = versions.status(connection)
        key = versions.secret(connection)
    given = entry.given(plan.study, key, request.query_params)
    identity = entry.identify(plan.study, key, request.query_params)
    # Whoever has started may go on while the study takes nobody new, in another browser too.
    known = status != "open" and identity is not None and entry.known(site.store, identity, site.mode)
    values: dict[str, Any] = {"study": plan.study, "title": "Welcome", "closed": status, "open": status == "open"}
    return page("welcome.html", **values, entry=given, known=known, resume=visitor(request) is not None)


@router.post("/start")
def start(request: Request, form: Form) -> Response:
    """Enter with the id of the link: the same person comes back to the same place."""
    site = site_of(request)
    with site.store.read() as connection:
        _, plan = versions.newest(connection)
        key, status = versions.secret(connection), versions.status(connection)
    identity = entry.identify(plan.study, key, form)
    known = identity is not None and entry.known(site.store, identity, site.mode)
    if identity is None or (status != "open" and not known):
        return RedirectResponse(f"/?{urlencode(form)}", 303)
    name = participants.enter(site.store, identity, site.mode)
    answer = RedirectResponse("/study", 303)
    token = sessions.open_session(site.store, name)
    answer.set_cookie(site.cookie, token, SESSION_SECONDS, httponly=True, samesite="lax", secure=site.secure)
    return answer


@router.get("/study")
def here(request: Request, me: Someone) -> Response:
    """Where the participant is."""
    own_link = entry.own_link(site_of(request), me) if me.person.row["state"] == "invited" else None
    return _moment(me, own_link) or _show(me, me.person.step)


@router.post("/study/consent")
def consent(request: Request, me: Sender, form: Form) -> Response:
    """Agree, or not."""
    if form.get("agree") in ("yes", "no"):
        participants.consent(site_of(request).store, me.name, agreed=form["agree"] == "yes")
    return RedirectResponse("/study", 303)


@router.get("/study/{step_id}")
def one_step(request: Request, me: Someone, step_id: str) -> Response:
    """A page that was reached; one further on leads back to where the participant is."""
    moment = _moment(me)
    if moment is not None:
        return moment
    step = _reached(me, step_id)
    if step is None:
        return RedirectResponse("/study", 303)
    return _show_chat(site_of(request), me, step) if step.kind == "chat" else _show(me, step)


@router.post("/study/finish")
def finish(request: Request, me: Sender) -> Response:
    """End the task if everything is there, else say what is missing."""
    gaps = completion.finish(site_of(request).store, me.name)
    if not gaps:
        return RedirectResponse("/study", 303)
    return page("finish.html", 422, **_frame(me, me.person.way[-1]), gaps=gaps)


@router.post("/study/{step_id}")
def send(request: Request, me: Sender, form: Form, step_id: str) -> Response:
    """Store what a page's form says and go on; what is missing is shown on the same page."""
    store = site_of(request).store
    step = _reached(me, step_id)
    if step is None:
        return RedirectResponse("/study", 303)
    if step.kind == "chat":
        return _send_chat(site_of(request), me, step, form)
    asked = {field.key for field in step.fields}
    raw = {name: value for name, value in form.items() if name in asked and (value.strip() or name == "comment")}
    saved = participants.save(store, me.name, raw, submit=step.id)
    if saved.missing or saved.refused:
        again = visitor(request) or me
        wrong = {field.key for field in saved.missing} | {text.split(":")[0] for text in saved.refused}
        return _show(again, step, wrong=wrong, refused=saved.refused, status=422)
    moved = me if me.person.row["state"] == "active" else visitor(request) or me
    return RedirectResponse(_after(moved, step), 303)


@router.get("/withdraw")
def ask_to_withdraw(me: Someone) -> Response:
    """Ask before everything is erased."""
    return page("withdraw.html", **_frame(me, None))


@router.post("/withdraw")
def withdraw(request: Request, me: Sender) -> Response:
    """Erase everything the participant said."""
    withdrawal.withdraw(site_of(request).store, me.name)
    return RedirectResponse("/study", 303)


def _moment(me: Visitor, own_link: str | None = None) -> Response | None:
    """The page of the participant's state, unless it is a step of the task."""
    state = me.person.row["state"]
    if state == "invited":
        return page("consent.html", **_frame(me, None), own_link=own_link)
    if state in ("consented", "active"):
        return None
    outcome, plan = me.person.row["outcome"], me.person.plan
    values = {**_frame(me, None), "title": "End", "outcome": outcome, "reason": me.person.row["reason"]}
    return page("end.html", **values, code=completion.code(plan, outcome), link=completion.redirect(plan, outcome))


def _reached(me: Visitor, step_id: str) -> Step | None:
    way = me.person.way
    if me.person.row["state"] not in ("consented", "active"):
        return None
    step = next((step for step in way if step.id == step_id), None)
    return step if step is not None and way.index(step) <= way.index(me.person.step) else None


def _after(me: Visitor, step: Step) -> str:
    """The page after a step, or where the participant is if that is not known yet."""
    way = me.person.way
    if me.person.row["state"] != "active" or step not in way:
        return "/study"
    place = way.index(step) + 1
    return f"/study/{way[place].id}" if place < len(way) else "/study"


def _frame(me: Visitor, step: Step | None) -> dict[str, Any]:
    """What every page of a participant holds."""
    way, row = me.person.way, me.person.row
    frame: dict[str, Any] = {"study": me.person.plan.study, "csrf": me.csrf, "owner": me.name}
    frame |= {"may_withdraw": row["state"] != "withdrawn", "answers": me.person.answers, "title": "Study"}
    frame["ended"] = row["state"] not in ("invited", "consented", "active")
    if step is not None:
        place = way.index(step)
        back = way[place - 1].id if place and way[place - 1].kind not in ("chat", "questions") else None
        frame |= {"step": step, "title": step.title, "back": back}
        frame["progress"] = (place + 1, len(way)) if row["state"] == "active" else None
    return frame


def _show(
    me: Visitor, step: Step, *, wrong: set[str] | None = None, refused: list[str] | None = None, status: int = 200
) -> Response:
    if step.kind == "chat":
        return RedirectResponse(f"/study/{step.id}", 303)
    plan, values = me.person.plan, _frame(me, step)
    values["thing"] = plan.things[step.thing] if step.thing else None
    values["instrument"] = instrument(plan, step.instrument) if step.instrument else None
    values["bot"] = me.person.seat.colours.get(step.bot) if me.person.seat and step.bot else None
    values["long"] = step.kind == "rate" and isinstance(plan.study, Observer)
    if step.kind == "finish":
        return page("finish.html", status, **values, gaps=[])
    template = "rank.html" if step.kind == "rank" else "step.html"
    return page(template, status, **values, wrong=wrong or set(), refused=refused or [])


def _show_chat(site: Site, me: Visitor, step: Step, problem: str | None = None, status: int = 200) -> Response:
    with site.store.read() as connection:
        lines = chats.lines(connection, me.person, step.place)
    last = lines[-1].status if lines else "done"
    answered = sum(line.role == "listener" and line.status == "done" for line in lines)
    colours = me.person.seat.colours if me.person.seat else {}
    values = _frame(me, step)
    values |= {"thing": me.person.plan.things[str(step.thing)], "bot": colours[str(step.bot)], "problem": problem}
    values |= {"lines": lines, "waiting": last == "waiting", "failed": last == "failed"}
    values |= {
        "left": max(0, _wanted(me.person.plan.study) - answered),
        "closed": f"chat.{step.place}" in me.person.answers,
    }
    return page("chat.html", status, **values)


def _wanted(study: AnyStudy) -> int:
    return study.turns if isinstance(study, Ieval) else 0


def _send_chat(site: Site, me: Visitor, step: Step, form: Mapping[str, str]) -> Response:
    action = form.get("action", "say")
    try:
        if action == "close":
            left = chats.close(site.store, me.name, step.place)
            if left == 0:
                return RedirectResponse("/study", 303)
            raise participants.WrongMoment(f"The chatbot has to answer {left} more times first.")
        if action == "retry":
            chats.retry(site.store, me.name, step.place)
        else:
            chats.say(site.store, me.name, step.place, None if action == "begin" else form.get("text", ""))
    except participants.WrongMoment as problem:
        return _show_chat(site, me, step, str(problem), 409)
    site.poke()
    return RedirectResponse(f"/study/{step.id}", 303)
