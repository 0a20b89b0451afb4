"""Alembic's entry point. The caller owns the connection and its transaction (store/migrate.py)."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

import agent_server.store.tables  # noqa: F401  (registers the tables)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    transactional_ddl=False,
    render_as_batch=True,
    compare_type=True,
)
context.run_migrations()
