"""The study as a whole at the desk: progress, pausing and closing, what was done."""

from __future__ import annotations

from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from empathic.studies import audit, versions
from empathic.studies.desk import forecast, pictures
from empathic.studies.desk.forecast import Forecast
from empathic.studies.progress import CellProgress, Progress, progress
from empathic.studies.web.desk.access import START, Sender, Someone, desk_page
from empathic.studies.web.pages import Form
from empathic.studies.web.site import Site, site_of

router = APIRouter(prefix="/desk", include_in_schema=False)
Times = dict[tuple[str, str], list[float]]


class Row(NamedTuple):
    """A cell as it is shown."""

    cell: CellProgress
    bar: Markup
    ahead: Forecast


@router.get("")
def start(me: Someone) -> Response:
    """The first page."""
    return RedirectResponse(START, 303)


@router.get("/progress")
def show_progress(request: Request, me: Someone) -> Response:
    """Where the study stands, cell by cell, and when it will be full."""
    site = site_of(request)
    found, now = progress(site.store, mode=site.mode), site.store.clock()
    with site.store.read() as connection:
        times = forecast.finish_times(connection, site.mode)
    rows = [_row(cell, times, found.status, now) for cell in found.cells]
    return desk_page(request, me, "progress.html", found=found, now=now, rows=rows, **_whole(found, times, now))


def _row(cell: CellProgress, times: Times, status: str, now: float) -> Row:
    own = times.get((cell.condition, cell.stratum), [])
    left = min(cell.target - cell.finished, cell.free + cell.live)
    ahead = forecast.forecast(own, left=left, now=now, status=status)
    return Row(cell, pictures.bar(cell.finished, cell.live, cell.target), ahead)


def _whole(found: Progress, times: Times, now: float) -> dict[str, Any]:
    """The conditions together."""
    sums = {
        name: sum(getattr(each, name) for each in found.conditions) for name in ("places", "finished", "live", "free")
    }
    every = sorted(time for own in times.values() for time in own)
    ahead = forecast.forecast(every, left=sums["places"] - sums["finished"], now=now, status=found.status)
    return {**sums, "ahead": ahead, "curve": pictures.curve(every, target=sums["places"], now=now, ahead=ahead)}


@router.get("/study")
def show_study(request: Request, me: Someone) -> Response:
    """Whether people may start, and the buttons that change it."""
    return desk_page(request, me, "study.html")


@router.post("/study")
def set_status(request: Request, me: Sender, form: Form) -> Response:
    """Pause, resume or close; an unknown state is refused by the room."""
    site: Site = site_of(request)
    if form.get("status") in versions.STATUSES:
        versions.set_status(site.store, form["status"], by=me.account)
    return RedirectResponse("/desk/study", 303)


@router.get("/history")
def history(request: Request, me: Someone) -> Response:
    """The audit."""
    with site_of(request).store.read() as connection:
        entries = audit.entries(connection)
    return desk_page(request, me, "history.html", entries=entries)
