"""One person, or all, at the desk: the list, what is kept, a copy for them, their erasure; chats to read."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import RedirectResponse, Response

from empathic.studies import audit, export, versions, withdrawal
from empathic.studies.design import Ieval
from empathic.studies.desk import people, transcripts
from empathic.studies.participants import load
from empathic.studies.web.desk.access import Sender, Someone, desk_page
from empathic.studies.web.pages import Form
from empathic.studies.web.site import Site, site_of

router = APIRouter(prefix="/desk", include_in_schema=False)


@router.get("/people")
def everybody(request: Request, me: Someone, state: str = "", page: str = "1") -> Response:
    """The participants, those in one state if it is asked for."""
    site, chosen = site_of(request), state if state in people.STATES else ""
    with site.store.read() as connection:
        found = people.people(connection, site.mode, state=chosen, page=people.page_number(page))
    query = urlencode({"state": chosen})
    return desk_page(request, me, "people.html", found=found, chosen=chosen, states=people.STATES, query=query)


@router.post("/people/find")
def find(request: Request, me: Sender, form: Form) -> Response:
    """Somebody by the platform's id, the invitation's name or the pseudonym; sent as a form, so that no address has it."""
    site, given = site_of(request), form.get("id", "").strip()
    with site.store.read() as connection:
        name = people.find(connection, given, site.mode) if given else None
    if name is None:
        raise HTTPException(404, "Nobody is known by this id.")
    return RedirectResponse(f"/desk/people/{name}", 303)


@router.get("/people/{name}")
def one(request: Request, me: Someone, name: str) -> Response:
    """What is known of one person, under the pseudonym."""
    site = _site_with(request, name)
    with site.store.read() as connection:
        person = load(connection, name)
        found = export.of(connection, person)
        talked = [transcripts.talk(connection, row) for row in transcripts.talks(connection, site.mode, name=name).rows]
    step = person.step.title if person.row["state"] in ("consented", "active") else None
    values: dict[str, Any] = {"name": name, "row": person.row, "found": found, "talks": talked[::-1], "step": step}
    return desk_page(request, me, "person.html", **values, rule=export.exclusion(person))


@router.get("/people/{name}/copy")
def copy(request: Request, me: Someone, name: str) -> Response:
    """All that is kept about one person, platform id included, as a file for that person."""
    site = _site_with(request, name)
    content = withdrawal.encode(withdrawal.everything(site.store, name))
    with site.store.write() as connection:
        audit.note(connection, site.store.clock(), "copy of one person", name, me.account)
    headers = {"Content-Disposition": f'attachment; filename="{name}.json"'}
    return Response(content, media_type="application/json", headers=headers)


@router.get("/people/{name}/erase")
def ask_to_erase(request: Request, me: Someone, name: str) -> Response:
    """Ask before everything is erased."""
    site = _site_with(request, name)
    with site.store.read() as connection:
        row = load(connection, name).row
    return desk_page(request, me, "erase.html", name=name, row=row)


@router.post("/people/{name}/erase")
def erase(request: Request, me: Sender, name: str) -> Response:
    """Delete everything about one person and free the place."""
    site = _site_with(request, name)
    withdrawal.erase(site.store, name, by=me.account)
    if site.watch is not None:
        site.watch.forget()
    return RedirectResponse(f"/desk/people/{name}", 303)


@router.get("/transcripts")
def chats(request: Request, me: Someone, bot: str = "", failed: str = "", page: str = "1") -> Response:
    """The chats of an iEval study."""
    site = site_of(request)
    with site.store.read() as connection:
        _, plan = versions.newest(connection)
        bots = [each.name for each in plan.study.bots] if isinstance(plan.study, Ieval) else []
        chosen: dict[str, Any] = {"bot": bot if bot in bots else "", "failed": bool(failed)}
        found = transcripts.talks(connection, site.mode, **chosen, page=people.page_number(page))
        rows = [(transcripts.talk(connection, row), row) for row in found.rows]
    query = urlencode({"bot": chosen["bot"], "failed": "1" if failed else ""})
    return desk_page(request, me, "transcripts.html", found=found, rows=rows, bots=bots, query=query, **chosen)


@router.get("/transcripts/{number}")
def chat(request: Request, me: Someone, number: int) -> Response:
    """One chat, turn by turn."""
    site = site_of(request)
    with site.store.read() as connection:
        found = transcripts.find(connection, number, site.mode) if 0 < number < 2**31 else None
        said = transcripts.turns(connection, found) if found else []
    if found is None:
        raise HTTPException(404, "There is no such chat.")
    return desk_page(request, me, "transcript.html", talk=found, said=said)


def _site_with(request: Request, name: str) -> Site:
    site = site_of(request)
    if not _known(site, name):
        raise HTTPException(404, "There is no such participant.")
    return site


def _known(site: Site, name: str) -> bool:
    with site.store.read() as connection:
        return people.known(connection, name, site.mode)
