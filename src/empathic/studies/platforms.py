"""What a platform says of its submissions (CSV export, webhook) becomes the state of participants; places are freed."""

from __future__ import annotations

import base64
import csv
import hashlib
import hmac
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import sqlalchemy as sa

from empathic import files
from empathic.errors import InputError
from empathic.records import Record
from empathic.studies import schema
from empathic.studies.store import Store
from empathic.studies.withdrawal import STATES, platform_state

SUBMISSION = ("submission id", "submission_id", "session_id")
PERSON = ("participant id", "participant_id", "prolific_pid", "pid", "id")
STATUS = ("status", "state")


class Said(NamedTuple):
    """One submission as the platform sees it; either id will do."""

    status: str
    submission: str | None = None
    pid: str | None = None


class Noted(Record, frozen=True):
    """How many submissions were found here, and which were not."""

    known: int
    unknown: tuple[str, ...] = ()


def note(store: Store, said: Iterable[Said], *, ordered: bool = True) -> Noted:
    """Keep each state with its participant; returned, timed-out and rejected ones free their places.

    `ordered=False`: the messages may come in any order, and more than once.
    """
    known, unknown = 0, []
    for each in said:
        name = _participant(store, each)
        if name is None:
            unknown.append(each.submission or each.pid or "?")
        else:
            platform_state(store, name, each.status, ordered=ordered)
            known += 1
    return Noted(known=known, unknown=tuple(unknown))


def read_csv(path: Path) -> list[Said]:
    """The submissions in a platform's CSV export; the columns are found by their names."""
    with files.open_binary(path) as stream:
        text = stream.read().decode("utf-8-sig", errors="replace")
    rows = csv.DictReader(io.StringIO(text))
    names = {name.strip().lower(): name for name in rows.fieldnames or ()}
    status = _column(names, STATUS)
    ids = _column(names, SUBMISSION), _column(names, PERSON)
    if status is None or ids == (None, None):
        found = ", ".join(names) or "none"
        raise InputError(
            f"needs the columns 'Submission id' (or 'Participant id') and 'Status'; it has: {found}", path=path
        )
    return list(_rows(rows, status, ids, path))


def _rows(rows: csv.DictReader[str], status: str, ids: tuple[str | None, str | None], path: Path) -> Iterator[Said]:
    for line, row in enumerate(rows, 2):
        submission, pid = (row.get(name) or None if name else None for name in ids)
        if submission or pid:
            yield Said(normal(row[status] or "", path=path, line=line), submission, pid)


def normal(status: str, *, path: Path | None = None, line: int | None = None) -> str:
    """A state as Prolific's documentation spells it (`TIMED_OUT`, `timed-out` → `TIMED-OUT`)."""
    plain = {_plain(each): each for each in STATES}
    if _plain(status) not in plain:
        raise InputError(f"'{status}' is no state of a submission ({', '.join(STATES)})", path=path, line=line)
    return plain[_plain(status)]


def signature_fits(secret: str, timestamp: str, body: bytes, signature: str) -> bool:
    """Whether a webhook was signed with the secret: base64 of HMAC-SHA-256 over the timestamp and the body.

    https://docs.prolific.com/api-reference/webhooks/verifying; both as they came, not decoded and encoded again.
    """
    digest = hmac.new(secret.encode(), timestamp.encode() + body, hashlib.sha256).digest()
    return hmac.compare_digest(base64.b64encode(digest), signature.encode())


def _participant(store: Store, said: Said) -> str | None:
    table = schema.identity.c
    where = table.submission == said.submission if said.submission else table.pid == said.pid
    with store.read() as connection:
        found = connection.scalar(sa.select(table.participant).where(where))
        if found is None and said.pid:
            found = connection.scalar(sa.select(table.participant).where(table.pid == said.pid))
        return found


def _column(names: dict[str, str], wanted: tuple[str, ...]) -> str | None:
    return next((names[name] for name in wanted if name in names), None)


def _plain(status: str) -> str:
    return status.strip().upper().replace("_", " ").replace("-", " ")
