"""Version 0001 becomes 0002: the researcher's desk gets accounts, sessions and attempts to log in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
BIG = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Create the tables of the desk; the audit says from now on who did something."""
    op.add_column("audit", sa.Column("who", sa.Text))
    op.create_table(
        "desk_account",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("password", sa.Text, nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "desk_session",
        sa.Column("token_hash", sa.Text, primary_key=True),
        sa.Column("account", sa.Text, sa.ForeignKey("desk_account.name"), nullable=False),
        sa.Column("created", sa.Double, nullable=False),
    )
    op.create_table(
        "desk_attempt",
        sa.Column("id", BIG, primary_key=True),
        sa.Column("name_hmac", sa.Text, nullable=False),
        sa.Column("time", sa.Double, nullable=False),
    )
    op.create_index("ix_desk_attempt_time", "desk_attempt", ["time"])
