"""How many episodes a worker can run at once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("worker", sa.Column("slots", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    op.drop_column("worker", "slots")
