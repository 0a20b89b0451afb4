"""A desktop of a stack in a container is gone once its process has ended, whenever that is told."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Any

import pytest

from envs.providers.boxes import RUN_LABEL
from envs.providers.local import free_port

pytestmark = [pytest.mark.docker, pytest.mark.usefixtures("nothing_left")]

OURS = {"label": RUN_LABEL}
MOMENTS: dict[str, Callable[[Any], bool]] = {
    "its network is there": lambda engine: bool(engine.networks.list(filters=OURS)),
    "its container is there": lambda engine: bool(
        engine.api.containers(all=True, filters=OURS)
    ),
    "its container runs": lambda engine: bool(engine.api.containers(filters=OURS)),
    "its container is closed off": lambda engine: len(
        engine.api.containers(all=True, filters=OURS)
    ) > 1,
}  # fmt: skip


@pytest.mark.parametrize("moment", MOMENTS)
async def test_told_to_end_while_it_starts_it_leaves_nothing(
    engine: Any, browser_image: str, moment: str
) -> None:
    machine = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "envs.providers.machine", "--provider", "docker",
        "--image", browser_image, "--port", str(free_port()),
        env={**os.environ, "DESKHAND_HOST_TOKEN": "secret"}, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        async with asyncio.timeout(60):
            while not await asyncio.to_thread(MOMENTS[moment], engine):
                await asyncio.sleep(0.01)
            machine.terminate()
            _, errors = await machine.communicate()
        assert (machine.returncode, errors) == (0, b"")
    finally:
        if machine.returncode is None:
            machine.kill()
            await machine.wait()
