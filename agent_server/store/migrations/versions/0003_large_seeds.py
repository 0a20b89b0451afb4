"""Seeds of dev tasks are above what a 32-bit column of PostgreSQL holds."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("run", "group"):
        with op.batch_alter_table(table) as batch:
            batch.alter_column("seed", existing_type=sa.Integer(), type_=sa.BigInteger())


def downgrade() -> None:
    for table in ("run", "group"):
        with op.batch_alter_table(table) as batch:
            batch.alter_column("seed", existing_type=sa.BigInteger(), type_=sa.Integer())
