"""The data of the study leave the desk: files, made while they are sent, each noted in the audit."""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import APIRouter, HTTPException, Request
from starlette.responses import Response, StreamingResponse

from empathic.studies import audit
from empathic.studies.desk import downloads
from empathic.studies.web.desk.access import Someone, desk_page
from empathic.studies.web.site import Site, site_of

router = APIRouter(prefix="/desk", include_in_schema=False)
WHOLE = "study.json"


@router.get("/exports")
def listed(request: Request, me: Someone) -> Response:
    """The files there are."""
    return desk_page(request, me, "exports.html", files=downloads.FILES, chats=downloads.CHATS, whole=WHOLE)


@router.get("/exports/{file}")
def download(request: Request, me: Someone, file: str, everyone: str = "") -> Response:
    """One file, of those who completed or of everyone who had a place."""
    site = site_of(request)
    if file not in downloads.FILES and file != WHOLE:
        raise HTTPException(404, "There is no such file.")
    told = f"{file}, everyone" if everyone else file
    with site.store.write() as connection:
        audit.note(connection, site.store.clock(), "download", told, me.account)
    kind = downloads.FILES[file].kind if file in downloads.FILES else "application/json"
    headers = {"Content-Disposition": f'attachment; filename="{file}"'}
    return StreamingResponse(_content(site, file, everyone=bool(everyone)), media_type=kind, headers=headers)


def _content(site: Site, file: str, *, everyone: bool) -> Iterator[bytes]:
    if file == WHOLE:
        return downloads.whole(site.store, mode=site.mode, everyone=everyone)
    return downloads.stream(site.store, file, mode=site.mode, everyone=everyone)
