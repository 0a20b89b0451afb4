"""Large tasks in a table of their own; the workers that are alive."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from agent_server.store.tables import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "task_body",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("body", sa.JSON(), nullable=False),
    )
    op.create_table(
        "worker",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("envs", sa.JSON(), nullable=False),
        sa.Column("policies", sa.JSON(), nullable=False),
        sa.Column("problem", sa.String()),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
    )


def downgrade() -> None:
    for table in ("worker", "task_body"):
        op.drop_table(table)
