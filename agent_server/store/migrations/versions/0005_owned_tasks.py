"""Control of running tasks, priority, what an episode used, and the index of the list of tasks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from agent_server.store.tables import UtcDateTime, WordColumn

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

FIRST_OF_CHAIN = """
UPDATE episode SET submitted_at = COALESCE(
    (SELECT first.created_at FROM episode AS first WHERE first.id = episode.root_id), created_at)
"""
INDICES = {
    "ix_episode_run_submitted": ["run_id", "submitted_at"],
    "ix_episode_run_status_submitted": ["run_id", "status", "submitted_at"],
    "ix_episode_run_policy_submitted": ["run_id", "policy", "submitted_at"],
}
COLUMNS = ("pause_requested", "priority", "tokens", "cost", "submitted_at")


def upgrade() -> None:
    no, zero, past = sa.false(), "0", "1970-01-01 00:00:00"
    op.add_column(
        "episode", sa.Column("pause_requested", sa.Boolean(), nullable=False, server_default=no)
    )
    op.add_column(
        "episode", sa.Column("priority", sa.Integer(), nullable=False, server_default=zero)
    )
    op.add_column("episode", sa.Column("tokens", sa.Integer()))
    op.add_column("episode", sa.Column("cost", sa.Float()))
    op.add_column(
        "episode", sa.Column("submitted_at", UtcDateTime(), nullable=False, server_default=past)
    )
    op.execute(FIRST_OF_CHAIN)
    for name, columns in INDICES.items():
        op.create_index(name, "episode", columns)
    urgent = sa.text("priority > 0")
    op.create_index(
        "ix_episode_urgent",
        "episode",
        ["run_id", "status", "priority", "submitted_at"],
        sqlite_where=urgent,
        postgresql_where=urgent,
    )
    op.create_table(
        "follow_up",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("root_id", sa.String(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
    )
    op.create_index("ix_follow_up_root_id", "follow_up", ["root_id"])
    op.create_table(
        "task_word",
        sa.Column("word", WordColumn, primary_key=True),
        sa.Column("root_id", sa.String(), primary_key=True),
    )
    op.create_index("ix_task_word_root_id", "task_word", ["root_id"])


def downgrade() -> None:
    for table in ("task_word", "follow_up"):
        op.drop_table(table)
    for name in ("ix_episode_urgent", *INDICES):
        op.drop_index(name, "episode")
    for name in COLUMNS:
        op.drop_column("episode", name)
