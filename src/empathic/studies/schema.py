"""The tables of a study's database, and nothing else; `migrations/` creates and changes them."""

from __future__ import annotations

import sqlalchemy as sa

metadata = sa.MetaData()
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")  # SQLite numbers rows itself only for INTEGER
TAKEN = sa.text("state IN ('live', 'finished')")

setting = sa.Table(
    "setting",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
version = sa.Table(
    "version",
    metadata,
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("hash", sa.Text, nullable=False, unique=True),
    sa.Column("plan", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
)
participant = sa.Table(
    "participant",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("pid_hmac", sa.Text, unique=True),
    sa.Column("version", sa.Integer, sa.ForeignKey("version.number"), nullable=False),
    sa.Column("mode", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("outcome", sa.Text),
    sa.Column("reason", sa.Text),
    sa.Column("platform_state", sa.Text),
    sa.Column("consent_version", sa.Text),
    sa.Column("consent_hash", sa.Text),
    sa.Column("seat", sa.Text),
    sa.Column("late", sa.Boolean, nullable=False, default=False),
    sa.Column("events", sa.Integer, nullable=False, default=0),
    sa.Column("chain", sa.Text, nullable=False, default=""),
    sa.Column("created", sa.Double, nullable=False),
    sa.Column("finished", sa.Double),
)
identity = sa.Table(
    "identity",
    metadata,
    sa.Column("participant", sa.Text, sa.ForeignKey("participant.id"), primary_key=True),
    sa.Column("platform", sa.Text, nullable=False),
    sa.Column("pid", sa.Text, nullable=False),
    sa.Column("study", sa.Text),
    sa.Column("submission", sa.Text),
)
session = sa.Table(
    "session",
    metadata,
    sa.Column("token_hash", sa.Text, primary_key=True),
    sa.Column("participant", sa.Text, sa.ForeignKey("participant.id"), nullable=False, index=True),
    sa.Column("created", sa.Double, nullable=False),
)
cell = sa.Table(
    "cell",
    metadata,
    sa.Column("id", BIG, primary_key=True),
    sa.Column("condition", sa.Text, nullable=False),
    sa.Column("stratum", sa.Text, nullable=False),
    sa.Column("target", sa.Integer, nullable=False),
    sa.UniqueConstraint("condition", "stratum"),
)
place = sa.Table(
    "place",
    metadata,
    sa.Column("id", BIG, primary_key=True),
    sa.Column("condition", sa.Text, nullable=False),
    sa.Column("batch", sa.Text, nullable=False),
    sa.Column("copy", sa.Integer, nullable=False),
    sa.Column("active", sa.Boolean, nullable=False, default=True),
    sa.UniqueConstraint("condition", "batch", "copy"),
)
lease = sa.Table(
    "lease",
    metadata,
    sa.Column("participant", sa.Text, sa.ForeignKey("participant.id"), primary_key=True),
    sa.Column("cell", BIG, sa.ForeignKey("cell.id"), nullable=False, index=True),
    sa.Column("place", BIG, sa.ForeignKey("place.id"), nullable=False),
    sa.Column("arrangement", sa.Integer, nullable=False),
    sa.Column("mode", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("until", sa.Double, nullable=False),
    # The database itself forbids that two people hold the same place.
    sa.Index("lease_one_per_place", "place", "mode", unique=True, sqlite_where=TAKEN, postgresql_where=TAKEN),
)
event = sa.Table(
    "event",
    metadata,
    sa.Column("id", BIG, primary_key=True),
    sa.Column("participant", sa.Text, sa.ForeignKey("participant.id"), nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("client_key", sa.Text, nullable=False),
    sa.Column("type", sa.Text, nullable=False),
    sa.Column("payload", sa.Text, nullable=False),
    sa.Column("time", sa.Double, nullable=False),
    sa.Column("client_time", sa.Double),
    sa.Column("chain", sa.Text, nullable=False),
    sa.UniqueConstraint("participant", "seq"),
    sa.UniqueConstraint("participant", "client_key"),
)
answer = sa.Table(
    "answer",
    metadata,
    sa.Column("participant", sa.Text, sa.ForeignKey("participant.id"), primary_key=True),
    sa.Column("field", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("time", sa.Double, nullable=False),
)
chat = sa.Table(
    "chat",
    metadata,
    sa.Column("id", BIG, primary_key=True),
    sa.Column("participant", sa.Text, sa.ForeignKey("participant.id"), nullable=False),
    sa.Column("scenario", sa.Text, nullable=False),
    sa.Column("bot", sa.Text, nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.UniqueConstraint("participant", "scenario", "bot"),
)
turn = sa.Table(
    "turn",
    metadata,
    sa.Column("id", BIG, primary_key=True),
    sa.Column("chat", BIG, sa.ForeignKey("chat.id"), nullable=False),
    sa.Column("n", sa.Integer, nullable=False),
    sa.Column("role", sa.Text, nullable=False),
    sa.Column("text", sa.Text),
    sa.Column("status", sa.Text, nullable=False),  # done, waiting, failed
    sa.Column("missing", sa.Text),
    sa.Column("attempts", sa.Integer, nullable=False, default=0),
    sa.Column("worker_until", sa.Double, nullable=False, default=0.0),
    sa.Column("generation", sa.Text),
    sa.Column("time", sa.Double, nullable=False),
    sa.UniqueConstraint("chat", "n"),
    sa.Index(
        "turn_waiting",
        "status",
        sqlite_where=sa.text("status = 'waiting'"),
        postgresql_where=sa.text("status = 'waiting'"),
    ),
)
chunk = sa.Table(
    "chunk",
    metadata,
    sa.Column("id", BIG, primary_key=True),
    sa.Column("turn", BIG, sa.ForeignKey("turn.id"), nullable=False),
    sa.Column("attempt", sa.Integer, nullable=False),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.UniqueConstraint("turn", "attempt", "seq"),
)
audit = sa.Table(
    "audit",
    metadata,
    sa.Column("id", BIG, primary_key=True),
    sa.Column("time", sa.Double, nullable=False),
    sa.Column("what", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
    sa.Column("who", sa.Text),  # the account at the desk; none: the command line
)
desk_account = sa.Table(
    "desk_account",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("password", sa.Text, nullable=False),  # its hash
    sa.Column("created", sa.Double, nullable=False),
)
desk_session = sa.Table(
    "desk_session",
    metadata,
    sa.Column("token_hash", sa.Text, primary_key=True),
    sa.Column("account", sa.Text, sa.ForeignKey("desk_account.name"), nullable=False),
    sa.Column("created", sa.Double, nullable=False),
)
desk_attempt = sa.Table(
    "desk_attempt",
    metadata,
    sa.Column("id", BIG, primary_key=True),
    sa.Column("name_hmac", sa.Text, nullable=False),  # somebody may type the password where the name belongs
    sa.Column("time", sa.Double, nullable=False, index=True),
)
