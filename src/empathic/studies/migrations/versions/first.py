"""An empty database becomes the tables of version 0001."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create every table."""
    _study()
    _people()
    _places()
    _answers()
    _chats()
    op.create_table(
        "audit",
        _number(),
        _time("time"),
        _text("what"),
        _text("detail"),
    )


def _study() -> None:
    op.create_table("setting", sa.Column("name", sa.Text, primary_key=True), _text("value"))
    op.execute("INSERT INTO setting (name, value) VALUES ('assignment', 'the lock of the places')")
    op.create_table(
        "version",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.Text, nullable=False, unique=True),
        _text("plan"),
        _time("created"),
    )


def _people() -> None:
    op.create_table(
        "participant",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("pid_hmac", sa.Text, unique=True),
        sa.Column("version", sa.Integer, sa.ForeignKey("version.number"), nullable=False),
        _text("mode"),
        _text("state"),
        *(sa.Column(name, sa.Text) for name in ("outcome", "reason", "platform_state")),
        *(sa.Column(name, sa.Text) for name in ("consent_version", "consent_hash", "seat")),
        sa.Column("late", sa.Boolean, nullable=False),
        sa.Column("events", sa.Integer, nullable=False),
        _text("chain"),
        _time("created"),
        sa.Column("finished", sa.Double),
    )
    op.create_table(
        "identity",
        _person(primary_key=True),
        _text("platform"),
        _text("pid"),
        sa.Column("study", sa.Text),
        sa.Column("submission", sa.Text),
    )
    op.create_table("session", sa.Column("token_hash", sa.Text, primary_key=True), _person(), _time("created"))
    op.create_index("ix_session_participant", "session", ["participant"])


def _places() -> None:
    op.create_table(
        "cell",
        _number(),
        _text("condition"),
        _text("stratum"),
        sa.Column("target", sa.Integer, nullable=False),
        sa.UniqueConstraint("condition", "stratum"),
    )
    op.create_table(
        "place",
        _number(),
        _text("condition"),
        _text("batch"),
        sa.Column("copy", sa.Integer, nullable=False),
        sa.Column("active", sa.Boolean, nullable=False),
        sa.UniqueConstraint("condition", "batch", "copy"),
    )
    op.create_table(
        "lease",
        _person(primary_key=True),
        sa.Column("cell", BIG, sa.ForeignKey("cell.id"), nullable=False),
        sa.Column("place", BIG, sa.ForeignKey("place.id"), nullable=False),
        sa.Column("arrangement", sa.Integer, nullable=False),
        _text("mode"),
        _text("state"),
        _time("until"),
    )
    op.create_index("ix_lease_cell", "lease", ["cell"])
    _partial("lease_one_per_place", "lease", ["place", "mode"], "state IN ('live', 'finished')", unique=True)


def _answers() -> None:
    op.create_table(
        "event",
        _number(),
        _person(),
        sa.Column("seq", sa.Integer, nullable=False),
        _text("client_key"),
        _text("type"),
        _text("payload"),
        _time("time"),
        sa.Column("client_time", sa.Double),
        _text("chain"),
        sa.UniqueConstraint("participant", "seq"),
        sa.UniqueConstraint("participant", "client_key"),
    )
    op.create_table(
        "answer",
        _person(primary_key=True),
        sa.Column("field", sa.Text, primary_key=True),
        _text("value"),
        sa.Column("seq", sa.Integer, nullable=False),
        _time("time"),
    )


def _chats() -> None:
    op.create_table(
        "chat",
        _number(),
        _person(),
        _text("scenario"),
        _text("bot"),
        _time("created"),
        sa.UniqueConstraint("participant", "scenario", "bot"),
    )
    op.create_table(
        "turn",
        _number(),
        sa.Column("chat", BIG, sa.ForeignKey("chat.id"), nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        _text("role"),
        sa.Column("text", sa.Text),
        _text("status"),
        sa.Column("missing", sa.Text),
        sa.Column("attempts", sa.Integer, nullable=False),
        _time("worker_until"),
        sa.Column("generation", sa.Text),
        _time("time"),
        sa.UniqueConstraint("chat", "n"),
    )
    _partial("turn_waiting", "turn", ["status"], "status = 'waiting'", unique=False)
    op.create_table(
        "chunk",
        _number(),
        sa.Column("turn", BIG, sa.ForeignKey("turn.id"), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        _text("text"),
        sa.UniqueConstraint("turn", "attempt", "seq"),
    )


def _number() -> sa.Column[int]:
    return sa.Column("id", BIG, primary_key=True)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _time(name: str) -> sa.Column[float]:
    return sa.Column(name, sa.Double, nullable=False)


def _person(primary_key: bool = False) -> sa.Column[str]:
    return sa.Column("participant", sa.Text, sa.ForeignKey("participant.id"), primary_key=primary_key, nullable=False)


def _partial(name: str, table: str, columns: list[str], where: str, *, unique: bool) -> None:
    condition = sa.text(where)
    op.create_index(name, table, columns, unique=unique, sqlite_where=condition, postgresql_where=condition)
