"""A policy server for a benchmark: started, warm, and stopped at the end."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from agent_server.policy.engine import VllmEngine, warm_up
from agent_server.policy.manifest import parse_manifest
from agent_server.stack.supervisor import Child, Supervisor
from envs.providers.local import free_port

READY_S = 240.0
MAX_MODEL_LEN = 1024
"""Of a version that names none, tokens."""


@asynccontextmanager
async def open_policy_server(
    version: Path, lora_rank: int = 0, pictures: int = 0
) -> AsyncIterator[VllmEngine]:
    """A server of a published version, which has generated once."""
    engine = VllmEngine(
        version,
        free_port(),
        threads=os.cpu_count() or 2,
        max_model_len=parse_manifest(version).max_model_len or MAX_MODEL_LEN,
        lora_rank=lora_rank,
        pictures=pictures,
    )
    async with Supervisor() as supervisor:
        child = Child(
            name="policy",
            command=engine.command(),
            environment=engine.environment(),
            log_path=version.parent / "policy.log",
            ready=engine.healthy,
            ready_s=READY_S,
        )
        await supervisor.add(child)
        await warm_up(engine.url, engine.keys.generation)
        yield engine
