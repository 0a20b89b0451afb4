"""Named keys of the HTTP API, and the log of what was done with them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from agent_server.store.tables import UtcDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "api_key",
        sa.Column("name", sa.String(), primary_key=True),
        sa.Column("digest", sa.String(), nullable=False, unique=True),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("per_minute", sa.Integer()),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime()),
        sa.Column("revoked_at", UtcDateTime()),
    )
    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("at", UtcDateTime(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("client", sa.String(), nullable=False),
        sa.Column("method", sa.String(), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("status", sa.Integer(), nullable=False),
    )
    op.create_index("ix_audit_entry_at", "audit_entry", ["at"])


def downgrade() -> None:
    for table in ("audit_entry", "api_key"):
        op.drop_table(table)
