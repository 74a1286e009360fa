"""People who follow the link become participants: entering, consent, answers, the place, withdrawal.

invited → consented → active → finished        (each step forward only, in one transaction, after taking the
    │         │  └──► screened_out               participant's row and reading it again)
    └─────────┴──► withdrawn ◄── active, finished
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from typing import NamedTuple

import msgspec
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection, RowMapping

from empathic.errors import EmpathicError
from empathic.records import Record
from empathic.studies import assignment, events, schema
from empathic.studies.design import Consent, Mode, Plan, Seat
from empathic.studies.plan import stratum_of
from empathic.studies.steps import Field, Refused, Step, Value, accept, clean, current, missing, steps
from empathic.studies.store import Store
from empathic.studies.versions import newest, plan_of, secret, status

FORWARD: Mapping[str, frozenset[str]] = {
    "invited": frozenset({"consented", "withdrawn"}),
    "consented": frozenset({"active", "screened_out", "withdrawn"}),
    "active": frozenset({"finished", "withdrawn"}),
    "screened_out": frozenset({"withdrawn"}),
    "finished": frozenset({"withdrawn"}),
    "withdrawn": frozenset(),
}
LONGEST_ID = 200
_SEAT = msgspec.json.Decoder(Seat)  # made before there are threads, see plan.py


class WrongMoment(EmpathicError):
    """What was asked for cannot be done in the participant's state."""


class Identity(Record, frozen=True):
    """Who somebody is on the platform they come from; kept apart from everything they answer."""

    platform: str
    pid: str
    study: str | None = None
    submission: str | None = None


class Person(NamedTuple):
    """A participant as read in one transaction."""

    row: RowMapping
    plan: Plan
    seat: Seat | None
    answers: dict[str, Value]

    @property
    def way(self) -> tuple[Step, ...]:
        """The steps this participant takes, as far as they are known."""
        return steps(self.plan, self.seat)

    @property
    def step(self) -> Step:
        """Where this participant is."""
        return current(self.way, self.answers)


class Saved(NamedTuple):
    """What a submission did: the fields still missing on its page, and what could not be accepted."""

    missing: list[Field]
    refused: list[str]


def enter(store: Store, identity: Identity, mode: Mode) -> str:
    """The participant with this platform id: the same one however often the link is opened."""
    with store.write() as connection:
        mark = pseudonym(secret(connection), identity, mode)
        table = schema.participant
        found = connection.scalar(sa.select(table.c.id).where(table.c.pid_hmac == mark))
        if found is not None:
            _note_submission(connection, str(found), identity)
            return str(found)
        number, _ = newest(connection)
        name = _new_name(identity, mode)
        row = {"id": name, "version": number, "mode": mode, "state": "invited", "created": store.clock()}
        # Two first requests at once: the unique pseudonym lets one insert through, the other reads its row.
        insert = _insert_or_ignore(connection, table).values(**row, pid_hmac=mark, late=False, events=0, chain="")
        if connection.scalar(insert.returning(table.c.id)) is not None:
            connection.execute(schema.identity.insert().values(participant=name, **msgspec.to_builtins(identity)))
        return str(connection.scalar(sa.select(table.c.id).where(table.c.pid_hmac == mark)))


def _new_name(identity: Identity, mode: Mode) -> str:
    """A random name; a simulated person's follows from their number, so that a seed fixes what they are assigned."""
    if mode == "simulated":
        return hashlib.sha256(f"simulated\n{identity.pid}".encode()).hexdigest()[:16]
    return secrets.token_hex(8)


def _note_submission(connection: Connection, name: str, identity: Identity) -> None:
    """Who comes back with another submission is the same person; the platform speaks of the newest one."""
    if identity.submission is not None:
        row = schema.identity.update().where(schema.identity.c.participant == name)
        connection.execute(row.values(submission=identity.submission, study=identity.study))


def pseudonym(key: bytes, identity: Identity, mode: Mode = "live") -> str:
    """HMAC-SHA-256 of the platform id: finds a person again, tells nobody who they are.

    Somebody who previewed the study is another participant than the same person taking it.
    """
    return hmac.new(key, f"{mode}\n{identity.platform}\n{identity.pid}".encode(), hashlib.sha256).hexdigest()


def load(connection: Connection, name: str, *, for_update: bool = False) -> Person:
    """The participant, locked first and read then if anything is to change."""
    query = sa.select(schema.participant).where(schema.participant.c.id == name)
    row = connection.execute(query.with_for_update() if for_update else query).mappings().first()
    if row is None:
        raise WrongMoment(f"There is no participant '{name}'.")
    seat = _SEAT.decode(row["seat"]) if row["seat"] else None
    return Person(row, plan_of(connection, row["version"]), seat, events.answers(connection, name))


