"""Webhook deliveries; tasks that begin with the steps of another one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from agent_server.store.tables import UtcDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("episode", sa.Column("replay_of", sa.String()))
    op.add_column(
        "episode", sa.Column("replay_steps", sa.Integer(), nullable=False, server_default="0")
    )
    op.create_table(
        "delivery",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("root_id", sa.String(), nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("status", sa.Integer()),
        sa.Column("error", sa.String()),
        sa.Column("next_at", UtcDateTime(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("delivered_at", UtcDateTime()),
    )
    op.create_index("ix_delivery_root_id", "delivery", ["root_id"])
    op.create_index("ix_delivery_state_next", "delivery", ["state", "next_at"])


def downgrade() -> None:
    op.drop_table("delivery")
    for name in ("replay_steps", "replay_of"):
        op.drop_column("episode", name)
