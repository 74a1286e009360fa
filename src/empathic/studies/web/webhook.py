"""A platform's signed message about a submission becomes the participant's state."""

from __future__ import annotations

import os
from typing import Annotated

import msgspec
from fastapi import APIRouter, Depends, Header, HTTPException, Request

from empathic.errors import InputError
from empathic.studies import platforms
from empathic.studies.platforms import Said
from empathic.studies.web.site import site_of

router = APIRouter(include_in_schema=False)
SECRET = "EMPATHIC_WEBHOOK_SECRET"


KIND = "submission.status.change"


class Event(msgspec.Struct):
    """The part of Prolific's message that is needed; other kinds than KIND are about something else."""

    resource_id: str
    status: str | None = None
    participant_id: str | None = None
    event_type: str = KIND


_EVENT = msgspec.json.Decoder(Event)  # made before there are threads, see studies/plan.py


async def body_of(request: Request) -> bytes:
    """The body as it was signed."""
    return await request.body()


@router.post("/platform/prolific")
def prolific(
    request: Request,
    body: Annotated[bytes, Depends(body_of)],
    x_prolific_request_timestamp: Annotated[str, Header()] = "",
    x_prolific_request_signature: Annotated[str, Header()] = "",
) -> dict[str, int]:
    """Note the new state of one submission; without the secret in the environment there is no webhook.

    Prolific sends a message again until it is answered with 2xx, in any order, and gives up on who refuses too many.
    """
    secret = os.environ.get(SECRET)
    if not secret:
        raise HTTPException(404, "Not Found")
    if not platforms.signature_fits(secret, x_prolific_request_timestamp, body, x_prolific_request_signature):
        raise HTTPException(403, "The signature does not fit.")
    try:
        event = _EVENT.decode(body)
        if event.event_type != KIND:
            return {"known": 0}
        said = Said(platforms.normal(event.status or ""), submission=event.resource_id, pid=event.participant_id)
    except (msgspec.DecodeError, InputError) as error:
        raise HTTPException(422, str(error)) from error
    return {"known": platforms.note(site_of(request).store, [said], ordered=False).known}