def consent(store: Store, name: str, *, agreed: bool) -> None:
    """Record the consent to the very text shown, or the refusal; agreeing twice is agreeing once."""
    with store.write() as connection:
        person = load(connection, name, for_update=True)
        if person.row["state"] != "invited":
            return
        now, asked = store.clock(), person.plan.study.consent
        if not agreed:
            move(connection, person, "withdrawn", outcome="withdrawn", reason="no consent", finished=now)
            events.append(connection, person.row, "refused", {}, now=now)
            return
        digest = consent_hash(asked)
        events.append(connection, person.row, "consent", {"version": asked.version, "hash": digest}, now=now)
        move(connection, person, "consented", consent_version=asked.version, consent_hash=digest)
        if not person.plan.study.questions:
            _take_place(connection, load(connection, name), now)


def consent_hash(asked: Consent) -> str:
    """SHA-256 of the consent text as shown."""
    return hashlib.sha256(asked.text.encode()).hexdigest()


def save(
    store: Store,
    name: str,
    raw: Mapping[str, object],
    *,
    key: str | None = None,
    client_time: float | None = None,
    submit: str | None = None,
) -> Saved:
    """Store answers; `submit` names the step whose form was sent, which also marks it as read and moves on.

    When this returns, the answers are on the disk. An unknown, early or impossible answer is refused and changes
    nothing; the others of the same request are stored.
    """
    with store.write() as connection:
        person, now = load(connection, name, for_update=True), store.clock()
        if key is not None and events.known(connection, name, key):
            return Saved([], [])
        if person.row["state"] not in ("consented", "active"):
            raise WrongMoment("Your answers are complete and cannot be changed any more.")
        accepted, refused = _accept_all(person, raw)
        page = next((step for step in person.way if step.id == submit), None)
        if page is not None:
            accepted |= {field.key: True for field in page.fields if field.kind == "read"}
        events.save(connection, person.row, accepted, now=now, key=key, client_time=client_time)
        person = person._replace(answers={**person.answers, **accepted})
        lacking = missing(page, person.answers) if page is not None else []
        if person.row["state"] == "active":
            assignment.renew(connection, name, person.plan, now=now)
        elif page is not None and not lacking and not refused:
            _take_place(connection, person, now)
        return Saved(lacking, refused)


def _accept_all(person: Person, raw: Mapping[str, object]) -> tuple[dict[str, Value], list[str]]:
    fields = {field.key: field for field in reached(person)}
    accepted: dict[str, Value] = {}
    refused: list[str] = []
    for key, value in raw.items():
        try:
            if key not in fields:
                raise Refused(f"{clean(key[:60])}: is not asked here")
            accepted[key] = accept(fields[key], value)
        except Refused as error:
            refused.append(str(error))
    return accepted, refused


def reached(person: Person) -> list[Field]:
    """The fields of all steps up to where the participant is."""
    way = person.way
    return [field for step in way[: way.index(person.step) + 1] for field in step.fields]


def heartbeat(store: Store, name: str) -> bool:
    """Keep the place of a participant who is reading; False if it was given away."""
    with store.write() as connection:
        person = load(connection, name, for_update=True)
        if person.row["state"] != "active":
            return True
        return assignment.renew(connection, name, person.plan, now=store.clock())


def _take_place(connection: Connection, person: Person, now: float) -> None:
    """Lease a place, or end here: their group is full, or the study was closed meanwhile."""
    traits = {key.removeprefix("about."): value for key, value in person.answers.items() if key.startswith("about.")}
    stratum = stratum_of(person.plan.study, traits)
    closed = status(connection) == "closed"
    seat = None if closed else assignment.claim(connection, person.row, person.plan, stratum, now=now)
    if seat is None:
        reason = "the study is closed" if closed else "no place is free"
        move(connection, person, "screened_out", outcome="screened_out", reason=reason, finished=now)
        events.append(connection, person.row, "screened_out", {"stratum": stratum}, now=now)
        return
    text = msgspec.json.encode(seat).decode()
    move(connection, person, "active", seat=text)
    events.append(connection, person.row, "seat", msgspec.to_builtins(seat), now=now)


def move(connection: Connection, person: Person, state: str, **values: object) -> None:
    """Bring a locked participant into the next state; only forward."""
    before = person.row["state"]
    if state not in FORWARD[before]:
        raise WrongMoment(f"A participant who is '{before}' cannot become '{state}'.")
    update = schema.participant.update().where(schema.participant.c.id == person.row["id"])
    connection.execute(update.values(state=state, **values))


def _insert_or_ignore(connection: Connection, table: sa.Table) -> sa.Insert:
    """An insert that does nothing where the row exists; both databases have it, under one name."""
    if connection.dialect.name == "postgresql":
        return postgresql.insert(table).on_conflict_do_nothing()
    return sqlite.insert(table).on_conflict_do_nothing()
