"""A store and its bots become the web application of a study."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles
from starlette.exceptions import HTTPException
from starlette.middleware.body_limit import RequestBodyLimitMiddleware
from starlette.responses import RedirectResponse, Response

from empathic import style
from empathic.contracts import Oversight, System
from empathic.studies import versions
from empathic.studies.design import Mode
from empathic.studies.desk.watch import Watch
from empathic.studies.participants import WrongMoment
from empathic.studies.steps import clean
from empathic.studies.store import Store
from empathic.studies.web import api, pages, webhook, worker
from empathic.studies.web.desk import access, exports, quality
from empathic.studies.web.desk import pages as desk_pages
from empathic.studies.web.desk import people as desk_people
from empathic.studies.web.render import FOLDER, page
from empathic.studies.web.security import LARGEST_BODY, Guard
from empathic.studies.web.site import Site
from empathic.transport import Pool


def create_app(
    store: Store,
    systems: Mapping[str, System] | None = None,
    *,
    mode: Mode = "live",
    secure: bool = False,
    connections: Pool | None = None,
    oversight: Oversight | None = None,
) -> FastAPI:
    """The application; `systems` are the bots by name, `secure` says that it is reached over HTTPS.

    `connections` are those of the bots; they are closed when the server stops. `oversight` computes what the researcher's
    desk tells of agreement and quality.
    """
    app = FastAPI(title="Empathic study", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan)
    with store.read() as connection:
        key = versions.secret(connection)
    watch = Watch(store, mode, oversight) if oversight is not None else None
    app.state.site, app.state.connections = Site(store, systems or {}, mode, secure, key=key, watch=watch), connections
    app.include_router(api.router)
    app.add_api_route("/static/empathic.css", _stylesheet, include_in_schema=False)
    app.add_api_route("/health", _health, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=FOLDER / "static"))
    app.include_router(webhook.router)
    _add_desk(app)
    app.include_router(pages.router)
    app.add_exception_handler(pages.Gone, _gone)
    app.add_exception_handler(pages.Forged, _forged)
    app.add_exception_handler(WrongMoment, _wrong_moment)
    app.add_exception_handler(HTTPException, _no_page)
    app.add_exception_handler(RequestValidationError, _not_understood)
    app.add_middleware(RequestBodyLimitMiddleware, max_body_size=LARGEST_BODY)
    app.add_middleware(Guard)
    return app


def _add_desk(app: FastAPI) -> None:
    for router in (access.router, desk_pages.router, quality.router, desk_people.router, exports.router):
        app.include_router(router)
    app.add_exception_handler(access.Locked, _locked)
    app.add_exception_handler(access.Foreign, _foreign)


@contextlib.asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """The worker runs as long as the server does."""
    site: Site = app.state.site
    site.loop, site.wake, site.stopping = asyncio.get_running_loop(), asyncio.Event(), asyncio.Event()
    task = asyncio.create_task(worker.run(site))
    try:
        yield
    finally:
        site.stopping.set()
        site.wake.set()
        await task
        if site.watch is not None:
            site.watch.close()
        for system in site.systems.values():
            await system.close()
        if app.state.connections is not None:
            await app.state.connections.close()


def _stylesheet() -> Response:
    return Response(style.css(), media_type="text/css")


def _health(request: Request) -> dict[str, str]:
    with request.app.state.site.store.read():
        return {"status": "ok"}


def _message(request: Request, status: int, title: str, text: str, link: str, link_text: str) -> Response:
    """A page that only says something; the title of the study and where to find help are on it too."""
    with request.app.state.site.store.read() as connection:
        _, plan = versions.newest(connection)
    return page("message.html", status, study=plan.study, title=title, text=text, link=link, link_text=link_text)


def _gone(request: Request, _error: Exception) -> Response:
    text = "This browser has no session of the study. Open the link you were given again: you continue where you were."
    return _message(request, 401, "Please open your link again", text, "/", "To the start")


def _forged(request: Request, _error: Exception) -> Response:
    text = "The page was out of date. What you had saved is kept."
    return _message(request, 403, "Please continue here", text, "/study", "Continue")


def _locked(_request: Request, _error: Exception) -> Response:
    return RedirectResponse("/desk/login", 303)


def _foreign(_request: Request, _error: Exception) -> Response:
    text = "The page was out of date. Nothing was changed."
    return page("message.html", 403, title="Please try again", text=text, link="/desk", link_text="To the desk")


def _wrong_moment(request: Request, error: Exception) -> Response:
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": str(error)}, 409)
    return _message(request, 409, "This cannot be done now", str(error), "/study", "Continue where you are")


def _no_page(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": error.detail}, error.status_code, dict(error.headers or {}))
    if request.url.path.startswith("/desk"):
        link = {"link": "/desk", "link_text": "To the desk"}
        return page("message.html", error.status_code, title="There is no such page", text=str(error.detail), **link)
    if error.status_code == 404:
        text = "The address is not one of this study. What you answered is kept."
        return _message(request, 404, "There is no such page", text, "/study", "Continue where you are")
    return _message(
        request, error.status_code, "This did not work", str(error.detail), "/study", "Continue where you are"
    )


def _not_understood(_request: Request, error: Exception) -> Response:
    """Where and what, but not the value: it may be something no JSON can hold."""
    if not isinstance(error, RequestValidationError):
        raise error
    found = [{"loc": [clean(str(part)) for part in one["loc"]], "msg": one["msg"]} for one in error.errors()]
    return JSONResponse({"detail": found}, 422)
