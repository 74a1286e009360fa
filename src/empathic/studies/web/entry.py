"""The parameters of a participant's link become who they are on the platform they come from."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlencode

import sqlalchemy as sa

from empathic.studies import schema
from empathic.studies.design import AnyStudy, Mode
from empathic.studies.invitations import anyone, invite, invited
from empathic.studies.participants import LONGEST_ID, Identity
from empathic.studies.store import Store
from empathic.studies.web.site import Site, Visitor
from empathic.studies.withdrawal import find

PROLIFIC = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
INVITATION = "invite"


def given(study: AnyStudy, key: bytes, parameters: Mapping[str, str]) -> dict[str, str] | None:
    """What the start form carries on from the link; None if the link names nobody. No id is ever typed by hand.

    A direct study may be entered without an invitation: the form then holds a new one, which is the personal link.
    """
    if identify(study, key, parameters) is not None:
        return {name: parameters[name] for name in _names(study) if name in parameters}
    if study.platform.kind == "direct" and not parameters.get(INVITATION):
        return {INVITATION: invite(key, anyone())}
    return None


def identify(study: AnyStudy, key: bytes, parameters: Mapping[str, str]) -> Identity | None:
    """Who somebody is by the parameters of their link."""
    platform = study.platform.kind
    if platform == "direct":
        name = invited(key, parameters.get(INVITATION, ""))
        return None if name is None else Identity(platform=platform, pid=name)
    names = _names(study)
    pid = parameters.get(names[0], "")
    if not _plausible(pid):
        return None
    rest = [parameters.get(name, "")[:LONGEST_ID].replace("\x00", "") or None for name in names[1:]]
    study_id, submission = (*rest, None, None)[:2]
    return Identity(platform=platform, pid=pid, study=study_id, submission=submission)


def own_link(site: Site, me: Visitor) -> str | None:
    """The link with which somebody who came directly can continue in another browser."""
    if me.person.plan.study.platform.kind != "direct":
        return None
    with site.store.read() as connection:
        table = schema.identity.c
        pid = connection.scalar(sa.select(table.pid).where(table.participant == me.name))
    return f"/?{urlencode({INVITATION: invite(site.key, pid)})}" if pid else None


def known(store: Store, identity: Identity, mode: Mode) -> bool:
    """Whether somebody has been here before."""
    return find(store, identity, mode) is not None


def _names(study: AnyStudy) -> tuple[str, ...]:
    if study.platform.kind == "prolific":
        return PROLIFIC
    return (INVITATION,) if study.platform.kind == "direct" else (study.platform.parameter,)


def _plausible(pid: str) -> bool:
    """A platform's id, not an unfilled placeholder, a blank or a novel."""
    return pid == pid.strip() and 0 < len(pid) <= LONGEST_ID and pid.isprintable() and "{{" not in pid
