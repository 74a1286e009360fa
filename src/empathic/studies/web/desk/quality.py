"""How good the ratings so far are, at the desk: agreement with intervals, and flags with rule and ids."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from empathic.errors import EmpathicError
from empathic.records import Estimate
from empathic.studies.desk import pictures
from empathic.studies.desk.watch import Found
from empathic.studies.web.desk.access import Someone, desk_page
from empathic.studies.web.site import site_of

router = APIRouter(prefix="/desk", include_in_schema=False)
WAIT_SECONDS = 4.0


@router.get("/agreement")
def agreement(request: Request, me: Someone) -> Response:
    """Krippendorff's α, ICC and Cronbach's α of those who completed."""
    watch = site_of(request).watch
    values = _soon(None if watch is None else watch.agreement())
    groups = _grouped(values["found"].content if values["found"] else ())
    return desk_page(request, me, "agreement.html", **values, groups=groups)


def _grouped(found: Sequence[Estimate]) -> dict[tuple[str, str], list[tuple[Estimate, Markup | None]]]:
    """By instrument and what is counted, all that is known of a measure together."""
    groups: dict[tuple[str, str], list[tuple[Estimate, Markup | None]]] = {}
    measures = list(dict.fromkeys(each.labels["measure"] for each in found))
    for each in sorted(found, key=lambda each: measures.index(each.labels["measure"])):
        groups.setdefault((each.labels["title"], each.labels["unit"]), []).append((each, _picture(each)))
    return groups


@router.get("/flags")
def flags(request: Request, me: Someone) -> Response:
    """Whom of those who finished to look at again, by which rule."""
    watch = site_of(request).watch
    return desk_page(request, me, "flags.html", **_soon(None if watch is None else watch.flags()))


def _picture(each: Estimate) -> Markup | None:
    return None if each.value is None else pictures.interval(each.value, each.low, each.high)


def _soon(asked: Future[Found] | None) -> dict[str, Any]:
    """The answer if it comes soon, else a page that loads itself again; or why there is none."""
    if asked is None:
        return {"found": None, "problem": "This server has no statistics; `empathic study serve` has."}
    try:
        return {"found": asked.result(timeout=WAIT_SECONDS), "problem": None}
    except TimeoutError:
        return {"found": None, "problem": None}
    except EmpathicError as error:
        return {"found": None, "problem": f"This cannot be computed: {error}"}
