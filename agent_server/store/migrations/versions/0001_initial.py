"""Runs, groups, episodes, policy versions."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from agent_server.store.tables import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

STATUSES = ("queued", "running", "scored", "truncated", "invalid", "cancelled")


def upgrade() -> None:
    op.create_table(
        "run",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("preset", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("config", sa.JSON(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("finished_at", UtcDateTime()),
    )
    op.create_table(
        "group",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("template", sa.String(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
    )
    op.create_index("ix_group_run_id", "group", ["run_id"])
    op.create_table(
        "episode",
        sa.Column("id", sa.String(), primary_key=True),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("purpose", sa.String(), nullable=False),
        sa.Column("group_id", sa.String()),
        sa.Column("slot", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("retry_of", sa.String()),
        sa.Column("root_id", sa.String(), nullable=False),
        sa.Column("task", sa.JSON(), nullable=False),
        sa.Column("policy", sa.String(), nullable=False),
        sa.Column("sampling", sa.JSON(), nullable=False),
        sa.Column("screenshots", sa.Boolean(), nullable=False),
        sa.Column(
            "status", sa.Enum(*STATUSES, name="status", native_enum=False, length=16), nullable=False
        ),
        sa.Column("reason", sa.String()),
        sa.Column("detail", sa.String()),
        sa.Column("score", sa.Float()),
        sa.Column("success", sa.Boolean()),
        sa.Column("verdict", sa.JSON(), nullable=False),
        sa.Column("answer", sa.String()),
        sa.Column("steps", sa.Integer(), nullable=False),
        sa.Column("version_min", sa.Integer()),
        sa.Column("version_max", sa.Integer()),
        sa.Column("timings", sa.JSON(), nullable=False),
        sa.Column("lease_owner", sa.String()),
        sa.Column("lease_expires_at", UtcDateTime()),
        sa.Column("cancel_requested", sa.Boolean(), nullable=False),
        sa.Column("not_before", UtcDateTime()),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("started_at", UtcDateTime()),
        sa.Column("finished_at", UtcDateTime()),
        sa.UniqueConstraint("root_id", "attempt", name="uq_episode_root_attempt"),
    )
    op.create_index("ix_episode_group_id", "episode", ["group_id"])
    op.create_index("ix_episode_run_phase_status", "episode", ["run_id", "phase", "status"])
    op.create_index("ix_episode_status_lease", "episode", ["status", "lease_expires_at"])
    op.create_index("ix_episode_run_finished", "episode", ["run_id", "finished_at"])
    op.create_table(
        "policy_version",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("run_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("parent", sa.Integer()),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("sha256", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("status", sa.String(), nullable=False),
        sa.Column("verify", sa.JSON(), nullable=False),
        sa.Column("pause_ms", sa.Float()),
        sa.Column("created_at", UtcDateTime(), nullable=False),
    )
    op.create_index("ix_policy_version_run_id", "policy_version", ["run_id"])


def downgrade() -> None:
    for table in ("policy_version", "episode", "group", "run"):
        op.drop_table(table)
