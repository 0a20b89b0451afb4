"""Actions that wait for a person's word."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from agent_server.store.tables import UtcDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "approval",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("root_id", sa.String(), nullable=False),
        sa.Column("episode_id", sa.String(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("reasons", sa.JSON(), nullable=False),
        sa.Column("actions", sa.JSON(), nullable=False),
        sa.Column("summary", sa.String(), nullable=False),
        sa.Column("thought", sa.String(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("wait_s", sa.Float(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("expires_at", UtcDateTime(), nullable=False),
        sa.Column("decided_at", UtcDateTime()),
        sa.Column("decided_by", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("used_at", UtcDateTime()),
        sa.Column("inputs", sa.JSON(), nullable=False),
        sa.Column("inputs_done", sa.Integer(), nullable=False),
        sa.Column("picture", sa.LargeBinary()),
        sa.Column("picture_number", sa.Integer(), nullable=False),
    )
    op.create_index("ix_approval_root_id", "approval", ["root_id"])
    op.create_index("ix_approval_status", "approval", ["status"])


def downgrade() -> None:
    op.drop_table("approval")
