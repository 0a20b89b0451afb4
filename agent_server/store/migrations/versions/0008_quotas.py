"""Limits of keys, what they used each day, and whose key an episode was submitted with."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("api_key", sa.Column("quota", sa.JSON()))
    op.add_column("episode", sa.Column("key_name", sa.String()))
    owned = sa.text("key_name IS NOT NULL")
    op.create_index(
        "ix_episode_key_status",
        "episode",
        ["key_name", "status"],
        sqlite_where=owned,
        postgresql_where=owned,
    )
    op.create_table(
        "key_use",
        sa.Column("key_name", sa.String(), primary_key=True),
        sa.Column("day", sa.String(), primary_key=True),
        sa.Column("episodes", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("steps", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("tokens", sa.BigInteger(), nullable=False, server_default="0"),
        sa.Column("seconds", sa.Float(), nullable=False, server_default="0"),
        sa.Column("cost", sa.Float(), nullable=False, server_default="0"),
    )


def downgrade() -> None:
    op.drop_table("key_use")
    op.drop_index("ix_episode_key_status", "episode")
    op.drop_column("episode", "key_name")
    op.drop_column("api_key", "quota")
