"""A Plan becomes a numbered version in the database; who started on one version stays on it."""

from __future__ import annotations

import secrets

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from empathic.errors import InputError
from empathic.studies import audit, schema
from empathic.studies import plan as plans
from empathic.studies.assignment import prepare
from empathic.studies.design import Plan
from empathic.studies.store import Store, lock

_PLANS: dict[str, Plan] = {}
STATUSES = ("open", "paused", "closed")


def publish(store: Store, plan: Plan) -> int:
    """Make this plan the newest version, with its cells and places; the same plan again is the same version."""
    digest = plans.plan_hash(plan)
    with store.write() as connection:
        lock(connection)
        _make_secret(connection)
        found = _newest(connection)
        if found is not None and found[1] == digest:
            return int(found[0])
        number = 1 if found is None else int(found[0]) + 1
        _refuse_old(connection, digest)
        row = {"number": number, "hash": digest, "plan": plans.encode(plan), "created": store.clock()}
        connection.execute(schema.version.insert().values(**row))
        prepare(connection, plan)
        return number


def newest(connection: Connection) -> tuple[int, Plan]:
    """The version new participants get."""
    found = _newest(connection)
    if found is None:
        raise InputError("the database holds no study yet. Type: empathic study serve DIR")
    return found[0], _plan(connection, found[1])


def plan_of(connection: Connection, number: int) -> Plan:
    """The plan of a version."""
    table = schema.version.c
    return _plan(connection, str(connection.scalar(sa.select(table.hash).where(table.number == number))))


def _plan(connection: Connection, digest: str) -> Plan:
    """The plan with this hash: it never changes, so that it is read and decoded once per process."""
    found = _PLANS.get(digest)
    if found is None:
        text = connection.scalar(sa.select(schema.version.c.plan).where(schema.version.c.hash == digest))
        found = _PLANS.setdefault(digest, plans.decode(str(text)))
    return found


def secret(connection: Connection) -> bytes:
    """The study's own key for pseudonyms; without it no platform id can be matched to a participant."""
    value = connection.scalar(sa.select(schema.setting.c.value).where(schema.setting.c.name == "secret"))
    return bytes.fromhex(str(value))


def status(connection: Connection) -> str:
    """Whether new people may start: open, paused or closed."""
    value = connection.scalar(sa.select(schema.setting.c.value).where(schema.setting.c.name == "status"))
    return str(value or "open")


def set_status(store: Store, value: str, *, by: str | None = None) -> None:
    """Open, pause or close the study.

    Paused: nobody new may start, whoever has started goes on. Closed: nobody gets a place any more either; whoever has
    one may finish, because they gave their time for it.
    """
    if value not in STATUSES:
        raise InputError(f"a study can be {', '.join(STATUSES)}, not '{value}'")
    with store.write() as connection:
        lock(connection)
        row = schema.setting.c.name == "status"
        if connection.execute(schema.setting.update().where(row).values(value=value)).rowcount == 0:
            connection.execute(schema.setting.insert().values(name="status", value=value))
        audit.note(connection, store.clock(), "status", value, by)


def _newest(connection: Connection) -> tuple[int, str] | None:
    table = schema.version.c
    row = connection.execute(sa.select(table.number, table.hash).order_by(table.number.desc())).first()
    return None if row is None else (row[0], row[1])


def _refuse_old(connection: Connection, digest: str) -> None:
    old = connection.scalar(sa.select(schema.version.c.number).where(schema.version.c.hash == digest))
    if old is not None:
        raise InputError(f"the study file is version {old} again, which was replaced; change it or start a new DIR")


def _make_secret(connection: Connection) -> None:
    table = schema.setting
    if connection.scalar(sa.select(table.c.value).where(table.c.name == "secret")) is None:
        connection.execute(table.insert().values(name="secret", value=secrets.token_hex(32)))
